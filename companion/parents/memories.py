"""Memories to look at: all, a page of them, one with its curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import apsw
from pydantic import TypeAdapter

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError
from companion.parents import memory_document
from companion.parents.request import Read, Request, page, whole, word
from companion.records import Memory, MemoryStatus
from companion.store import listing, memories, uses
from companion.store.database import Store

MEMORIES = TypeAdapter(list[Memory])
"""The shape of `memories` without a filter."""

STATUSES: tuple[MemoryStatus, ...] = get_args(MemoryStatus)
POINTS = 60
"""Most points of a curve."""

USES = 20
"""Most uses that are shown, the latest."""

FLAT_DAYS = 30.0
"""How far the line of what never fades is drawn."""


async def listed(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Without a filter all active ones, oldest first; else a page, newest first."""
    if not {"query", "kind", "status", "offset", "limit"} & request.keys():
        found = await store.read(memories.list_memories)
        return MEMORIES.dump_python(found, mode="json")
    status = word(request, "status", "active")
    if status not in (*STATUSES, "all"):
        raise InputError(f"the request needs status: {', '.join(STATUSES)} or all")
    offset, limit = page(request)
    kind, query = word(request, "kind", ""), word(request, "query", "")
    statuses = STATUSES if status == "all" else (status,)

    def read(c: apsw.Connection) -> dict[str, Any]:
        total, found = listing.page(
            c, statuses=statuses, kind=kind or None, words=query, offset=offset, limit=limit
        )
        return {"total": total, "memories": memory_document.full(c, found, config, clock)}

    return await store.read(read)


async def one(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """A memory with its curve over lived days. Raises InputError when there is none."""
    return await store.read(one_document, whole(request, "id"), config, clock)


def one_document(c: apsw.Connection, id: int, config: Config, clock: Clock) -> dict[str, Any]:
    """See `one`."""
    memory = memories.get(c, id)
    if memory is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    fade, now = memory_document.curves(c, [memory], config)[id], listing.today(c)
    (document,) = memory_document.full(c, [memory], config, clock)
    used = uses.days(c, id)[-USES:]
    falls = fade.falls(config.forgetting.r_min)
    end = max(now, min(falls, now + memory_document.FARTHEST_DAYS))
    if falls == float("inf"):
        end = now + FLAT_DAYS
    return document | {
        "curve": _curve(fade, used, end),
        "uses": [round(day, 3) for day in used],
        "r_min": config.forgetting.r_min,
        "lived_now_days": round(now, 3),
        "superseded_by": memory.superseded_by,
        "replaces": listing.replaced_by(c, id),
        "corrected": memory_document.corrected(c, id),
    }


def _curve(fade: listing.Fade, used: Sequence[float], end: float) -> list[list[float]]:
    """It falls after each use, with every use more slowly, and after the last one until `end`."""
    points: list[tuple[float, float]] = []
    before = [day for day in used if day < fade.used]
    for number, (day, until) in enumerate(zip(before, [*before[1:], fade.used], strict=False)):
        strength = max(1.0, fade.strength - len(before) + number)
        then = listing.Fade(day, strength, fade.unit_days)
        points += [(day, 1.0), (until, then.at(until))]
    left = POINTS - len(points)
    span = max(0.0, end - fade.used)
    days = [fade.used + span * step / (left - 1) for step in range(left)]
    points += [(day, fade.at(day)) for day in days]
    return [[round(day, 3), round(retention, 5)] for day, retention in points]


READS: dict[str, Read] = {"memories": listed, "memory": one}
