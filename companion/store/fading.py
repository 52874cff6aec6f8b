"""How fast memories fade: what the nightly rule sets, and what it reads."""

from __future__ import annotations

import apsw

from companion.store import lived, memories
from companion.store.connection import rows


def unsorted(c: apsw.Connection, limit: int) -> list[int]:
    """Active memories whose kind was told by the words of the draft alone, oldest first."""
    sql = "SELECT id FROM memories WHERE status = 'active' AND NOT sorted ORDER BY id LIMIT ?"
    return [id for (id,) in rows(c, sql, limit)]


def set_kind(c: apsw.Connection, id: int, kind: str) -> None:
    """Note the kind that a memory has by its meaning."""
    c.execute("UPDATE memories SET kind = ?, sorted = 1 WHERE id = ?", (kind, id))


def set_unit(c: apsw.Connection, id: int, days: float) -> None:
    """How many lived days a unit of its strength stands for; `inf`: it does not fade."""
    c.execute("UPDATE memories SET unit_days = ?2 WHERE id = ?1 AND unit_days <> ?2", (id, days))


def stay_fresh(c: apsw.Connection, id: int) -> None:
    """Let it fade from now on only, without counting a use."""
    c.execute("UPDATE memories SET last_used_lived_s = ? WHERE id = ?", (lived.now(c), id))


def bring_back(c: apsw.Connection, id: int) -> None:
    """Out of the archive again, as it was before: unlike `memories.restore`, it has not been
    used."""
    used = c.execute("SELECT last_used_lived_s FROM memories WHERE id = ?", (id,)).get
    memories.restore(c, id)
    c.execute("UPDATE memories SET last_used_lived_s = ? WHERE id = ?", (used, id))
