"""The composition point of ears and mouth: from a configuration to the engines for sound.

A part that cannot be loaded does not end the program: it is named, and the rest goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from companion.config import Config, VoiceSection
from companion.engines.sound_protocols import (
    EchoCanceller,
    Synthesizer,
    Transcriber,
    VoiceDetector,
    WakeWord,
)
from companion.errors import CompanionError
from companion.weights.located import model_folder


class _Closes(Protocol):
    async def close(self) -> None: ...


T = TypeVar("T")
C = TypeVar("C", bound=_Closes)


@dataclass(frozen=True)
class VoiceParts:
    """What is there to hear and speak with."""

    transcriber: Transcriber | None
    synthesizer: Synthesizer | None
    detector: VoiceDetector | None
    canceller: EchoCanceller | None
    """None also where the configuration wants none (`voice.echo`)."""

    wake_word: WakeWord | None = None
    """None where wake phrases are looked for in transcripts."""

    missing: tuple[str, ...] = ()
    """One line for each part that should be there and is not: which, why, and what mends it."""


@asynccontextmanager
async def voice(config: Config) -> AsyncIterator[VoiceParts]:
    """Every engine for sound that can be loaded. Raises nothing of its own."""
    missing: list[str] = []
    async with AsyncExitStack() as stack:

        async def part(what: str, load: Callable[[], Awaitable[T]]) -> T | None:
            try:
                return await load()
            except ImportError as error:
                missing.append(f"{what}: {error.name} is not installed: scripts/setup --voice")
            except CompanionError as error:
                missing.append(f"{what}: {error}")
            return None

        def owned(engine: C | None) -> C | None:
            if engine is not None:
                stack.push_async_callback(engine.close)
            return engine

        transcriber = owned(await part("speech to text", lambda: _transcriber(config)))
        synthesizer = owned(await part("text to speech", lambda: _synthesizer(config)))
        detector = await part("voice detection", _detector)
        canceller = None
        if config.voice.echo == "cancel":
            canceller = await part("echo cancellation", _canceller)
        wake_word = None
        if config.voice.start == "wake-phrase" and config.voice.wake_engine != "transcript":
            wake_word = await part("wake word", lambda: _wake_word(config.voice))
        yield VoiceParts(transcriber, synthesizer, detector, canceller, wake_word, tuple(missing))


async def _transcriber(config: Config) -> Transcriber:
    from companion.engines.whisper import Whisper

    folder = await asyncio.to_thread(model_folder, config.stt, config.models_dir)
    return await Whisper.load(
        folder, name=config.stt.model, threads=config.stt.threads, expects=expected_words(config)
    )


def expected_words(config: Config) -> str:
    """What the transcriber should know of a wake phrase: a short name is written right in 41 of 42
    calls then, else in 6 (docs/results.md)."""
    if config.voice.start != "wake-phrase":
        return ""
    phrases = config.voice.called_by(config.persona.name)
    return " ".join(f"{phrase[:1].upper()}{phrase[1:]}." for phrase in phrases)


async def _synthesizer(config: Config) -> Synthesizer:
    from companion.engines.piper import Piper

    section = config.tts
    folder = await asyncio.to_thread(model_folder, section, config.models_dir)
    return await Piper.load(
        folder, name=section.model, threads=section.threads, speed=section.speed
    )


async def _detector() -> VoiceDetector:
    from companion.engines.silero import Silero

    return Silero()


async def _wake_word(section: VoiceSection) -> WakeWord:
    from companion.engines.wake_word import load_wake_word

    return await asyncio.to_thread(load_wake_word, section.wake_engine, section.wake_model)


async def _canceller() -> EchoCanceller:
    from companion.engines.webrtc_echo import WebRtcEcho

    return WebRtcEcho()
