"""What is kept of a life, against what should be: counted by keywords, no judge.

A memory tells a fact by its text and the day that it bears; name, age and gender are known from the
profile. Quotes count apart: in one that is garbled, the words that were said are still right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.evaluation.lives import Fact, Gold
from companion.records import Memory, Profile, Source, Turn

PROFILE = "profile"
"""Stands for a memory's id where the profile tells a fact."""


@dataclass(frozen=True)
class Kept:
    """What a store holds of a person."""

    memories: Sequence[Memory]
    """The active ones."""

    profile: Profile
    turns: Mapping[tuple[str, int], Turn] = field(default_factory=dict)
    """What was said, by session and number."""

    def around(self, source: Source) -> list[dict[str, Any]]:
        """`{turn, role, text}` of the cited exchange, of the one before it and of the one after."""
        near = [
            self.turns.get((source.session, number))
            for number in range(source.turn - 1, source.turn + 2)
        ]
        return [
            {"turn": turn.number, "role": message.role, "text": message.text}
            for turn in near
            if turn is not None
            for message in (turn.user, turn.reply)
            if message is not None
        ]

    def telling(self, fact: Fact) -> list[int | str]:
        """The ids of those that tell it."""
        found: list[int | str] = [each.id for each in self.memories if fact.told_by(said(each))]
        return found + [PROFILE] * fact.told_by(core(self.profile))

    def quoting(self, fact: Fact) -> bool:
        """Whether some memory tells it, or quotes words that do."""
        return any(fact.told_by(f"{said(each)} {quote(each)}") for each in self.memories)


def said(memory: Memory) -> str:
    """A memory as it is compared: its text, and its day as an ISO date."""
    return memory.text if memory.event_time is None else f"{memory.text} ({memory.event_time})"


def quote(memory: Memory) -> str:
    """The words that it was made from; those of several messages are divided by an ellipsis."""
    return " … ".join(source.quote for source in memory.sources)


def core(profile: Profile) -> str:
    """Name, age and gender, as far as they are known, in a line."""
    known = (("name", profile.name), ("age", profile.age), ("gender", profile.gender))
    return "; ".join(f"{item}: {value}" for item, value in known if value is not None)


def compare(gold: Gold, kept: Kept) -> dict[str, Any]:
    """`{kept, facts, traps, profile, memories, gold}` of `companion eval memories --json`."""
    current, traps = gold.current, gold.traps
    telling = {id: kept.telling(fact) for id, fact in {**current, **traps}.items()}
    quoted = sum(kept.quoting(fact) or bool(telling[id]) for id, fact in current.items())
    lasting = [id for id, fact in current.items() if fact.lasting]
    return {
        "kept": len(kept.memories),
        "facts": {
            "n": len(current),
            "found": _told(current, telling),
            "found_or_quoted": quoted,
            "lasting": {"n": len(lasting), "found": _told(lasting, telling)},
        },
        "traps": {
            "n": len(traps),
            "stored": _told(traps, telling),
            "by_status": _by_status(traps, telling),
        },
        "profile": {
            "name": kept.profile.name,
            "age": kept.profile.age,
            "gender": kept.profile.gender,
        },
        "memories": [_memory(each, kept, telling) for each in kept.memories],
        "gold": [
            {"id": id, "text": fact.text, "status": fact.status, "lasting": fact.lasting,
             "told_by": telling[id]}
            for id, fact in {**current, **traps}.items()
        ],
    }  # fmt: skip


def _told(ids: Sequence[str] | Mapping[str, Fact], telling: Mapping[str, Sequence[object]]) -> int:
    return sum(bool(telling[id]) for id in ids)


def _by_status(
    traps: Mapping[str, Fact], telling: Mapping[str, Sequence[object]]
) -> dict[str, dict[str, int]]:
    there = Counter(fact.status for fact in traps.values())
    stored = Counter(fact.status for id, fact in traps.items() if telling[id])
    return {status: {"n": n, "stored": stored[status]} for status, n in there.items()}


def _memory(
    memory: Memory, kept: Kept, telling: Mapping[str, Sequence[int | str]]
) -> dict[str, Any]:
    return {
        "id": memory.id,
        "text": memory.text,
        "event_time": memory.event_time,
        "later": [
            {"said": each.said.date().isoformat(), "text": each.text} for each in memory.later
        ],
        "quote": quote(memory),
        "kind": memory.kind,
        "sources": [
            {
                "session": each.session,
                "turn": each.turn,
                "quote": each.quote,
                "around": kept.around(each),
            }
            for each in memory.sources
        ],
        "tells": [id for id, tellers in telling.items() if memory.id in tellers],
    }
