"""The configuration: its sections, profiles for kinds of machine, errors that help."""

from companion.config.document import REPOSITORY, Config, default_path, detect_profile, load
from companion.config.sections import (
    ConsolidationSection,
    DialogSection,
    EmbedderSection,
    ForgettingSection,
    LlmPair,
    LlmSection,
    PersonaSection,
    RetrievalSection,
    SafetySection,
    StoreSection,
)
from companion.config.sections_voice import ServiceSection, SttSection, TtsSection, VoiceSection

__all__ = [
    "REPOSITORY",
    "Config",
    "ConsolidationSection",
    "DialogSection",
    "EmbedderSection",
    "ForgettingSection",
    "LlmPair",
    "LlmSection",
    "PersonaSection",
    "RetrievalSection",
    "SafetySection",
    "ServiceSection",
    "StoreSection",
    "SttSection",
    "TtsSection",
    "VoiceSection",
    "default_path",
    "detect_profile",
    "load",
]
