"""What can become of memories, as steps for property tests."""

from __future__ import annotations

import apsw

from companion.records import MemoryStatus
from companion.store import memories

CHANGES = ("archive", "restore", "supersede", "undo", "remove")


def change(c: apsw.Connection, what: str, n: int) -> None:
    """Do one of `CHANGES` to the nth memory that it can be done to, if there is one."""
    active = _ids(c, "active")
    archived = _ids(c, "archived")
    superseded = _ids(c, "superseded")
    if what == "archive" and active:
        memories.archive(c, active[n % len(active)])
    elif what == "restore" and archived:
        memories.restore(c, archived[n % len(archived)])
    elif what == "supersede" and len(active) > 1:
        memories.supersede(c, active[n % len(active)], active[(n + 1) % len(active)])
    elif what == "undo" and superseded:
        memories.undo_supersede(c, superseded[n % len(superseded)])
    elif what == "remove" and (every := ids(c)):
        memories.remove(c, every[n % len(every)])


def ids(c: apsw.Connection) -> list[int]:
    """Of all memories, also those that are hidden."""
    return sorted(_ids(c, "active") + _ids(c, "archived") + _ids(c, "superseded"))


def _ids(c: apsw.Connection, status: MemoryStatus) -> list[int]:
    return [memory.id for memory in memories.list_memories(c, status)]
