"""The configuration: pydantic sections, profiles for kinds of machine, and errors that help.

Each constructor gets its own section, never the whole. The defaults here and the values in the
repository's `config.yaml` are the same (a test holds them together): that file documents every
key, this one checks them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from companion.config_errors import explain, nearest
from companion.errors import ConfigError
from companion.yaml_file import YamlFile

REPOSITORY = Path(__file__).resolve().parent.parent


NoticeTopic = Literal[
    "self-harm",
    "abuse",
    "emergency",
    "strangers",
    "sexual",
    "weapons",
    "drugs",
    "dares",
    "personal",
]


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class LlmSection(Section):
    """One language model."""

    backend: Literal["llama-cpp", "openai"] = "llama-cpp"
    model: str = "qwen2.5-coder-1.5b"
    """Name in models/manifest.yaml, or (backend openai) the server's name of its model."""

    file: Path | None = None
    """A GGUF of your own; wins over `model`."""

    context_tokens: int = Field(4096, ge=512, le=131_072)
    threads: int = Field(0, ge=0, le=256)
    """0: all cores the process may use."""

    gpu_layers: int = Field(0, ge=-1)
    """-1: all."""

    prefill_slice: int = Field(64, ge=8, le=4096)
    """Prompt tokens evaluated between two looks at the cancel flag."""

    url: str | None = None
    """Base address of an OpenAI-compatible server, e.g. http://127.0.0.1:8080/v1."""

    api_key_file: Path | None = None

    allow_public: bool = False
    """Let the server be outside the private network: what was said then leaves it."""

    @model_validator(mode="after")
    def _server_has_address(self) -> LlmSection:
        if self.backend == "openai" and not self.url:
            raise ValueError("backend openai needs url, e.g. http://127.0.0.1:8080/v1")
        return self


class LlmPair(Section):
    """The model that talks, and the one that consolidates."""

    active: LlmSection = LlmSection()
    inactive: LlmSection | None = None
    """Null: the active one does both."""


class EmbedderSection(Section):
    backend: Literal["onnx", "sentence-transformers"] = "onnx"
    model: str = "minilm-int8"
    """Name in models/manifest.yaml, or (backend sentence-transformers) any model it can load."""

    directory: Path | None = None
    """A folder with an exported model (`companion models export-embedder`); wins over `model`."""

    threads: int = Field(1, ge=1, le=64)


class PersonaSection(Section):
    """Who the companion is. All of it is prompt text."""

    name: str = Field("Pip", min_length=1, max_length=40)
    listener: str = Field("a child", min_length=1, max_length=80)
    character: str = Field(
        "You are curious, gentle and playful. You like animals, stories and small jokes.",
        max_length=2000,
    )
    rules: tuple[str, ...] = ()
    """Further rules, one sentence each, after the built-in ones."""

    greeting: bool = True
    """Ask for name, age and gender when they are not known (paper section 4.6)."""

    examples: bool = True
    """Show the model short example exchanges first: better manners and reading of notes, free once
    cached."""


class DialogSection(Section):
    window_messages: int = Field(15, ge=1, le=400)
    """W_slide of the paper."""

    window_slack: int = Field(16, ge=0, le=400)
    """The window grows to W + slack before it is cut back to W at once."""

    sentences: int = Field(2, ge=1, le=20)
    """Most sentences in a reply."""

    reply_tokens: int = Field(96, ge=8, le=2048)
    temperature: float = Field(0.3, ge=0, le=2)
    seed: int = 0
    deadline_s: float = Field(120, gt=0)


class RetrievalSection(Section):
    mode: Literal["paper", "hybrid"] = "hybrid"
    fill: Literal["turns", "packed"] = "turns"
    """How the block is filled (mode hybrid): a few whole turns, or single messages and memories
    until the budget is used up."""

    k_long: int = Field(5, ge=0, le=100)
    k_short: int = Field(3, ge=0, le=100)
    k_surrounding: int = Field(1, ge=0, le=10)
    s_min: float = Field(0.35, ge=-1, le=1)
    budget_tokens: int = Field(250, ge=0, le=8192)
    """Most tokens of the recalled block (mode hybrid)."""

    turns: int = Field(4, ge=0, le=50)
    """Most past turns in the block (mode hybrid)."""

    memories: int = Field(4, ge=0, le=50)
    """Memories that lead to turns, or are shown themselves (mode hybrid)."""

    passing: int = Field(3, ge=0, le=50)
    """Most turns shown when nothing was asked about the past (mode hybrid)."""

    s_passing: float = Field(0.45, ge=-1, le=1)
    """Least similarity of what is shown then."""


class ConsolidationSection(Section):
    inactivity_s: float = Field(600, gt=0)
    """T_inactivity: this much silence ends a session."""

    chunk_tokens: int = Field(7000, ge=128)
    overlap_messages: int = Field(5, ge=0, le=100)
    similar: int = Field(3, ge=0, le=20)
    """Existing memories that a new one is compared with."""

    facts_per_turn: int = Field(4, ge=1, le=20)
    min_confidence: float = Field(0.6, ge=0, le=1)
    """Words that a transcriber heard with less are answered, but no fact is drafted from them."""

    attempts: int = Field(2, ge=1, le=10)
    """Full tries of a structured step before it is parked."""

    nights: int = Field(3, ge=1, le=100)
    """Runs in which a parked unit is tried again before the work goes on without it."""

    soft_retry_temperature: float = Field(0.2, ge=0, le=2)
    deadline_s: float = Field(120, gt=0)
    """Longest wall time of one model call."""


class SttSection(Section):
    """Speech to text (faster-whisper)."""

    model: str = "whisper-tiny.en"
    """Name in models/manifest.yaml."""

    directory: Path | None = None
    """A folder with a CTranslate2 model of your own; wins over `model`."""

    threads: int = Field(0, ge=0, le=64)
    """0: all cores the process may use; nothing else computes while it listens."""


class TtsSection(Section):
    """Text to speech (piper)."""

    model: str = "piper-en-us-joe"
    """Name in models/manifest.yaml."""

    directory: Path | None = None
    """A folder with a piper voice of your own; wins over `model`."""

    threads: int = Field(0, ge=0, le=64)
    """0: all cores the process may use; the language model waits while a clause is made."""

    speed: float = Field(1.0, ge=0.5, le=2.0)
    """1.0 is the voice's own pace; 2.0 twice as fast."""


class VoiceSection(Section):
    """Ears, mouth and turn-taking. Times are counted in samples of sound."""

    microphone: str | None = None
    """A part of the device's name (`companion devices`); null: the system's default."""

    speaker: str | None = None
    start: Literal["open", "push-to-talk", "wake-phrase"] = "open"
    """When words count: always, while the button is held, or after a wake phrase."""

    wake_phrases: tuple[str, ...] = ()
    """Empty: "hey" and the persona's name."""

    wake_engine: str = Field("transcript", pattern=r"^(transcript|[A-Za-z_][\w.]*:[A-Za-z_]\w*)$")
    """transcript: the wake phrase is looked for in what was transcribed. Else a class that finds a
    wake word in sound, as module:Class; see `companion.engines.sound_protocols.WakeWord`."""

    wake_model: Path | None = None
    """The file that such a class reads."""

    wake_threshold: float = Field(0.5, gt=0, le=1)
    """Least score of such a class that wakes."""

    awake_s: float = Field(45, gt=0)
    """How long after the last word a wake phrase holds."""

    button: str | None = None
    """Of push-to-talk: a GPIO line, e.g. gpiochip0:105, or "key", the space bar of the terminal in
    which the program runs."""

    indicator: str | None = None
    """GPIO line of the lamp that shines while the microphone is live; null: a log line."""

    echo: Literal["cancel", "half-duplex", "none"] = "cancel"
    """How the companion's own voice is kept out of its ears. `companion doctor --audio` measures
    which one this device needs; none is for headphones."""

    barge_in: bool = True
    """Let speech stop the companion while it speaks."""

    speech_threshold: float = Field(0.5, gt=0, lt=1)
    """Least probability of a frame that counts as speech."""

    pre_roll_ms: int = Field(320, ge=0, le=2000)
    """Sound kept from before speech was noticed, so that first syllables survive."""

    tentative_ms: int = Field(256, ge=64, le=2000)
    """Silence after which work on an answer begins, to be dropped if speech goes on."""

    endpoint_ms: int = Field(576, ge=128, le=5000)
    """Silence that ends an utterance."""

    question_ms: int = Field(448, ge=128, le=5000)
    """Silence that ends one whose words are a question."""

    longest_s: float = Field(30, ge=2, le=30)
    """An utterance is cut here: the transcriber hears no more at once."""

    confirm_ms: int = Field(700, ge=96, le=3000)
    """Speech this long, while the companion speaks, interrupts it; shorter sounds pause it until
    their words are known."""

    min_confidence: float = Field(0.45, ge=0, le=1)
    """Words heard with less are not understood: no turn, no memory."""

    filler_after_ms: int = Field(1800, ge=0)
    """A short sound of thinking when the answer is later than this; 0: none."""

    earcons: bool = True
    """Short tones when a wake phrase opens the ear, and when the ear closes again."""

    pause_ms: int = Field(120, ge=0, le=2000)
    """Silence between two sentences that are spoken."""

    def called_by(self, name: str) -> tuple[str, ...]:
        """The wake phrases of a companion of this name."""
        return self.wake_phrases or (f"hey {name}",)


class ServiceSection(Section):
    """The daemon (`companion run`)."""

    socket: Path | None = None
    """The control socket; null: control.sock in $RUNTIME_DIRECTORY, else in data_dir."""

    crashes: int = Field(5, ge=1)
    """So many failed starts within `crash_window_s` lead to safe mode: no memory work."""

    crash_window_s: float = Field(300, gt=0)
    stop_s: float = Field(5, gt=0)
    """Longest seconds from SIGTERM to the end."""


class SafetySection(Section):
    """What guards a child (docs/safety.md). No topic can be switched off."""

    guard: Literal["full", "patterns"] = "full"
    """full: code, and a small classifier over the embedder. patterns: code alone."""

    notices: bool = True
    """Keep a line for the parent (topic and time, no words) when a grave topic came up."""

    notice_topics: tuple[NoticeTopic, ...] = (
        "self-harm",
        "emergency",
        "strangers",
        "weapons",
        "drugs",
        "dares",
    )
    """Not `abuse` by default: who reads the notices may be whom the child is afraid of."""

    break_minutes: int = Field(45, ge=0, le=600)
    """After so much talk without a pause a break is proposed; 0: never."""


class ForgettingSection(Section):
    enabled: bool = True
    r_min: float = Field(0.01, gt=0, lt=1)
    archive_days: float = Field(30, ge=0)
    """Lived days a faded memory stays in the archive before it is erased."""

    turn_days: float = Field(30, ge=0)
    """Lived days that raw turns are kept once consolidated; 0: for ever."""

    largest_gap_days: float = Field(7, gt=0)
    """The most lived time that one absence can add."""


class StoreSection(Section):
    encrypt: bool = True
    key_file: Path | None = None
    """Null: `store.key` beside the database, or the systemd credential `companion-key`."""

    backups: int = Field(3, ge=0, le=100)


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
    retrieval: RetrievalSection = RetrievalSection()
    consolidation: ConsolidationSection = ConsolidationSection()
    safety: SafetySection = SafetySection()
    forgetting: ForgettingSection = ForgettingSection()
    store: StoreSection = StoreSection()
    stt: SttSection = SttSection()
    tts: TtsSection = TtsSection()
    voice: VoiceSection = VoiceSection()
    service: ServiceSection = ServiceSection()
    profiles: dict[str, Annotated[dict[str, Any], AfterValidator(_chooses_no_profile)]] = {}
    """Overlays by name: any keys of the above but `profile`."""

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
    return _shipped()


def _shipped() -> Path:
    """The configuration that came with this code: the repository's, or the package's copy."""
    repository = REPOSITORY / "config.yaml"
    installed = Path(__file__).resolve().parent / "data" / "config.yaml"
    return repository if repository.is_file() else installed


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
    chosen = profile or base.profile
    if chosen == "auto":
        chosen = detect_profile()
    shipped = {} if chosen in base.profiles else _shipped_profiles()
    if chosen not in base.profiles and chosen not in shipped:
        known = list(dict.fromkeys((*base.profiles, *shipped)))
        place = "--profile" if profile else f"{file.at(('profile',))}: profile"
        raise ConfigError(
            f"{place}: there is no profile {chosen!r}{nearest(chosen, known)}; "
            f"{file.path} and the shipped file have: {', '.join(known)}"
        )
    under = _overlay(shipped.get(chosen, {}), file.tree)
    merged = _overlay(under, base.profiles.get(chosen, {})) | {"profile": chosen}
    if data_dir is not None:
        merged["data_dir"] = str(data_dir)
    return _validate(file, merged, chosen)


def _shipped_profiles() -> dict[str, Any]:
    file = YamlFile.read(_shipped())
    return dict(_validate(file, file.tree).profiles)


def detect_profile() -> str:
    """The profile for this machine: `jetson`, `tiny` (under 3 GiB of memory) or `laptop`."""
    try:
        board = Path("/proc/device-tree/model").read_text(errors="replace")
    except OSError:
        board = ""
    if "jetson" in board.lower() or Path("/etc/nv_tegra_release").exists():
        return "jetson"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return "tiny" if memory < 3 * 2**30 else "laptop"


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
