"""What hears and speaks, as far as it is there. The only place where the daemon meets sound."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from companion.clock import Clock
from companion.config import Config
from companion.daemon.missing import Missing
from companion.phases import Phases

CANNOT_HEAR_OR_SPEAK = "I can't hear or speak right now."
CANNOT_HEAR = "I can't hear you right now."
CANNOT_SPEAK = "I can't speak right now."
HEARS_ITSELF = "I may hear myself."


class Voice(Protocol):
    """The voice loop as the daemon sees it; see `companion.voice.loop`."""

    frames: int
    """Heard so far."""

    async def run(self) -> None:
        """Until the sound ends or it is cancelled; then quiet within 1 s, the turn committed."""

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

    On a clock that moves only when told, sound moves it, as fast as the engines can.
    missing: takes what is not there. Raises InputError for a file that cannot be used.
    """
    try:
        from companion.voice.loop import VoiceLoop
        from companion.voice.pace import RealPace, SimulatedPace
        from companion.voice.work import Work
    except ImportError as error:
        missing.append(
            Missing(CANNOT_HEAR_OR_SPEAK, f"{error.name} is not installed: scripts/setup --voice")
        )
        yield None
        return
    work = Work()
    pace = SimulatedPace(work, clock) if isinstance(clock, ManualClock) else RealPace()
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(runtime_voice.voice(config))
        missing += _lacking(parts)
        if parts.transcriber is None and parts.synthesizer is None:
            yield None
            return
        sound: Sound
        if files is None:
            from companion.voice.live_sound import LiveSound

            sound = LiveSound(config.voice)
            stack.push_async_callback(sound.close)
            await sound.start()
            missing += [Missing(CANNOT_HEAR, trouble) for trouble in sound.troubles]
        else:
            sound = wav = WavSound(files.heard, files.spoken, pace)
            stack.push_async_callback(sound.close)
        loop = VoiceLoop(
            sound,
            parts,
            phases,
            config.voice,
            persona_name=config.persona.name,
            work=work,
            now=pace.seconds,
            on_live=_tell_live,
        )
        if files is not None:
            wav.linger = lambda: not loop.idle
        yield loop


def _lacking(parts: VoiceParts) -> list[Missing]:
    """One line for all engines that are not there."""
    if not parts.missing:
        return []
    deaf = parts.transcriber is None or parts.detector is None
    mute = parts.synthesizer is None
    line = {
        (True, True): CANNOT_HEAR_OR_SPEAK,
        (True, False): CANNOT_HEAR,
        (False, True): CANNOT_SPEAK,
        (False, False): HEARS_ITSELF,
    }[deaf, mute]
    return [Missing(line, "; ".join(parts.missing))]


def _tell_live(live: bool) -> None:
    logger.info("microphone %s", "live" if live else "off")
