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
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import zip_longest

import apsw

from companion import language
from companion.answering import Answer, Heard
from companion.clock import Clock
from companion.dialog import replies
from companion.engines.protocols import Embedder
from companion.errors import EngineError, StoreFailing
from companion.recall.protocol import TurnKey
from companion.records import Memory, Source, Turn
from companion.safety.health import Health, Telling
from companion.safety.verdict import Verdict
from companion.store import corrections, history, memories
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_SAID = 3
"""Of what was told, where somebody asks what does them harm."""


@dataclass(frozen=True)
class _Told:
    """Something that was told."""

    words: str
    memory: int | None = None
    """None: the disk failed, and it is only in RAM; or it stands in a turn of the log."""

    own: bool = True
    """Whether it is of the person, not of somebody else. What names nobody ("he can't have
    penicillin") counts as the person's: it may be their parent who speaks."""


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
        self._to_confirm: _Told | None = None
        self._in_ram: list[_Told] = []

    async def answer(self, heard: Heard) -> Answer | None:
        """The fixed reply to a message that tells of something, takes it back, or meets what was
        told of."""
        sentences = await self._sentences(heard.words, heard.turn, heard.asks_memory)
        return Answer(tuple(sentences), "health") if sentences else None

    async def _sentences(self, words: str, turn: TurnKey | None, asks_memory: bool) -> list[str]:
        """turn: where the words are stored; None: nothing is to be noted."""
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
            if said := await self._note(telling, turn, known):
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

    async def _all_told(self, words: str, known: Sequence[_Told]) -> list[str]:
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

    async def _known(self, turn: TurnKey | None) -> tuple[bool, list[_Told]]:
        """What was told before `turn`, newest first, and whether the store could be read for it."""
        in_ram = list(reversed(self._in_ram))
        try:
            return True, in_ram + await self._store.read(_told, turn, self._clock.wall())
        except StoreFailing as error:
            logger.error("what must not be eaten cannot be read: %s", error)
            return False, in_ram

    async def _note(self, telling: Telling, turn: TurnKey, known: Sequence[_Told]) -> list[str]:
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
        told = _Told(words, memory, own or not _people(words))
        if memory is None:
            self._in_ram.append(told)
        if not own:
            return []
        self._to_confirm = told
        said = [replies.is_that_right(words)]
        return [*said, replies.ASK_A_GROWN_UP] if language.dietary.asks_leave(words) else said

    async def _forget(self, told: _Told) -> None:
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
            if (held & _named(said) if _named(said) else language.dietary.shared_words(asked, said))
        ]
    if not told:
        return []
    nearest = max(told, key=lambda said: language.dietary.shared_words(asked, said))
    best = _to_you(nearest)
    food = language.health.is_food(_named(nearest))
    eats = food or language.health.eats(language.health.plain(words))
    return [
        replies.you_told_me(best),
        replies.ASK_A_GROWN_UP if eats else replies.ASK_A_GROWN_UP_FIRST,
    ]


def _people(words: str) -> frozenset[str]:
    """Whom words mention; an EpiPen is nobody."""
    flags, plain = language.health.flags, language.health.plain
    found = language.people.mentioned(words)
    return frozenset(each for each in found if not flags(plain(each))["condition"])


def _speaks_of(words: str, told: str) -> bool:
    """Whether words name somebody of whom it was told: a friend's allergy is no matter at home."""
    return not _people(words).isdisjoint(_people(told))


def _names_food(words: str, told: str) -> bool:
    """Whether words name a food that was told of: "what did I say about me and peanut butter?"."""
    named = _named(words) & _named(told)
    return bool(named) and language.health.is_food(named)


def _to_you(said: str) -> str:
    return language.second_person.in_second_person(said.strip(" .,;:!?"))


def _same(words: str, known: str) -> bool:
    """Whether two tellings name the same things."""
    here, there = _named(words), _named(known)
    return here <= there if here else words == known


def _named(words: str) -> frozenset[str]:
    """The things that are named."""
    return frozenset(language.health.find(language.health.plain(words)).named)


def _told(c: apsw.Connection, now: TurnKey | None, wall: datetime) -> list[_Told]:
    """What was told before turn `now`, in the words of those who told it, newest first: in
    memories, and in turns that no night has gone over, which may be older than this way of noting.
    """
    found = [each for each in memories.for_good(c) if each.sources and _of_health(each)]
    known = [each for each in found if _holds(each, wall)]
    cited = [_Told(_words(each), each.id, _own(each)) for each in known]
    right = corrections.turns(c)
    waiting = [each.id for each in history.sessions(c) if not each.consolidated]
    turns = [turn for session in waiting for turn in history.turns(c, session)]
    turns = [turn for turn in turns if (turn.session, turn.number) not in {now, *right}]
    said = [_Told(words) for words in reversed(_in_turns(turns))]
    told: dict[str, _Told] = {}
    for each in (*said, *cited):
        told.setdefault(each.words, each)
    return list(told.values())


def _holds(memory: Memory, wall: datetime) -> bool:
    """Whether it is likely to be so still: a broken arm heals, and is no matter next year."""
    days = language.health.days(_named(_words(memory)))
    return days is None or wall - memory.created <= timedelta(days=days)


def _own(memory: Memory) -> bool:
    """See `_Told.own`."""
    of_another = replies.of_another(memory.text)
    return not of_another or not _people(_words(memory))


def _words(memory: Memory) -> str:
    """Those of who told it: the person, or the parent who put it right."""
    if memory.told_by_parent:
        return replies.health_words(memory.text)
    return memory.sources[0].quote


def _of_health(memory: Memory) -> bool:
    return memory.kind == "health" or language.dietary.user_cannot_eat(memory.text)


def _in_turns(turns: Sequence[Turn]) -> list[str]:
    """The sentences of turns that say it by the tables alone, but for what was taken back."""
    said: list[str] = []
    for turn, after in zip_longest(turns, turns[1:]):
        if turn.user is None or turn.stopped is not None:
            continue
        confirmed = turn.reply is not None and replies.asks_if_right(turn.reply.text)
        answer = after.user.text if after is not None and after.user is not None else ""
        if not (confirmed and language.health.takes_back(answer)):
            sentences = language.sentences.split(turn.user.text)
            said += [each for each in sentences if language.dietary.says_cannot_eat(each)]
    return said


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
