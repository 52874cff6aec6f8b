"""What a talk says of things that were told before it: how the test went, that the trip is off.

Nothing is taken away for it. A correction that rules are sure of supersedes what it corrects
(`outdated`); most changes are told without one ("thirteen hubcaps!"), and no classifier that was
tried could be trusted with erasing by them (docs/experiments.md). So what goes on with a memory is
kept beside it, and is shown with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import apsw

from companion import language
from companion.acts.play import Play
from companion.consolidation.excerpts import line_before
from companion.consolidation.extract import MESSAGE_CHARACTERS
from companion.consolidation.report import Effects
from companion.engines.protocols import Embedder
from companion.language.types import Remark
from companion.recall import notes
from companion.recall.passages import LEFT_OUT, passage
from companion.records import FollowUp, Memory, Turn
from companion.safety.sanitize import without_instructions
from companion.store import follow_ups, history, memories, order, text_index
from companion.store.database import Store
from companion.store.follow_ups import Found
from companion.store.pending import Unit
from companion.store.turn_index import Vectors

LEAST = -2.6
"""Log odds from which a remark goes on with a memory (docs/experiments.md, "Said later")."""

NEAR = 12
"""Memories that a remark may go on with: so many by its meaning, by its meaning with the line
before it, and by its words."""

_SHOWN = 40
"""Words shown of a remark: a longer one is shown in part, in whole sentences."""

_ROWS = 64
"""How many pending rows are looked up at once."""

_HELD = 400
"""Memories whose sentences' vectors are held."""

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
    """A memory that a remark may go on with."""

    memory: Memory
    signs: Mapping[str, float]
    """What speaks for it, by name."""

    @property
    def odds(self) -> float:
        """Log odds that it does."""
        return _BIAS + sum(_WEIGHTS[name] * value for name, value in self.signs.items())


class FollowingUp:
    """The step `follow`: one turn."""

    name = "follow"

    def __init__(self, embedder: Embedder, store: Store, play: Play, min_confidence: float) -> None:
        """play: tells what is said in earnest. min_confidence: of a transcript that is read."""
        self._play = play
        self._min_confidence = min_confidence
        self._embedder = embedder
        self._store = store
        self._sentences: dict[int, Vectors] = {}
        """Of memories, during a run."""

    def pending(self, c: apsw.Connection) -> list[Unit]:
        units = follow_ups.unfollowed(c, _ROWS)
        if not units or len(self._sentences) > _HELD:
            self._sentences.clear()
        return units

    async def infer(self, unit: Unit) -> tuple[Found, ...]:
        session, number = unit
        turns = await self._store.read(_until, session, number)
        said = await self._play.earnest(turns, number)
        remark = remark_of(turns, number, said, self._min_confidence)
        if remark is None:
            return ()
        found, turn = [], turns[-1]
        for each in await self.candidates(turn, remark):
            if each.odds >= LEAST:
                later = _shown(turn, remark, each.memory)
                called_off = language.follow_up.calls_off(remark.text)
                moved = called_off or each.signs["other days"] > 0
                found.append(Found(each.memory.id, later, each.odds, moved))
        return tuple(found)

    def commit(self, c: apsw.Connection, unit: Unit, result: tuple[Found, ...]) -> Effects:
        follow_ups.add(c, result)
        follow_ups.mark_followed(c, *unit)
        return Effects()

    async def candidates(self, turn: Turn, remark: Remark) -> list[Candidate]:
        """Memories told before a turn that are near to what is said in it."""
        both = [remark.text, f"{remark.before} {remark.text}".strip()]
        near = await self._embedder.embed(both)
        found = await self._store.read(_near, turn, remark, near, self._embedder.name)
        judged = []
        for each in found:
            likeness = float((await self._told(each.memory) @ near.T).max())
            judged.append(replace(each, signs={**each.signs, "likeness": likeness}))
        return judged

    async def _told(self, memory: Memory) -> Vectors:
        """Of each sentence that a memory holds, alone and with the one before it."""
        if memory.id not in self._sentences:
            told = _told(memory)
            sentences = language.sentences.split(told.text) or [told.text]
            before = [told.before, *sentences]
            pairs = [f"{b} {s}".strip() for b, s in zip(before, sentences, strict=False)]
            vectors = await self._embedder.embed([*sentences, *pairs])
            self._sentences[memory.id] = vectors
        return self._sentences[memory.id]


def _until(c: apsw.Connection, session: str, number: int) -> list[Turn]:
    """The turns of a session up to one of them."""
    return [turn for turn in history.turns(c, session) if turn.number <= number]


def remark_of(
    turns: Sequence[Turn], number: int, said: str, min_confidence: float = 0.0
) -> Remark | None:
    """What the person says in a turn, with what the companion had said; None when that is nothing.
    turns: of its session, up to it at least; said: what of it is in earnest."""
    turn = next((each for each in turns if each.number == number), None)
    if turn is None or turn.user is None or turn.stopped is not None:
        return None
    if turn.user.confidence is not None and turn.user.confidence < min_confidence:
        return None
    said = without_instructions(said[:MESSAGE_CHARACTERS])
    if not language.follow_up.says_anything(said) or language.correction.withdraws(said):
        return None
    before = next((each for each in turns if each.number == number - 1), None)
    line = line_before(before) if before is not None and before.stopped is None else ""
    return Remark(said, line)


def _near(
    c: apsw.Connection, turn: Turn, remark: Remark, near: Vectors, embedder: str
) -> list[Candidate]:
    ids = [id for vector in near for id, _ in memories.nearest(c, vector, NEAR, embedder=embedder)]
    ids += [id for id, _ in memories.search(c, remark.text, NEAR)]
    here = order.place(c, turn.session, turn.number)
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
        signs = language.follow_up.signs(remark, _told(memory), rarity)
        signs["the same talk"] = float(there[0] == here[0])
        found.append(Candidate(memory, signs))
    return found


def _told(memory: Memory) -> Remark:
    """What a memory says, in the person's own words, and what these answered."""
    parts = language.excerpt.parts(memory.text)
    quotes = " ".join(dict.fromkeys(source.quote for source in memory.sources))
    if parts is None:
        return Remark(quotes, "")
    return Remark(f"{parts.earlier} {quotes}".strip(), parts.before)


def _shown(turn: Turn, remark: Remark, memory: Memory) -> FollowUp:
    assert turn.user is not None
    said = passage(remark.text, language.follow_up.things(memory.text), "", most=_SHOWN)
    line, begins = remark.before, not said.startswith(LEFT_OUT)
    needed = begins and (line.endswith("?") or language.excerpt.needs_line_before(said))
    said = notes.dated(said, turn.user.time, spans=False)
    text = language.excerpt.framed(said, line if needed else "")
    return FollowUp(turn.session, turn.number, text, turn.user.time)
