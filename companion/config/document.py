"""The configuration: its sections together, profiles for kinds of machine, errors that help.

Each constructor gets its own section, never the whole. The defaults here and the values in the
repository's `config.yaml` are the same (a test holds them together): that file documents every
key, this one checks them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr, ValidationError, field_validator

from companion.config.automatic import automatic
from companion.config.errors import explain, nearest
from companion.config.sections import (
    ConsolidationSection,
    DialogSection,
    EmbedderSection,
    ForgettingSection,
    LlmPair,
    PersonaSection,
    RepertoireSection,
    RetrievalSection,
    SafetySection,
    Section,
    SkillsSection,
    StoreSection,
)
from companion.config.sections_assist import AssistSection
from companion.config.sections_voice import ServiceSection, SttSection, TtsSection, VoiceSection
from companion.config.yaml_file import YamlFile
from companion.errors import ConfigError

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def _chooses_no_profile(overlay: dict[str, Any]) -> dict[str, Any]:
    for key in ("profile", "profiles"):
        if key in overlay:
            raise ValueError(f"an overlay cannot have the key {key!r}")
    return overlay


class Config(Section):
    profile: str = "auto"
    data_dir: Path = Field(Path("~/.local/share/companion"), validate_default=True)
    models_dir: Path = Field(Path("~/.cache/companion/models"), validate_default=True)
    language: Literal["en"] = "en"
    llm: LlmPair = LlmPair()
    embedder: EmbedderSection = EmbedderSection()
    persona: PersonaSection = PersonaSection()
    dialog: DialogSection = DialogSection()
    repertoire: RepertoireSection = RepertoireSection()
    retrieval: RetrievalSection = RetrievalSection()
    assist: AssistSection = AssistSection()
    consolidation: ConsolidationSection = ConsolidationSection()
    safety: SafetySection = SafetySection()
    skills: SkillsSection = SkillsSection()
    forgetting: ForgettingSection = ForgettingSection()
    store: StoreSection = StoreSection()
    stt: SttSection = SttSection()
    tts: TtsSection = TtsSection()
    voice: VoiceSection = VoiceSection()
    service: ServiceSection = ServiceSection()
    profiles: dict[str, Annotated[dict[str, Any], AfterValidator(_chooses_no_profile)]] = Field(
        default_factory=dict
    )
    """Overlays by name: any keys of the above but `profile`."""

    _because: str | None = PrivateAttr(None)

    @property
    def automatic(self) -> str | None:
        """Why `auto` took this profile here, in half a sentence; None where it was named."""
        return self._because

    @field_validator("data_dir", "models_dir", mode="before")
    @classmethod
    def _names_a_folder(cls, path: Any) -> Any:
        if path == "":
            raise ValueError("is empty: name a folder")
        return path

    @field_validator("data_dir", "models_dir")
    @classmethod
    def _expanded(cls, path: Path) -> Path:
        """`~` and environment variables resolved."""
        expanded = os.path.expandvars(path)
        if "$" in expanded:
            raise ValueError(f"names an environment variable that is not set: {expanded}")
        try:
            return Path(expanded).expanduser()
        except RuntimeError:
            raise ValueError(f"names the home of a user that is not there: {expanded}") from None


def default_path() -> Path:
    """Where the configuration is read from when none is named.

    `$COMPANION_CONFIG`, else the repository's file, else /etc/companion/config.yaml, else the
    copy inside an installed package.
    """
    named = os.environ.get("COMPANION_CONFIG")
    if named:
        return Path(named)
    system = Path("/etc/companion/config.yaml")
    if not (REPOSITORY / "config.yaml").is_file() and system.is_file():
        return system
    return shipped("config.yaml")


def shipped(path: str) -> Path:
    """A file that came with this code: the repository's, or the installed package's copy."""
    in_repository = REPOSITORY / path
    installed = Path(__file__).resolve().parent.parent / "data" / in_repository.name
    return in_repository if in_repository.is_file() else installed


def load(
    path: Path | None = None, *, profile: str | None = None, data_dir: Path | None = None
) -> Config:
    """Read and check a configuration, with its profile's overlay applied.

    `profile` and `data_dir` (from the command line) win over the file. Every overlay is checked,
    also those not chosen. A profile that the file does not have is the shipped one of that name,
    under the file's own keys. Raises ConfigError.
    """
    file = YamlFile.read(path or default_path())
    base = _validate(file, file.tree)
    for name, overlay in base.profiles.items():
        _validate(file, _overlay(file.tree, overlay), name)
    chosen, because = profile or base.profile, None
    if chosen == "auto":
        found = automatic(base.models_dir)
        chosen, because = found.profile, found.why
    others = {} if chosen in base.profiles else _shipped_profiles()
    if chosen not in base.profiles and chosen not in others:
        known = list(dict.fromkeys((*base.profiles, *others)))
        place = "--profile" if profile else f"{file.at(('profile',))}: profile"
        raise ConfigError(
            f"{place}: there is no profile {chosen!r}{nearest(chosen, known)}; "
            f"{file.path} and the shipped file have: {', '.join(known)}"
        )
    under = _overlay(others.get(chosen, {}), file.tree)
    merged = _overlay(under, base.profiles.get(chosen, {})) | {"profile": chosen}
    if data_dir is not None:
        merged["data_dir"] = str(data_dir)
    loaded = _validate(file, merged, chosen)
    loaded._because = because
    return loaded


def _shipped_profiles() -> dict[str, Any]:
    file = YamlFile.read(shipped("config.yaml"))
    return dict(_validate(file, file.tree).profiles)


def _validate(file: YamlFile, tree: dict[str, Any], profile: str | None = None) -> Config:
    """Check a tree: the file's own, or with the overlay of a profile. Raises ConfigError."""
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise explain(error, file, Config, profile) from None


def _overlay(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        present = merged.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            merged[key] = _overlay(present, value)
        else:
            merged[key] = value
    return merged
