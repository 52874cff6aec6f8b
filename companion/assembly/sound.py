"""The engines for sound.

A part that cannot be loaded does not end the program: it is named, and the rest goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

from companion.config import Config, VoiceSection
from companion.engines.sound.protocols import (
    EchoCanceller,
    Synthesizer,
    Transcriber,
    VoiceDetector,
    WakeWord,
)
from companion.errors import CompanionError
from companion.voice.parts import VoiceParts
from companion.weights.located import model_folder

T = TypeVar("T")


@asynccontextmanager
async def open_sound_engines(config: Config) -> AsyncIterator[VoiceParts]:
    """Every engine for sound that can be loaded. Raises nothing of its own."""
    missing: list[str] = []
    async with AsyncExitStack() as stack:

        async def part(what: str, load: Callable[[], Awaitable[T]]) -> T | None:
            try:
                engine = await load()
            except ImportError as error:
                missing.append(f"{what}: {error.name} is not installed: scripts/setup --voice")
                return None
            except CompanionError as error:
                missing.append(f"{what}: {error}")
                return None
            if isinstance(engine, Transcriber | Synthesizer):
                stack.push_async_callback(engine.close)
            return engine

        transcriber = await part("speech to text", lambda: load_transcriber(config))
        synthesizer = await part("text to speech", lambda: load_synthesizer(config))
        detector = await part("voice detection", load_detector)
        canceller = None
        if config.voice.echo == "cancel":
            canceller = await part("echo cancellation", load_canceller)
        wake_word = None
        if config.voice.start == "wake-phrase" and config.voice.wake_engine != "transcript":
            wake_word = await part("wake word", lambda: _wake_word(config.voice))
        yield VoiceParts(transcriber, synthesizer, detector, canceller, wake_word, tuple(missing))


async def load_transcriber(config: Config) -> Transcriber:
    """Raises ImportError, ModelFileError, EngineError."""
    from companion.engines.sound.whisper import Whisper

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


async def load_synthesizer(config: Config) -> Synthesizer:
    """Raises ImportError, ModelFileError, EngineError."""
    from companion.engines.sound.piper import Piper

    section = config.tts
    folder = await asyncio.to_thread(model_folder, section, config.models_dir)
    return await Piper.load(
        folder, name=section.model, threads=section.threads, speed=section.speed
    )


async def load_detector() -> VoiceDetector:
    """Raises ImportError, EngineError."""
    from companion.engines.sound.silero import Silero

    return Silero()


async def _wake_word(section: VoiceSection) -> WakeWord:
    from companion.engines.sound.wake_word import load_wake_word

    return await asyncio.to_thread(load_wake_word, section.wake_engine, section.wake_model)


async def load_canceller() -> EchoCanceller:
    """Raises ImportError."""
    from companion.engines.sound.webrtc_echo import WebRtcEcho

    return WebRtcEcho()
