"""Reads messages with an embedder: `companion.answering.ReadsActs`."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from companion import language
from companion.acts import classifier
from companion.acts.classifier import Classifier
from companion.acts.memory_questions import MemoryQuestions
from companion.answering import UNREAD, Reading
from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.safety.wording import wording

logger = logging.getLogger(__name__)


class ActReader:
    """One toy's. The message's vector is the one that the repertoire looks for, so that an embedder
    that remembers computes it once; that of the toy's last words costs one embedding more."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        """name: the toy's own."""
        self._embedder = embedder
        self._name = name
        self._lock = asyncio.Lock()
        self._opened = False
        self._classifier: Classifier | None = None
        self._memory_questions = MemoryQuestions(embedder, name)

    async def read(self, words: str, previous: str) -> Reading:
        """See `ReadsActs.read`."""
        said = wording(words, self._name)
        if not said:
            return UNREAD
        last = last_sentences(previous)
        try:
            await self._open()
            if self._classifier is None:
                return UNREAD
            found = await self._embedder.embed_tokens([said, *([last] if last else [])])
            asks = await self._memory_questions.probability(words)
        except EngineError as error:
            logger.error("what a message does is not known: %s", error)
            return UNREAD
        vector, before = found[0].vector, found[1].vector if last else None
        reading = self._classifier.reading(words, said, vector, previous, before, self._name)
        return replace(reading, memory_question=asks)

    async def _open(self) -> None:
        """Raises EngineError."""
        async with self._lock:
            if self._opened:
                return
            known = await asyncio.to_thread(classifier.read)
            vector = (await self._embedder.embed([PROBE]))[0]
            self._opened = True
            if known.suits(vector):
                self._classifier = known
            else:
                logger.info("what a message does is not read: that needs the embedder minilm-int8")


def last_sentences(previous: str) -> str:
    """The end of what the toy said, which the person answers: at most two sentences."""
    return " ".join(language.sentences.split(previous)[-2:])
