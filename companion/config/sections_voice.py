"""The sections of the configuration for hearing, speaking, turn-taking and the daemon."""

from __future__ import annotations

import re
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from companion.config.sections import Section

_CLOCK = "([01]?[0-9]|2[0-3]):([0-5][0-9])"
_HOURS = re.compile(f"{_CLOCK} ?[-–] ?{_CLOCK}")


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
    """Hearing, speaking and turn-taking. Times are counted in samples of sound."""

    microphone: str | None = None
    """A part of the device's name (`companion devices`); null: the system's default."""

    speaker: str | None = None
    start: Literal["open", "push-to-talk", "wake-phrase"] = "open"
    """When words count: always, while the button is held, or after a wake phrase."""

    wake_phrases: tuple[Annotated[str, Field(pattern=r"\w")], ...] = ()
    """Empty: "hey" and the persona's name."""

    wake_engine: str = Field("transcript", pattern=r"^(transcript|[A-Za-z_][\w.]*:[A-Za-z_]\w*)$")
    """transcript: the wake phrase is looked for in what was transcribed. Else a class that finds a
    wake word in sound, as module:Class; see `companion.engines.sound.protocols.WakeWord`."""

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

    assist_button: str | None = None
    """Of recall at a touch (docs/assist.md): a GPIO line, or "key", the enter key of the terminal.
    Held it hears a question, pressed it infers one; null: none."""

    assist_speaker: str | None = None
    """A part of the name of the device that whispers the answer; null: the speaker."""

    echo: Literal["cancel", "half-duplex", "none"] = "cancel"
    """How the companion's own voice is kept out of what it hears. `companion doctor --audio`
    measures which one this device needs; none is for headphones."""

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
    """So many failed starts in a row lead to safe mode: no memory work."""

    healthy_s: float = Field(60, gt=0)
    """A start that lives so long once everything is loaded has not failed."""
    stop_s: float = Field(5, gt=0)
    """Longest seconds from SIGTERM to the end."""

    quiet: str | None = None
    """Hours in which it says good night once and then only answers in a crisis: from and to, as
    "20:00-07:00", by the clock on the wall."""

    minutes_a_day: int = Field(0, ge=0, le=1440)
    """Minutes of talk a day, after which it says goodbye likewise; 0: without an end."""

    @field_validator("quiet", mode="before")
    @classmethod
    def _two_times(cls, value: Any) -> Any:
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        found = _HOURS.fullmatch(value.strip()) if isinstance(value, str) else None
        if found is None:
            raise ValueError('must be two times in quotes, such as "20:00-07:00"')
        begin, end = (f"{int(h):02}:{m}" for h, m in (found.group(1, 2), found.group(3, 4)))
        if begin == end:
            raise ValueError("begins when it ends; for no quiet hours write null")
        return f"{begin}-{end}"

    @property
    def quiet_hours(self) -> tuple[time, time] | None:
        """When the quiet hours begin and end."""
        if self.quiet is None:
            return None
        begin, _, end = self.quiet.partition("-")
        return time.fromisoformat(begin), time.fromisoformat(end)
