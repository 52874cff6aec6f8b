"""What a talk says of things that were told before it: how the test went, that the trip is off.

Nothing is taken away for it. A correction that rules are sure of supersedes what it corrects
(`outdated`); most changes are told without one ("thirteen hubcaps!"), and no classifier that was
tried could be trusted with erasing by them (docs/experiments.md). So what goes on with a memory is
kept beside it, and is shown with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import apsw

from companion import language
from companion.consolidation.excerpts import line_before
from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.language.types import Remark
from companion.recall import notes
from companion.records import FollowUp, Memory, Turn
from companion.safety.sanitize import without_instructions
from companion.store import follow_ups, history, memories, order, text_index
from companion.store.database import Store
from companion.store.follow_ups import Found
from companion.store.pending import Unit
from companion.store.turn_index import Vectors

LEAST = -2.4
"""Log odds from which a remark goes on with a memory (docs/experiments.md, "Said later")."""

NEAR = 12
"""Memories that a remark may go on with: so many by its meaning, by its meaning with the line
before it, and by its words."""

_SHOWN = 200
"""Characters shown of a remark: a longer one is shown in part, in whole sentences."""

_READ = 1200
"""Characters of a message that are read."""

_BIAS = -8.31
_WEIGHTS: Mapping[str, float] = {
    "asked about": 0.83,
    "changes": 0.34,
    "days": 1.26,
    "likeness": 7.61,
    "numbers": 0.61,
    "other days": -0.78,
    "other numbers": -0.66,
    "question": -0.81,
    "says little": -1.35,
    "shared": 1.00,
    "the same talk": -0.87,
}
"""Fitted by `scripts/fit_follow_ups.py`."""


@dataclass(frozen=True)
class Candidate:
    """A memory that a sentence may go on with."""

    memory: Memory
    part: int
    """Which sentence of its message it is."""

    signs: Mapping[str, float]
    """What speaks for it, by name."""

    @property
    def odds(self) -> float:
        """Log odds that it does."""
        return _BIAS + sum(_WEIGHTS[name] * value for name, value in self.signs.items())


@dataclass(frozen=True)
class Said:
    """What a person says in earnest in a turn."""

    turn: Turn
    parts: tuple[Remark, ...]
    """Sentence by sentence, each with what was said before it."""


class FollowingUp:
    """The step `follow`: one session."""

    name = "follow"

    def __init__(self, embedder: Embedder, store: Store, min_confidence: float) -> None:
        """min_confidence: of a transcript that is read."""
        self._min_confidence = min_confidence
        self._embedder = embedder
        self._store = store
        self._told: dict[int, Vectors] = {}

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return follow_ups.unfollowed(c)

    async def infer(self, unit: Unit) -> tuple[Found, ...]:
        self._told = {}
        turns = await self._store.read(history.turns, unit[0])
        found: list[Found] = []
        for each in said(turns, self._min_confidence):
            best: dict[int, Candidate] = {}
            for one in sorted(await self.candidates(each), key=lambda one: one.odds):
                best[one.memory.id] = one
            sure = (one for one in best.values() if one.odds >= LEAST)
            found += (_found(each, one) for one in sure)
        return tuple(found)

    def commit(self, c: apsw.Connection, unit: Unit, result: tuple[Found, ...]) -> Effects:
        follow_ups.add(c, result)
        follow_ups.mark_followed(c, unit[0])
        return Effects()

    async def candidates(self, said: Said) -> list[Candidate]:
        """Memories told before a turn that are near to a sentence of it."""
        texts = [each.text for each in said.parts]
        near = await self._embedder.embed([*texts, *map(_with_before, said.parts)])
        found = await self._store.read(_near, said, near, self._embedder.name)
        judged = []
        for each in found:
            both = near[[each.part, each.part + len(texts)]]
            likeness = float((await self._vectors(each.memory) @ both.T).max())
            judged.append(replace(each, signs={**each.signs, "likeness": likeness}))
        return judged

    async def _vectors(self, memory: Memory) -> Vectors:
        """Of each sentence that a memory holds, alone and with the one before it."""
        if memory.id not in self._told:
            parts = _parts(_told(memory))
            texts = [*(each.text for each in parts), *map(_with_before, parts)]
            self._told[memory.id] = await self._embedder.embed(texts)
        return self._told[memory.id]


def said(turns: Iterable[Turn], min_confidence: float = 0.0) -> list[Said]:
    """What the person says in earnest, turn by turn."""
    held = list(turns)
    found = []
    for turn in held:
        if turn.user is None or turn.stopped is not None:
            continue
        if turn.user.confidence is not None and turn.user.confidence < min_confidence:
            continue
        if language.pretend_play.is_play(held, turn.number):
            continue
        words = language.pretend_play.after_it_closes(held, turn.number)
        words = without_instructions(words[:_READ])
        if not words or language.correction.withdraws(words):
            continue
        before = next((each for each in held if each.number == turn.number - 1), None)
        line = line_before(before) if before is not None and before.stopped is None else ""
        found.append(Said(turn, _parts(Remark(words, line))))
    return found


def _parts(remark: Remark) -> tuple[Remark, ...]:
    texts = language.sentences.split(remark.text) or [remark.text]
    return tuple(map(Remark, texts, [remark.before, *texts]))


def _with_before(remark: Remark) -> str:
    return f"{remark.before} {remark.text}".strip()


def _near(c: apsw.Connection, said: Said, near: Vectors, embedder: str) -> list[Candidate]:
    ids = [id for vector in near for id, _ in memories.nearest(c, vector, NEAR, embedder=embedder)]
    for each in said.parts:
        ids += [id for id, _ in memories.search(c, each.text, NEAR)]
    here = order.place(c, said.turn.session, said.turn.number)
    rarities: dict[str, float] = {}

    def rarity(word: str) -> float:
        if word not in rarities:
            [rarities[word]] = text_index.rarity(c, "turn_index", [word])
        return rarities[word]

    found = []
    for memory in memories.get_all(c, ids).values():
        there = order.latest(c, memory.sources)
        if memory.told_by_parent or not memory.sources or there >= here:
            continue
        told, same = _told(memory), float(there[0] == here[0])
        for number, part in enumerate(said.parts):
            signs = language.follow_up.signs(part, told, rarity)
            found.append(Candidate(memory, number, {**signs, "the same talk": same}))
    return found


def _told(memory: Memory) -> Remark:
    """What a memory says, in the person's own words, and what these answered."""
    parts = language.excerpt.parts(memory.text)
    quotes = " ".join(dict.fromkeys(source.quote for source in memory.sources))
    if parts is None:
        return Remark(quotes, "")
    return Remark(f"{parts.earlier} {quotes}".strip(), parts.before)


def _found(said: Said, one: Candidate) -> Found:
    turn, words = said.turn, said.parts[one.part].text
    assert turn.user is not None
    text, whole = _around(said.parts, one.part)
    line = said.parts[0].before
    needed = whole and (line.endswith("?") or language.excerpt.needs_line_before(text))
    text = notes.dated(text, turn.user.time, spans=False)
    text = language.excerpt.framed(text, line if needed else "")
    later = FollowUp(turn.session, turn.number, text, turn.user.time)
    moved = language.follow_up.calls_off(words) or one.signs["other days"] > 0
    return Found(one.memory.id, later, one.odds, moved)


def _around(parts: Sequence[Remark], number: int) -> tuple[str, bool]:
    """As many whole sentences as are shown, around one of them; and whether the first is among
    them."""
    lengths = [len(each.text) + 1 for each in parts]
    first = last = number
    left = _SHOWN - lengths[number]
    while True:
        if last + 1 < len(parts) and lengths[last + 1] <= left:
            last += 1
            left -= lengths[last]
        elif first and lengths[first - 1] <= left:
            first -= 1
            left -= lengths[first]
        else:
            return " ".join(each.text for each in parts[first : last + 1]), first == 0
