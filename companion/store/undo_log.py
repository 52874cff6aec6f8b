"""What a step takes out of the tables, written down so that it can be put back.

SQLite tells of every row before it is deleted or changed, also where it goes by cascade. The rows
are put back in the opposite order. The two text indexes are not told of: they are brought in line
from the tables.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import apsw

from companion.store import text_index
from companion.store.connection import rows

Entry = tuple[str, dict[str, Any], dict[str, Any] | None]
"""A table, a row of it as it was, and as it became; None: it was deleted."""

_HOOK = "undo_log"
_INDEXED: dict[str, text_index.TextIndex] = {"turns": "turn_index", "memories": "memory_index"}


def recorded(c: apsw.Connection, step: Callable[[], None], *, but: str) -> bytes:
    """Run the step; what `put_back` needs to undo it. but: a table of which nothing is noted."""
    found: list[Entry] = []
    with _told(c, found, _columns(c, but)):
        step()
    return json.dumps(found, default=_as_json).encode()


def put_back(c: apsw.Connection, record: bytes) -> None:
    """Undo the step. What has been written since stays: a row that has changed again is left alone,
    and one whose parent is gone for good does not come back."""
    entries: list[Entry] = json.loads(record, object_hook=_from_json)
    c.execute("PRAGMA defer_foreign_keys = ON")
    touched = {
        index: {old["id"] for table, old, _ in entries if table == of}
        for of, index in _INDEXED.items()
    }
    for index, ids in touched.items():
        for id in text_index.present(c, index, ids):
            text_index.drop(c, index, id)
    for table, old, new in reversed(entries):
        if new is None:
            _insert(c, table, old)
        else:
            _change_back(c, table, old, new)
    tables = {table for table, _, _ in entries}
    while sum(_drop_orphans(c, table) for table in tables):
        pass  # what went may have been another one's parent
    for index, ids in touched.items():
        for id in text_index.present(c, index, ids):
            text_index.put(c, index, id)


@contextmanager
def _told(c: apsw.Connection, found: list[Entry], columns: dict[str, list[str]]) -> Iterator[None]:
    def note(update: apsw.PreUpdate) -> None:
        names = columns.get(update.table_name)
        if names is None or update.old is None:
            return
        new = None if update.new is None else dict(zip(names, update.new, strict=True))
        found.append((update.table_name, dict(zip(names, update.old, strict=True)), new))

    c.preupdate_hook(note, id=_HOOK)
    try:
        yield
    finally:
        c.preupdate_hook(None, id=_HOOK)


def _columns(c: apsw.Connection, but: str) -> dict[str, list[str]]:
    """The columns of every table of ours; none of the text indexes' own tables."""
    found: dict[str, list[str]] = {}
    for table, column in rows(c, _OURS):
        if table != but:
            found.setdefault(table, []).append(column)
    return found


_OURS = """
SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND t.strict AND t.name NOT IN ('state', 'migrations')
ORDER BY t.name, c.cid
"""


def _insert(c: apsw.Connection, table: str, row: dict[str, Any]) -> None:
    """Not where another one has taken its place."""
    names = ", ".join(row)
    marks = ", ".join("?" * len(row))
    sql = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
    c.execute(sql, tuple(row.values()))


def _change_back(c: apsw.Connection, table: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    changed = [name for name in old if old[name] != new[name]]
    keys = [name for (name,) in rows(c, "SELECT name FROM pragma_table_info(?) WHERE pk", table)]
    if not changed or not keys or any(name in changed for name in keys):
        return
    values = ", ".join(f"{name} = ?" for name in changed)
    same = " AND ".join(f"{name} IS ?" for name in (*keys, *changed))
    c.execute(
        f"UPDATE {table} SET {values} WHERE {same}",
        (*(old[name] for name in changed), *(new[name] for name in (*keys, *changed))),
    )


def _drop_orphans(c: apsw.Connection, table: str) -> bool:
    """Drop rows of which the row that they belong to is gone; whether there were any."""
    parents = rows(c, "SELECT DISTINCT parent FROM pragma_foreign_key_check(?)", table)
    for (parent,) in parents:
        for own, theirs in _links(c, table, parent):
            pairs = " AND ".join(f"p.{b} = {table}.{a}" for a, b in zip(own, theirs, strict=True))
            known = " AND ".join(f"{a} IS NOT NULL" for a in own)
            c.execute(
                f"DELETE FROM {table} WHERE {known} "
                f"AND NOT EXISTS (SELECT 1 FROM {parent} AS p WHERE {pairs})"
            )
    return bool(parents)


def _links(c: apsw.Connection, table: str, parent: str) -> list[tuple[list[str], list[str]]]:
    """The foreign keys from a table to another: their columns on both sides."""
    found: dict[int, tuple[list[str], list[str]]] = {}
    sql = 'SELECT id, "from", "to" FROM pragma_foreign_key_list(?) WHERE "table" = ? ORDER BY seq'
    for id, own, theirs in rows(c, sql, table, parent):
        found.setdefault(id, ([], []))
        found[id][0].append(own)
        found[id][1].append(theirs)
    return list(found.values())


def _as_json(value: object) -> object:
    if isinstance(value, bytes):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    raise TypeError(type(value).__name__)


def _from_json(value: dict[str, Any]) -> Any:
    if value.keys() == {"bytes"}:
        return base64.b64decode(value["bytes"])
    return value
