"""Answers questions about the world, where what people wrote is surely right (`facts`)."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from functools import lru_cache
from pathlib import Path

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.config import RepertoireSection
from companion.engines.embedding.probe import is_minilm
from companion.engines.protocols import Embedder
from companion.errors import InputError
from companion.repertoire import byte_vectors, facts
from companion.repertoire.byte_vectors import Bytes
from companion.repertoire.facts import SURE, SURER, Fact, Facts
from companion.repertoire.replies import Said, fresh
from companion.store.database import Store

logger = logging.getLogger(__name__)

ASKS = ("fact_question", "why_question")
MAY_ASK = 0.1
"""Probability of these acts from which words that show no question may be one."""

GOES_ON = 0.5
"""Least certainty of an answer to a question that goes on from the last one."""

MOST_WORDS = 10
"""Of a question that goes on from an answer."""

AS_TOY = 0.3
"""How likely a message may be about the toy and still ask about the world."""


class AboutWorld:
    """An `Answerer` of `companion.answering`. It keeps nothing but what was said within a week."""

    def __init__(
        self,
        section: RepertoireSection,
        name: str,
        embedder: Embedder,
        store: Store,
        clock: Clock,
        *,
        written: Callable[[Heard], Awaitable[Answer | None]] | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """name: the companion's own. written: what a pack has in nearly these words, which goes
        first: there stands what is hard to ask. chance: chooses among the answers."""
        self._written = written
        self._section = section
        self._name = name
        self._embedder = embedder
        self._clock = clock
        self._chance = chance or random.Random()
        self._said = Said(store)
        self._lock = asyncio.Lock()
        self._opened = False
        self._facts: Facts | None = None
        self._last = ("", "")
        """The last answer, and what it was about: words that were written, none of the child's."""

    async def open(self) -> None:
        """Read what is known; who does not call it waits with the first question. Raises
        EngineError."""
        async with self._lock:
            if self._opened:
                return
            if self._section.enabled and await is_minilm(self._embedder):
                self._facts = await read_facts(self._section.packs, self._embedder)
            self._opened = True

    def forget(self) -> None:
        """See `companion.answering.Forgets`."""
        self._said.forget()
        self._last = ("", "")

    async def answer(self, heard: Heard) -> Answer | None:
        """See `Answerer.answer`. Raises EngineError."""
        await self.open()
        if self._facts is None or not _to_the_point(heard.words):
            return None
        own = language.question.of_a_life(heard.words)
        likely = asks(heard) and not own and heard.reading.of("about_toy") < AS_TOY
        fact = await self._known(self._facts, heard.words, SURE if likely else SURER)
        if fact is None and (again := self._goes_on(heard)):
            fact = await self._known(self._facts, again, GOES_ON)
        if fact is None:
            return None
        if self._written is not None and (found := await self._written(heard)) is not None:
            return found
        now = self._clock.wall()
        answers = fresh(fact.entry.replies, await self._said.within_a_week(now))
        answer = self._chance.choice(answers)
        self._said.add(answer, now)
        self._last = answer, _topic(fact)
        sentences = tuple(language.sentences.split(answer))
        return Answer(sentences, "repertoire:fact", unless_known=own)

    async def _known(self, known: Facts, words: str, least: float) -> Fact | None:
        """The fact that surely answers. Raises EngineError."""
        near = await known.likeliest(words, self._name, self._embedder)
        return near[0][0] if near and near[0][1].certainty >= least else None

    def _goes_on(self, heard: Heard) -> str:
        """A short question that goes on from the last answer ("and do they sleep?"), with what that
        was about; "" where it is none."""
        answer, topic = self._last
        goes_on = answer != "" and topic != "" and heard.previous.startswith(answer)
        if not goes_on or not asks(heard):
            return ""
        short = len(heard.words.split()) <= MOST_WORDS
        return language.question.about(heard.words, topic) if short else ""


async def read_facts(folder: Path | None, embedder: Embedder) -> Facts | None:
    """What is shipped, and what the owner has in a folder; of that the vectors are computed. None:
    nothing. What is wrong with a file is logged. Raises EngineError."""
    try:
        known, rows = await asyncio.to_thread(_shipped, facts.SHIPPED, facts.VECTORS)
    except InputError as error:
        logger.error("no questions about the world are known: %s", error)
        known, rows = [], None
    if own := await asyncio.to_thread(_own, folder):
        vectors = byte_vectors.of(await embedder.embed(facts.texts(own)))
        rows = rows.joined(vectors) if rows else vectors
    return Facts([*known, *own], rows) if rows else None


def asks(heard: Heard) -> bool:
    """Whether a message may ask about the world."""
    return language.question.asking(heard.words) != "" or heard.reading.of(*ASKS) >= MAY_ASK


def _to_the_point(words: str) -> bool:
    """Whether a message may be one question with little around it: in a long telling something
    always sounds like one."""
    if language.claims.wants(words) is not None:
        return False
    said = language.sentences.split(words)
    asks = [language.question.asking(each) != "" for each in said]
    return len(said) <= 1 or asks[-1] or (len(said) == 2 and asks[0])


def _topic(fact: Fact) -> str:
    """The first word of its first wording that is needed."""
    needed = {word for each in fact.must[0] for word in each}
    return next((word for word in fact.entry.says[0].split() if word in needed), "")


@lru_cache(maxsize=1)
def _shipped(folder: Path, vectors: Path) -> tuple[list[Fact], Bytes]:
    """Read once for all dialogs of a process, as an evaluation opens one for each message."""
    known = facts.read_folder(folder)
    return known, byte_vectors.read(vectors, facts.texts(known))


def _own(folder: Path | None) -> list[Fact]:
    """What the owner has beside packs. What is wrong is logged."""
    known: list[Fact] = []
    for file in sorted(folder.expanduser().glob("*.jsonl")) if folder else []:
        try:
            known += facts.read_file(file)
        except InputError as error:
            logger.error("questions about the world are left out: %s", error)
    return known
