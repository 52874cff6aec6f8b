"""Memories as records, read from their rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

import apsw

from companion.records import FollowUp, Memory, Source
from companion.store import follow_ups, lived
from companion.store.connection import rows

SELECT = (
    "SELECT id, text, kind, created, last_used, strength, unit_days, last_used_lived_s, "
    "event_time, pinned, status, superseded_by, "
    "EXISTS (SELECT 1 FROM corrections WHERE memory = memories.id) FROM memories "
)


def read(c: apsw.Connection, found: list[tuple[Any, ...]]) -> list[Memory]:
    """Rows of `SELECT` in their order, with their sources."""
    cited: dict[int, list[Source]] = {row[0]: [] for row in found}
    sources = rows(
        c,
        "SELECT memory, session, turn, quote FROM sources "
        "WHERE memory IN (SELECT value FROM json_each(?)) ORDER BY rowid",
        json.dumps(list(cited)),
    )
    for memory, *source in sources:
        cited[memory].append(Source(*source))
    later, lived_s = follow_ups.of(c, list(cited)), lived.now(c)
    return [_memory(row, lived_s, cited[row[0]], later.get(row[0], ())) for row in found]


def _memory(
    row: tuple[Any, ...], lived_s: float, sources: Iterable[Source], later: Iterable[FollowUp]
) -> Memory:
    id, text, kind, created, last_used, strength, unit_days, used_lived_s, *rest = row
    event_time, pinned, status, superseded_by, told = rest
    return Memory(
        id=id,
        text=text,
        kind=kind,
        created=datetime.fromisoformat(created),
        last_used=datetime.fromisoformat(last_used),
        strength=strength,
        retention=lived.retention(lived_s - used_lived_s, strength, unit_days),
        event_time=event_time,
        pinned=bool(pinned),
        status=status,
        superseded_by=superseded_by,
        sources=tuple(sources),
        told_by_parent=bool(told),
        later=tuple(later),
    )
