"""The engines that play scenarios, loaded once: real ears, a real voice, a tiny model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import onnxruntime

from companion import config
from companion.assembly.missing import Fail
from companion.assembly.models import open_models
from companion.assembly.sound import open_sound_engines
from companion.config import Config, LlmPair, LlmSection
from companion.engines.protocols import Embedder, LanguageModel
from companion.engines.sound.protocols import Samples, Synthesizer, Transcriber
from companion.weights.located import model_folder
from tests.voice.actors import Actors


@dataclass(frozen=True)
class Engines:
    """What scenarios share."""

    actors: Actors
    transcriber: Transcriber
    synthesizer: Synthesizer
    llm: LanguageModel
    """SmolLM2 135M: fluent nonsense."""
    embedder: Embedder


class Rehearsed:
    """A Synthesizer that reads every clause once and knows it by heart from then on."""

    def __init__(self, voice: Synthesizer) -> None:
        self._voice = voice
        self._known: dict[tuple[str, float], Samples] = {}

    @property
    def name(self) -> str:
        return self._voice.name

    async def synthesize(self, text: str, pace: float = 1.0) -> Samples:
        if (text, pace) not in self._known:
            self._known[text, pace] = await self._voice.synthesize(text, pace)
        return self._known[text, pace]

    async def close(self) -> None:
        await self._voice.close()


@asynccontextmanager
async def engines(
    stt: str = "whisper-tiny.en", *, rehearsed: bool = False
) -> AsyncIterator[Engines]:
    """All of them. rehearsed: where it does not matter how long the voice takes.
    Raises ModelFileError: scripts/test fetches every model that tests need."""
    onnxruntime.set_seed(1)  # The companion's own voice has a random part, too.
    own = Config(
        models_dir=config.load().models_dir,
        llm=LlmPair(active=LlmSection(model="smollm2-135m", context_tokens=2048)),
    )
    own = own.model_copy(update={"stt": own.stt.model_copy(update={"model": stt})})
    folder = model_folder(own.tts, own.models_dir)
    async with AsyncExitStack() as stack:
        llm = await stack.enter_async_context(open_models(own, Fail()))
        parts = await stack.enter_async_context(open_sound_engines(own))
        assert not parts.missing, parts.missing
        assert parts.transcriber is not None
        assert parts.synthesizer is not None
        voice = Rehearsed(parts.synthesizer) if rehearsed else parts.synthesizer
        yield Engines(Actors(folder), parts.transcriber, voice, llm.active, llm.embedder)
