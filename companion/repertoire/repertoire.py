"""Answers a message with what people wrote, where it is sure; else lends examples to the model."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from companion import language
from companion.answering import Answer, Heard, Reading
from companion.clock import Clock
from companion.config import FamilySection, RepertoireSection
from companion.engines.heap import give_back
from companion.engines.protocols import Embedder, TextClassifier
from companion.errors import EngineError, InputError
from companion.repertoire import banks, fallback, order, packs, situations, uptake, vectors
from companion.repertoire.banks import Bank
from companion.repertoire.by_act import ByAct
from companion.repertoire.certainty import NEAR, SURE
from companion.repertoire.index import Index, Near
from companion.repertoire.limits import SAME, about_past, goes_on, stays_out
from companion.repertoire.listening import Listener
from companion.repertoire.nearest import nearest, shortest
from companion.repertoire.packs import Entry
from companion.repertoire.replies import Said, asks, choose
from companion.repertoire.situations import Placed, Situations
from companion.safety.classifier import Classifier
from companion.safety.wording import wording
from companion.store.database import Store

logger = logging.getLogger(__name__)

FAIRLY = 0.4
"""Least probability of an act for its exchanges to be lent."""

RATHER = 0.6
"""The same for them to go before what is near in a pack."""

PLAYED = ("pretend", "game_move", "tells_joke", "and_then")
"""Acts whose own exchanges go before what is near in a pack: in play nothing is meant as it is
said, and in a tale the way of answering counts, not the theme."""

CACHE = "repertoire.npz"
"""Vectors of the owner's own packs, in `models_dir`."""


class Repertoire:
    """One child's repertoire: an `Answerer` and `Examples` of `companion.answering`."""

    def __init__(
        self,
        section: RepertoireSection,
        family: FamilySection,
        name: str,
        embedder: Embedder,
        store: Store,
        clock: Clock,
        models_dir: Path,
        *,
        answers: bool = True,
        whole: TextClassifier | None = None,
        chance: random.Random | None = None,
    ) -> None:
        """name: the companion's own. answers: False: it only lends examples. whole: as the guard's
        classifier takes it. chance: chooses among the replies that fit."""
        self._whole = whole
        self._answers = answers
        self._section = section
        self._family = {f"santa-{family.santa}", f"fairy-{family.fairy}"}
        self._name = name
        self._embedder = embedder
        self._clock = clock
        self._cache = models_dir / CACHE
        self._chance = chance or random.Random()
        self._said = Said(store)
        self._lock = asyncio.Lock()
        self._opened = False
        self._completing: asyncio.Task[None] | None = None
        self._index: Index | None = None
        self._banks: dict[str, Bank] = {}
        self._opinions: dict[str, Entry] = {}
        self._listener: Listener | None = None
        self._chooses: ByAct | None = None
        self._situations: Situations | None = None
        self._fallback: dict[str, Entry] = {}
        self._guard: Classifier | None = None
        self._known = vectors.StoredVectors()
        """Of the exchanges of banks."""

    async def open(self) -> None:
        """Read the packs and their vectors. Vectors that no file holds are computed meanwhile, in
        the background: until they are there, it is silent. What is wrong with a pack is logged.
        Who does not call it waits with the first message."""
        async with self._lock:
            if self._opened:
                return
            self._opened = True
            if (ready := await self._read()) is None:
                return
            entries, known = ready
            self._banks = await asyncio.to_thread(banks.shipped)
            self._opinions = await asyncio.to_thread(banks.opinions)
            taking_up = await asyncio.to_thread(uptake.open_shipped, self._chance)
            self._listener = Listener(taking_up, self._embedder, self._chance)
            self._situations = await asyncio.to_thread(situations.open_shipped)
            if self._section.fallback:
                self._fallback = await asyncio.to_thread(fallback.shipped)
            if self._section.facts == "model":
                self._fallback.pop("fact_question", None)
            self._guard = await asyncio.to_thread(Classifier, self._embedder, whole=self._whole)
            self._chooses = ByAct(self._banks, self._name, self._section.facts)
            self._known = known.only(banks.texts(self._banks))
            if known.missing(packs.texts(entries)):
                self._completing = asyncio.create_task(self._complete(entries, known))
            else:
                self._index = await asyncio.to_thread(Index, entries, known.of)
                del ready, known
                give_back()

    def forget(self) -> None:
        """See `companion.answering.Forgets`."""
        self._said.forget()

    async def completed(self) -> None:
        """Wait until the vectors that were missing have been computed."""
        if self._completing is not None:
            await self._completing

    async def answer(self, heard: Heard) -> Answer | None:
        """See `Answerer.answer`. Raises EngineError."""
        if not self._answers:
            return None
        sure, said = await self._sure(heard), wording(heard.words, self._name)
        now = self._clock.wall()
        lately = await self._said.within_a_week(now) if heard.reading.act or sure else []
        if opinion := self._opinion(heard, sure, lately):
            return self._said_now(opinion, now)
        for near in sure:
            if (sentences := self._chosen(near.entry, heard, lately)) is not None:
                return self._said_now(Answer(sentences, "repertoire"), now)
        answer = await self._by_act(heard, said, lately)
        return self._said_now(answer, now) if answer else None

    async def in_these_words(self, heard: Heard) -> Answer | None:
        """An answer to what a pack has nearly in these words; None: it has not. Raises
        EngineError."""
        if not self._answers or not (sure := await self._sure(heard)):
            return None
        now = self._clock.wall()
        found = self._chosen(sure[0].entry, heard, await self._said.within_a_week(now))
        return self._said_now(Answer(found, "repertoire"), now) if found else None

    async def _sure(self, heard: Heard) -> list[Near]:
        """The entries that surely answer, the likeliest first."""
        found = await self._nearest(heard.words, heard.profile.age)
        sure = [near for near in found if near.certainty >= SURE]
        out = sure and stays_out(heard, sure[0], wording(heard.words, self._name))
        return [] if out else sure

    def _opinion(self, heard: Heard, sure: Sequence[Near], lately: Sequence[str]) -> Answer | None:
        """The toy's own taste, where it is asked for and no pack has these very words."""
        if not self._section.by_act or (sure and sure[0].likeness.cosine >= SAME):
            return None
        if heard.asks_memory:
            return None
        entry = self._opinions.get(language.opinions.asked(heard.words))
        found = self._chosen(entry, heard, lately) if entry else None
        return Answer(found, "repertoire:act") if found else None

    def _said_now(self, answer: Answer, now: datetime) -> Answer:
        self._said.add(" ".join(answer.sentences), now)
        return answer

    async def _by_act(self, heard: Heard, said: str, lately: Sequence[str]) -> Answer | None:
        """What is said to a message by what it surely does, or which situation it is of; None: it
        is not sure."""
        if not self._section.by_act or self._index is None or not self._chooses:
            return None
        if not heard.reading.act or self._guard is None or self._listener is None or not said:
            return None
        if heard.asks_memory:
            return None
        danger = (await self._guard.danger(heard.words)).unsafe
        entry = self._chooses.entry(heard, said)
        if entry and not order.is_safe(entry, danger):
            entry = None
        placed = await self._placed(heard, said)
        situation = placed.entry(danger) if placed else None
        by_act, by_situation = (entry, "repertoire:act"), (situation, "repertoire:situation")
        pair = (by_act, by_situation) if order.act_first(entry, said) else (by_situation, by_act)
        for each, by in pair:
            if each is not None and (found := self._chosen(each, heard, lately)):
                return Answer(found, by, unless_known=order.may_be_known(each, heard))
        rather = None
        if placed is not None and not order.closer(heard):
            rather = placed.entry(danger, situations.RATHER)
        if rather is not None and (found := self._chosen(rather, heard, lately)):
            known = order.may_be_known(rather, heard)
            return Answer(found, "repertoire:situation", unless_known=known)
        trouble = placed.trouble() if placed else 0.0
        if told := await self._listener.reply(heard, lately, danger=danger, trouble=trouble):
            return Answer(told, "repertoire:listening")
        entry = fallback.entry(self._fallback, heard, danger)
        said_so = self._chosen(entry, heard, lately) if entry else None
        return Answer(said_so, "repertoire:fallback", unless_known=True) if said_so else None

    async def _placed(self, heard: Heard, said: str) -> Placed | None:
        """None where nobody knows situations. Raises EngineError."""
        if self._situations is None:
            return None
        vector = (await self._embedder.embed_tokens([said]))[0].vector
        return self._situations.place(heard, said, vector)

    def _chosen(self, entry: Entry, heard: Heard, lately: Sequence[str]) -> tuple[str, ...] | None:
        ask = not asks(heard.previous)
        return choose(entry, heard.profile.name, lately, self._chance, ask=ask)

    async def near(self, heard: Heard) -> Sequence[tuple[str, str]]:
        """See `Examples.near`. Raises EngineError."""
        most = self._section.examples
        said = wording(heard.words, self._name)
        if not most or not said or goes_on(heard, said) or about_past(heard.words):
            return ()
        act = heard.reading.act
        if not (act in PLAYED and heard.reading.of(act) >= RATHER):
            found = await self._nearest(heard.words, heard.profile.age)
            ahead = (n for n in found if n.likeness.ahead_of_unlike >= 0)
            close = [n for n in ahead if n.likeness.cosine >= NEAR]
            if close:
                return [(near.wording, shortest(near.entry)) for near in close[:most]]
        return await self._of_bank(heard.reading, said, most)

    async def _of_bank(self, reading: Reading, said: str, most: int) -> Sequence[banks.Exchange]:
        """The nearest exchanges of the same act, where that is fairly sure."""
        bank = self._banks.get(reading.act)
        if bank is None or self._index is None or reading.of(reading.act) < FAIRLY:
            return ()
        vector = (await self._embedder.embed_tokens([said]))[0].vector
        return bank.nearest(vector, self._known, most)

    async def _nearest(self, words: str, age: int | None) -> list[Near]:
        """Raises EngineError."""
        await self.open()
        said = wording(words, self._name)
        if self._index is None or not said:
            return []
        return await nearest(self._index, self._embedder, said, age)

    async def _read(self) -> tuple[list[Entry], vectors.StoredVectors] | None:
        """The entries that may be said here, and the vectors that files hold; None where the
        embedder is another than the one that nearness was fitted for, or fails."""
        if not self._section.enabled:
            return None
        known = await asyncio.to_thread(vectors.read, vectors.SHIPPED)
        try:
            if not await vectors.suits(self._embedder, known):
                logger.info("the repertoire is silent: it needs the embedder minilm-int8")
                return None
        except EngineError as error:
            logger.error("the repertoire is silent: %s", error)
            return None
        entries = await asyncio.to_thread(self._entries)
        if known.missing(packs.texts(entries)):
            known = known.joined(await asyncio.to_thread(vectors.read, self._cache))
        return entries, known

    def _entries(self) -> list[Entry]:
        folders = [packs.SHIPPED, *([self._section.packs] if self._section.packs else [])]
        entries: list[Entry] = []
        for folder in folders:
            try:
                files = packs.files(folder)
            except InputError as error:
                logger.error("%s", error)
                continue
            for file in files:
                try:
                    entries += packs.read_file(file)
                except InputError as error:
                    logger.error("a pack is left out: %s", error)
        return [each for each in entries if each.family is None or each.family in self._family]

    async def _complete(self, entries: list[Entry], known: vectors.StoredVectors) -> None:
        texts = packs.texts(entries)
        missing = known.missing(texts)
        try:
            await known.complete(texts, self._embedder)
        except EngineError as error:
            logger.error("the repertoire is silent: %s", error)
            return
        self._index = await asyncio.to_thread(Index, entries, known.of)
        try:
            kept = vectors.read(self._cache).joined(known.only(missing))
            await asyncio.to_thread(kept.write, self._cache)
        except OSError as error:
            logger.error("%s: computed again at the next start: %s", self._cache, error.strerror)
