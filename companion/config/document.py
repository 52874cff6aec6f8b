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
from companion.config.errors import explain, has_key, nearest
from companion.config.sections import (
    ConsolidationSection,
    DialogSection,
    EmbedderSection,
    ForgettingSection,
    PersonaSection,
    RepertoireSection,
    RetrievalSection,
    SafetySection,
    Section,
    SkillsSection,
    StoreSection,
)
from companion.config.sections_assist import AssistSection
from companion.config.sections_llm import LlmPair
from companion.config.sections_voice import ServiceSection, SttSection, TtsSection, VoiceSection
from companion.config.sections_web import WebSection
from companion.config.settings_list import FILE, SETTINGS
from companion.config.yaml_file import YamlFile
from companion.errors import ConfigError

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def _chooses_no_profile(over: dict[str, Any]) -> dict[str, Any]:
    for key in ("profile", "profiles"):
        if key in over:
            raise ValueError(f"an overlay cannot have the key {key!r}")
    return over


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
    web: WebSection = WebSection()
    profiles: dict[str, Annotated[dict[str, Any], AfterValidator(_chooses_no_profile)]] = Field(
        default_factory=dict
    )
    """Overlays by name: any keys of the above but `profile`."""

    _because: str | None = PrivateAttr(None)
    _base: Config | None = PrivateAttr(None)
    _settings: frozenset[str] = PrivateAttr(frozenset())
    _written: frozenset[str] = PrivateAttr(frozenset())

    @property
    def without_settings(self) -> Config:
        """As the configuration file has it, without what a parent has set."""
        return self._base or self

    @property
    def settings(self) -> frozenset[str]:
        """The keys that a parent has set (`companion.config.settings`), as `section.key`."""
        return self._settings

    @property
    def written(self) -> frozenset[str]:
        """The keys that a parent may set and that stand in the configuration file."""
        return self._written

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
    path: Path | None = None,
    *,
    profile: str | None = None,
    data_dir: Path | None = None,
    settings: bool = True,
) -> Config:
    """Read and check a configuration, with its profile's overlay applied, and then, unless
    `settings` is False, what a parent has set.

    `profile` and `data_dir` (from the command line) win over the file. Every overlay is checked,
    also those not chosen. A profile that the file does not have is the shipped one of that name,
    under the file's own keys. Raises ConfigError.
    """
    file = YamlFile.read(path or default_path())
    base = _validate(file, file.tree)
    for name, over in base.profiles.items():
        _validate(file, overlay(file.tree, over), name)
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
    under = overlay(others.get(chosen, {}), file.tree)
    merged = overlay(under, base.profiles.get(chosen, {})) | {"profile": chosen}
    if data_dir is not None:
        merged["data_dir"] = str(data_dir)
    loaded = _validate(file, merged, chosen)
    loaded._because = because
    loaded._written = frozenset(each.key for each in SETTINGS if has_key(merged, each.place))
    return with_settings(loaded) if settings else loaded


def with_settings(base: Config, file: YamlFile | None = None) -> Config:
    """What a parent has set, over what the configuration file has. file: None: the one in
    `data_dir`, if it is there and may be read. Raises ConfigError."""
    file = file or _settings_file(base.data_dir)
    if file is None or not file.tree:
        return base
    keys = set()
    for section, inner in file.tree.items():
        for name in inner if isinstance(inner, dict) else ("",):
            keys.add(f"{section}.{name}".rstrip("."))
    known = {each.key: each for each in SETTINGS}
    if strangers := sorted(keys - known.keys()):
        place = tuple(strangers[0].split(".", 1))
        raise ConfigError(
            f"{file.at(place)}: {strangers[0]}: cannot be set in this file; it belongs into the "
            "configuration file"
        )
    try:
        tree = overlay(base.model_dump(exclude={"profiles"}), file.tree)
        changed = Config.model_validate(tree)
    except ValidationError as error:
        raise explain(error, file, Config, None) from None
    narrowed = {}
    for each in (known[key] for key in keys if known[key].narrows):
        section, name = each.place
        most, value = (getattr(getattr(one, section), name) for one in (base, changed))
        least = min(filter(None, (most, value)), default=0)
        inner = getattr(changed, section).model_copy(update={name: least})
        narrowed[section] = inner
    changed = changed.model_copy(update=narrowed | {"profiles": base.profiles})
    changed._because, changed._written = base._because, base._written
    changed._base, changed._settings = base, frozenset(keys)
    return changed


def _settings_file(data_dir: Path) -> YamlFile | None:
    """None where there is none, or it belongs to somebody else (the service)."""
    path = data_dir / FILE
    try:
        path.open("rb").close()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except OSError:
        pass  # read() says it better
    return YamlFile.read(path)


def _shipped_profiles() -> dict[str, Any]:
    file = YamlFile.read(shipped("config.yaml"))
    return dict(_validate(file, file.tree).profiles)


def _validate(file: YamlFile, tree: dict[str, Any], profile: str | None = None) -> Config:
    """Check a tree: the file's own, or with the overlay of a profile. Raises ConfigError."""
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise explain(error, file, Config, profile) from None


def overlay(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """The one tree with the keys of the other put over its own."""
    merged = dict(base)
    for key, value in over.items():
        present = merged.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            merged[key] = overlay(present, value)
        else:
            merged[key] = value
    return merged
