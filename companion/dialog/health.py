"""Allergies, health and diets are not left to the model: what was told is noted at once and said
back, and talk of eating, touching or coming near it is answered in code.

Even with "I can't drink milk" in its prompt, a 1.5B model still said yes to a milkshake, however
the note was worded. So the reply repeats what the person said and leaves the decision to a
grown-up. What is told becomes a memory of kind `health`, which never fades, in the turn in which it
is told: no filter and no model stand between, and no night has to come first.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import apsw

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.dialog import replies
from companion.dialog.told_health import Told, people, things_named, told_before
from companion.engines.protocols import Embedder
from companion.errors import EngineError, StoreFailing
from companion.recall.protocol import TurnKey
from companion.records import Source
from companion.safety.health import Health, Telling
from companion.safety.verdict import Verdict
from companion.store import memories
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_SAID = 3
"""Of what was told, where somebody asks what does them harm."""


class HealthWatch:
    """What one person has told of what they must not have, touch or do."""

    def __init__(
        self, store: Store, clock: Clock, embedder: Embedder, health: Health | None = None
    ) -> None:
        """health: reads the words; None: by regressions alone."""
        self._store = store
        self._clock = clock
        self._embedder = embedder
        self._health = health or Health(embedder)
        self._to_confirm: Told | None = None
        self._in_ram: list[Told] = []

    async def answer(self, heard: Heard) -> Answer | None:
        """The fixed reply to a message that tells of something, takes it back, or meets what was
        told of."""
        sentences = await self._sentences(heard)
        return Answer(tuple(sentences), "health") if sentences else None

    async def _sentences(self, heard: Heard) -> list[str]:
        words, turn, asks_memory = heard.words, heard.turn, heard.asks_memory
        asked, self._to_confirm = self._to_confirm, None
        if asked is not None and language.health.takes_back(words):
            await self._forget(asked)
            return [replies.TAKEN_BACK]
        stored, known = await self._known(turn)
        if known and await self._health.asks(words):
            return await self._all_told(words, known)
        eats = language.health.eats(language.health.plain(words))
        if not stored and eats and not self._in_ram:
            return [replies.ASK_A_GROWN_UP]
        if turn is not None and (telling := await self._health.tells(words)) is not None:
            own = _of_speaker(telling, heard.profile.name)
            if said := await self._note(own, turn, known):
                return said
            if not language.dietary.asks_leave(words):
                return []
        near = [each.words for each in known if each.own or _speaks_of(words, each.words)]
        met = await self._health.met(words, near)
        if asks_memory:
            met += [told for told in near if told not in met and _names_food(words, told)]
        return _reminder(words, met, asks_memory)

    def forget(self) -> None:
        """See `companion.answering.Forgets`."""
        self._to_confirm, self._in_ram = None, []

    async def stopped(self, words: str, turn: TurnKey | None, verdict: Verdict) -> Verdict:
        """The verdict on a message that a guard took for an emergency ("when I eat prawns I can't
        breathe"), or cared about without knowing why ("i cant eat walnuts they make my lips big").
        What it tells is noted. Where it asks what does one harm, and the guard only cares, what
        was told is said after the guard's own words."""
        if turn is None:
            return verdict
        if await self._health.asks(words) and verdict.cares:
            _, known = await self._known(turn)
            told = await self._all_told(words, known)
            verdict = replace(verdict, reply=(*verdict.reply, *told))
            asked = language.question.asking(words)
            if asked.endswith("?"):  # it tells nothing itself
                words = max(words.partition(asked)[::2], key=len).strip()
        if words and (telling := await self._health.tells(words)) is not None:
            await self._note(telling, turn, [])
            self._to_confirm = None
        return verdict

    async def _all_told(self, words: str, known: Sequence[Told]) -> list[str]:
        """What somebody told of themselves, where they ask what does them harm: what is nearest to
        the words first."""
        own = [each.words for each in known if each.own]
        try:
            asked, *told = await self._embedder.embed([words, *own])
            near = sorted(zip(own, told, strict=True), key=lambda each: -float(each[1] @ asked))
            own = [each for each, _ in near]
        except EngineError:
            pass  # then the newest first
        return [replies.you_told_me(_to_you(each)) for each in own[:MOST_SAID]]

    async def _known(self, turn: TurnKey | None) -> tuple[bool, list[Told]]:
        """What was told before `turn`, newest first, and whether the store could be read for it."""
        in_ram = list(reversed(self._in_ram))
        try:
            found = await self._store.read(told_before, turn, self._clock.wall())
            return True, in_ram + [each for each in found if await self._tells(each)]
        except StoreFailing as error:
            logger.error("what must not be eaten cannot be read: %s", error)
            return False, in_ram

    async def _tells(self, each: Told) -> bool:
        return each.noted or await self._health.tells(each.words) is not None

    async def _note(self, telling: Telling, turn: TurnKey, known: Sequence[Told]) -> list[str]:
        """Keep it, and ask whether it was understood; empty when it was known, or is another's."""
        words, own = telling.words, telling.whose == "own"
        if any(_same(words, each.words) for each in known):
            return []
        text = replies.health_memory(words, own=own)
        try:
            memory = await self._store.write(
                _add, text, Source(*turn, words), self._embedder.name, self._clock
            )
        except StoreFailing as error:
            logger.error("what was told of health is not stored yet: %s", error)
            memory = None
        told = Told(words, memory, own=own or not people(words))
        if memory is None:
            self._in_ram.append(told)
        if not own:
            return []
        self._to_confirm = told
        said = [replies.is_that_right(words)]
        return [*said, replies.ASK_A_GROWN_UP] if language.dietary.asks_leave(words) else said

    async def _forget(self, told: Told) -> None:
        if told.memory is None:
            self._in_ram.remove(told)
            return
        try:
            await self._store.write(_remove, told.memory)
        except StoreFailing as error:
            logger.error("what was taken back is not removed yet: %s", error)


def _reminder(words: str, told: Sequence[str], asks_memory: bool) -> list[str]:
    """What was told is said back: what names the same things best, else the newest. asks_memory:
    nothing that names none of the things, which recall answers better."""
    asked = [word.lower() for word in language.question.content_words(words)]
    if asks_memory:
        held = language.health.find(language.health.plain(words)).held
        told = [
            said
            for said in told
            if (
                held & things_named(said)
                if things_named(said)
                else language.dietary.shared_words(asked, said)
            )
        ]
    if not told:
        return []
    nearest = max(told, key=lambda said: language.dietary.shared_words(asked, said))
    best = _to_you(nearest)
    food = language.health.is_food(things_named(nearest))
    eats = food or language.health.eats(language.health.plain(words))
    return [
        replies.you_told_me(best),
        replies.ASK_A_GROWN_UP if eats else replies.ASK_A_GROWN_UP_FIRST,
    ]


def _of_speaker(telling: Telling, name: str | None) -> Telling:
    """As one's own, where nobody is named but who speaks: "Wyatt can't have cashews" is said to
    Wyatt's toy by a parent."""
    named = {each.casefold() for each in people(telling.words)}
    return replace(telling, whose="own") if name and named == {name.casefold()} else telling


def _speaks_of(words: str, told: str) -> bool:
    """Whether words name somebody of whom it was told: a friend's allergy is no matter at home."""
    said = {*map(str.casefold, people(words)), *language.health.plain(words).split()}
    return not said.isdisjoint(map(str.casefold, people(told)))


def _names_food(words: str, told: str) -> bool:
    """Whether words name a food that was told of: "what did I say about me and peanut butter?"."""
    named = things_named(words) & things_named(told)
    return bool(named) and language.health.is_food(named)


def _to_you(said: str) -> str:
    return language.second_person.in_second_person(said.strip(" .,;:!?"))


def _same(words: str, known: str) -> bool:
    """Whether two tellings name the same things."""
    here, there = things_named(words), things_named(known)
    return here <= there if here else words == known


def _add(c: apsw.Connection, text: str, source: Source, embedder: str, clock: Clock) -> int:
    return memories.add(
        c,
        text,
        kind="health",
        sources=[source],
        vector=None,
        embedder=embedder,
        now=clock.wall(),
    )


def _remove(c: apsw.Connection, memory: int) -> None:
    if memories.get(c, memory) is not None:
        memories.remove(c, memory)
