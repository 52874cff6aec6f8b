"""When each memory was used: where its curve starts anew. The latest uses are kept."""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from companion.store import lived
from companion.store.connection import rows

SCHEMA = """
CREATE TABLE uses (
  memory INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  lived_s REAL NOT NULL
) STRICT;
CREATE INDEX uses_by_memory ON uses (memory, lived_s);
INSERT INTO uses SELECT id, last_used_lived_s FROM memories;
"""

MOST = 50
"""Of one memory."""


def note(c: apsw.Connection, ids: Iterable[int]) -> None:
    """These are used now; so is a memory that is learnt."""
    now = lived.now(c)
    for id in ids:
        c.execute(
            "INSERT INTO uses (memory, lived_s) SELECT id, ? FROM memories WHERE id = ?", (now, id)
        )
        c.execute(
            "DELETE FROM uses WHERE memory = ?1 AND rowid NOT IN "
            "(SELECT rowid FROM uses WHERE memory = ?1 ORDER BY lived_s DESC, rowid DESC LIMIT ?2)",
            (id, MOST),
        )


def days(c: apsw.Connection, id: int) -> list[float]:
    """The lived days on which it was learnt and used, oldest first."""
    found = rows(c, "SELECT lived_s FROM uses WHERE memory = ? ORDER BY lived_s, rowid", id)
    return [lived_s / lived.DAY_S for (lived_s,) in found]
