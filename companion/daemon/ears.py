"""What hears and speaks, as far as it is there. The only place where the daemon meets sound.

The voice room is imported when it is needed: without its packages the daemon runs too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion import runtime_voice
from companion.clock import Clock, ManualClock
from companion.config import Config, VoiceSection
from companion.daemon.missing import Missing
from companion.errors import SoundError
from companion.phases import Phases
from companion.runtime_voice import VoiceParts

if TYPE_CHECKING:
    from companion.voice.live_sound import LiveSound
    from companion.voice.loop import VoiceLoop

CANNOT_HEAR_OR_SPEAK = "I can't hear or speak right now."
CANNOT_HEAR = "I can't hear you right now."
CANNOT_SPEAK = "I can't speak right now."
HEARS_ITSELF = "I may hear myself."
NOT_CALLED = "I may not notice that I am called."
NO_DEVICE = "Please check my microphone and speaker."
NO_BUTTON = "My button does not work."
NO_LAMP = "My lamp does not work."


class Voice(Protocol):
    """The voice loop as the rest of the daemon sees it; see `companion.voice.loop`."""

    frames: int
    """Heard so far."""

    async def run(self) -> None:
        """Until the sound ends or it is cancelled; then it is quiet, and the turn committed."""

    async def say(self, text: str) -> None:
        """Spoken when nobody talks; returns when it was heard."""

    def pause(self) -> None:
        """Turn the microphone off."""

    def resume(self) -> None: ...

    def state(self) -> dict[str, object]: ...


@dataclass(frozen=True)
class Files:
    """Sound from and into files, instead of devices."""

    heard: Path
    spoken: Path | None


@asynccontextmanager
async def voice(
    config: Config, clock: Clock, phases: Phases, files: Files | None, missing: list[Missing]
) -> AsyncIterator[Voice | None]:
    """The voice loop over devices, or over `files`, not running yet; None when there is none.

    On a clock that moves only when told, it is sound that moves it, as fast as engines allow.
    missing: takes what is not there. Raises InputError for a file that cannot be used.
    """
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(runtime_voice.voice(config))
        if parts.missing:
            missing.append(Missing(_meaning(parts, config.voice), "; ".join(parts.missing)))
        loop: VoiceLoop | None = None
        if parts.transcriber is not None or parts.synthesizer is not None:
            try:
                loop = await _loop(stack, config, clock, phases, parts, files, missing)
            except ImportError as error:
                why = f"{error.name} is not installed: scripts/setup --voice"
                missing.append(Missing(CANNOT_HEAR_OR_SPEAK, why))
        yield loop


def _meaning(parts: VoiceParts, section: VoiceSection) -> str:
    """What it means that engines are missing: the worst of it."""
    deaf = parts.transcriber is None or parts.detector is None
    if parts.synthesizer is None:
        return CANNOT_HEAR_OR_SPEAK if deaf else CANNOT_SPEAK
    if deaf:
        return CANNOT_HEAR
    return HEARS_ITSELF if section.echo == "cancel" and not parts.canceller else NOT_CALLED


def _device(sound: LiveSound, trouble: str) -> Missing:
    what = trouble.partition(":")[0]
    return Missing(NO_DEVICE, trouble, lambda: any(t.startswith(what) for t in sound.troubles))


async def _loop(
    stack: AsyncExitStack,
    config: Config,
    clock: Clock,
    phases: Phases,
    parts: VoiceParts,
    files: Files | None,
    missing: list[Missing],
) -> VoiceLoop:
    """Raises ImportError where the packages for sound are not installed."""
    from companion.voice.gpio import LogIndicator, open_button, open_indicator
    from companion.voice.live_sound import LiveSound
    from companion.voice.loop import VoiceLoop
    from companion.voice.pace import RealPace, SimulatedPace
    from companion.voice.pressed_sound import PressedSound
    from companion.voice.wav_sound import WavSound
    from companion.voice.work import Work

    section, work = config.voice, Work()
    pace = SimulatedPace(work, clock) if isinstance(clock, ManualClock) else RealPace()
    source: LiveSound | WavSound
    if files is not None:
        source = WavSound(files.heard, files.spoken, pace)
        stack.push_async_callback(source.close)
    else:
        source = LiveSound(section)
        stack.push_async_callback(source.close)
        await source.start()
        missing += [_device(source, trouble) for trouble in source.troubles]
    sound = PressedSound(source)
    try:
        indicator = open_indicator(section)
    except SoundError as error:
        missing.append(Missing(NO_LAMP, str(error)))
        indicator = LogIndicator()
    stack.callback(indicator.close)
    loop = VoiceLoop(
        sound,
        parts,
        phases,
        section,
        persona_name=config.persona.name,
        work=work,
        now=pace.seconds,
        on_live=indicator.show,
    )
    if isinstance(source, WavSound):
        source.linger = lambda: not loop.idle
    if section.start == "push-to-talk":
        try:
            button = open_button(section)
        except SoundError as error:
            missing.append(Missing(NO_BUTTON, str(error)))
        else:
            stack.callback(button.close)
            sound.press(button, loop.attention)
    return loop
