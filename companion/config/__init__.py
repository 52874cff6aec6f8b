"""The configuration: its sections, profiles for kinds of machine, errors that help."""

from companion.config.automatic import detect_profile as detect_profile
from companion.config.document import REPOSITORY as REPOSITORY
from companion.config.document import Config as Config
from companion.config.document import default_path as default_path
from companion.config.document import load as load
from companion.config.sections import ConsolidationSection as ConsolidationSection
from companion.config.sections import DialogSection as DialogSection
from companion.config.sections import EmbedderSection as EmbedderSection
from companion.config.sections import FamilySection as FamilySection
from companion.config.sections import ForgettingSection as ForgettingSection
from companion.config.sections import PersonaSection as PersonaSection
from companion.config.sections import RepertoireSection as RepertoireSection
from companion.config.sections import RetrievalSection as RetrievalSection
from companion.config.sections import SafetySection as SafetySection
from companion.config.sections import SkillsSection as SkillsSection
from companion.config.sections import StoreSection as StoreSection
from companion.config.sections_assist import AssistSection as AssistSection
from companion.config.sections_llm import LlmPair as LlmPair
from companion.config.sections_llm import LlmSection as LlmSection
from companion.config.sections_voice import ServiceSection as ServiceSection
from companion.config.sections_voice import SttSection as SttSection
from companion.config.sections_voice import TtsSection as TtsSection
from companion.config.sections_voice import VoiceSection as VoiceSection
from companion.config.sections_web import WebSection as WebSection
