"""Memories as a parent looks through them: pages, filters, and what their fading rests on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import apsw

from companion.records import Memory
from companion.store import lived, memories
from companion.store.connection import rows

FOR_GOOD = ("health", "profile")
"""Kinds that never fade."""


@dataclass(frozen=True)
class Fade:
    """What the curve of one memory rests on: R = exp(-t / (S u)), t in lived days since `used`."""

    used: float
    """Lived day of the last use, counted from the store's first."""

    strength: float
    unit_days: float
    """`inf`: it does not fade."""

    def at(self, day: float) -> float:
        """Its retention on a lived day."""
        return lived.retention((day - self.used) * lived.DAY_S, self.strength, self.unit_days)

    def falls(self, r_min: float) -> float:
        """The lived day on which it falls under R_min, if it is not used before; may be `inf`."""
        return self.used - self.strength * self.unit_days * math.log(r_min)


def today(c: apsw.Connection) -> float:
    """The present lived day, as of the last write."""
    return lived.now(c) / lived.DAY_S


def fades(c: apsw.Connection, ids: Iterable[int]) -> dict[int, Fade]:
    """Of those of these memories that there are."""
    found = rows(
        c,
        "SELECT id, last_used_lived_s, strength, unit_days FROM memories "
        "WHERE id IN (SELECT value FROM json_each(?))",
        json.dumps(list(ids)),
    )
    return {id: Fade(used / lived.DAY_S, strength, unit) for id, used, strength, unit in found}


def page(
    c: apsw.Connection,
    *,
    statuses: Sequence[str],
    kind: str | None = None,
    words: str = "",
    offset: int = 0,
    limit: int = 50,
) -> tuple[int, list[Memory]]:
    """How many memories fit, and those of one page, newest first. words: every one of them has to
    be in the text, as a whole word or as the beginning of one."""
    where = "status IN (SELECT value FROM json_each(?)) AND (? IS NULL OR kind = ?)"
    filters = (json.dumps(list(statuses)), kind, kind)
    wanted = words.casefold().split()
    if wanted:
        sql = f"SELECT id, text FROM memories WHERE {where} ORDER BY id DESC"
        fitting = [id for id, text in rows(c, sql, *filters) if _holds(text, wanted)]
        total, chosen = len(fitting), fitting[offset : offset + limit]
    else:
        total = c.execute(f"SELECT count(*) FROM memories WHERE {where}", filters).get
        sql = f"SELECT id FROM memories WHERE {where} ORDER BY id DESC LIMIT ? OFFSET ?"
        chosen = [id for (id,) in rows(c, sql, *filters, limit, offset)]
    found = memories.get_all(c, chosen)
    return total, [found[id] for id in chosen]


def _holds(text: str, wanted: Sequence[str]) -> bool:
    held = text.casefold()
    return all(each in held and _begins_a_word(held, each) for each in wanted)


def _begins_a_word(text: str, part: str) -> bool:
    start = text.find(part)
    while start > 0 and text[start - 1].isalnum():
        start = text.find(part, start + 1)
    return start >= 0


def falling(
    c: apsw.Connection,
    r_min: float,
    days: float,
    unit: Callable[[str, bool], float] | None = None,
) -> list[Memory]:
    """Active memories that fall under R_min within so many lived days from now, the first first;
    none that a parent has pinned, nor of a kind that is kept for good.

    unit: the lived days of a unit of strength by kind, with or without a day, where those that are
    noted are not (yet) the rule's."""
    found = rows(
        c,
        "SELECT id, last_used_lived_s, strength, unit_days, kind, event_time IS NOT NULL "
        "FROM memories WHERE status = 'active' AND NOT pinned "
        "AND kind NOT IN (SELECT value FROM json_each(?)) ORDER BY id",
        json.dumps(FOR_GOOD),
    )
    latest = today(c) + days
    near: dict[int, float] = {}
    for id, used, strength, noted, kind, dated in found:
        fade = Fade(used / lived.DAY_S, strength, unit(kind, bool(dated)) if unit else noted)
        if (falls := fade.falls(r_min)) <= latest:
            near[id] = falls
    held = memories.get_all(c, near)
    return sorted(held.values(), key=lambda each: (near[each.id], each.id))


def replaced_by(c: apsw.Connection, id: int) -> list[int]:
    """The memories whose place this one took, oldest first."""
    found = rows(c, "SELECT id FROM memories WHERE superseded_by = ? ORDER BY id", id)
    return [each for (each,) in found]


def told_on(c: apsw.Connection, day: date) -> list[Memory]:
    """Memories of any status that were told on this day, newest first."""
    found = rows(
        c,
        "SELECT id FROM memories WHERE substr(created, 1, 10) = ? ORDER BY id DESC",
        day.isoformat(),
    )
    held = memories.get_all(c, [id for (id,) in found])
    return [held[id] for (id,) in found]


def times(c: apsw.Connection, turns: Iterable[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """When these turns were said, those of them that are still in the log; ISO 8601."""
    found = rows(
        c,
        "SELECT m.session, m.turn, min(m.time) FROM json_each(?) AS asked "
        "CROSS JOIN messages AS m ON m.session = asked.value ->> 0 AND m.turn = asked.value ->> 1 "
        "GROUP BY m.session, m.turn",
        json.dumps(list(turns)),
    )
    return {(session, turn): time for session, turn, time in found}


def last_consolidation(c: apsw.Connection) -> str | None:
    """When a session was last learnt from; ISO 8601."""
    found: str | None = c.execute(
        "SELECT consolidated_at FROM sessions WHERE consolidated_at IS NOT NULL "
        "ORDER BY number DESC LIMIT 1"
    ).get
    return found
