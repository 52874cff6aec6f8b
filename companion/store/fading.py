"""How fast memories fade: what the nightly rule sets, and what it reads."""

from __future__ import annotations

from datetime import date

import apsw

from companion.store import corrections, lived, memories
from companion.store.connection import rows


def unsorted(c: apsw.Connection, limit: int) -> list[int]:
    """Active memories whose kind was told by the words of the draft alone, oldest first."""
    sql = "SELECT id FROM memories WHERE status = 'active' AND NOT sorted ORDER BY id LIMIT ?"
    return [id for (id,) in rows(c, sql, limit)]


def set_kind(c: apsw.Connection, id: int, kind: str) -> None:
    """Note the kind that a memory has by its meaning."""
    c.execute("UPDATE memories SET kind = ?, sorted = 1 WHERE id = ?", (kind, id))


def kinds(c: apsw.Connection) -> list[tuple[str, bool]]:
    """Every kind that some memory has, with and without a day."""
    found = rows(c, "SELECT DISTINCT kind, event_time IS NOT NULL FROM memories ORDER BY kind")
    return [(kind, bool(dated)) for kind, dated in found]


def set_units(c: apsw.Connection, kind: str, dated: bool, days: float) -> None:
    """How many lived days a unit of strength stands for in memories of this kind, with or without a
    day; `inf`: they do not fade."""
    c.execute(
        "UPDATE memories SET unit_days = ?1 WHERE kind = ?2 AND (event_time IS NOT NULL) = ?3 "
        "AND status <> 'superseded' AND unit_days <> ?1",
        (days, kind, dated),
    )


def set_units_of_superseded(c: apsw.Connection, days: float) -> None:
    """The same for all that is no longer true."""
    c.execute(
        "UPDATE memories SET unit_days = ?1 WHERE status = 'superseded' AND unit_days <> ?1",
        (days,),
    )


def keep_fresh(c: apsw.Connection, today: date) -> None:
    """Active memories whose day, or the last of whose days, is not over fade from now on only; that
    counts as no use."""
    c.execute(
        "UPDATE memories SET last_used_lived_s = ? "
        "WHERE status = 'active' AND substr(event_time, -10) >= ?",
        (lived.now(c), today.isoformat()),
    )


def is_known(c: apsw.Connection, text: str) -> bool:
    """Whether an active memory says the very same."""
    sql = "SELECT EXISTS (SELECT 1 FROM memories WHERE status = 'active' AND text = ?)"
    return bool(c.execute(sql, (text,)).get)


def bring_back(c: apsw.Connection, id: int) -> None:
    """Out of the archive again, as it was before: unlike `memories.restore`, it has not been
    used."""
    used = c.execute("SELECT last_used_lived_s FROM memories WHERE id = ?", (id,)).get
    memories.restore(c, id)
    c.execute("UPDATE memories SET last_used_lived_s = ? WHERE id = ?", (used, id))


def in_place_of_pinned(c: apsw.Connection) -> set[int]:
    """Memories that took the place of a pinned one, directly or not: what a parent asked to keep
    is there as long as they are."""
    found = rows(
        c,
        "WITH RECURSIVE chain (id) AS (SELECT superseded_by FROM memories WHERE pinned UNION "
        "SELECT m.superseded_by FROM memories AS m JOIN chain ON m.id = chain.id) "
        "SELECT id FROM chain WHERE id IS NOT NULL",
    )
    return {id for (id,) in found}


def put_right(c: apsw.Connection) -> set[int]:
    """Memories in whose place one stands that a parent has told, and that has not gone."""
    return set(corrections.replaced(c))
