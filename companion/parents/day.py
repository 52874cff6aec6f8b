"""What was learnt today, and what is about to be forgotten."""

from __future__ import annotations

from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.parents import memory_document
from companion.parents.corrections import questions_document
from companion.parents.request import Read, Request, whole
from companion.records import Memory
from companion.store import fading as fades
from companion.store import history, listing, memories, notices, withdrawal
from companion.store.counts import counts
from companion.store.database import Store

WEEK = 7
MOST_DAYS = 366
MOST_SHOWN = 200


async def today(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """What was told today and is remembered, what changed or was taken back; where no clock tells
    the day, of the latest talk."""

    def read(c: apsw.Connection) -> dict[str, Any]:
        told = _told(c, clock)
        active = [each for each in told if each.status == "active"][:MOST_SHOWN]
        changed = [
            (each, memories.get_all(c, listing.replaced_by(c, each.id)).values()) for each in active
        ]
        health = [each for each in memories.for_good(c) if each.kind == "health"][:MOST_SHOWN]
        talk = counts(c)

        def shown(found: list[Memory]) -> list[dict[str, Any]]:
            return memory_document.full(c, found, config, clock)

        return {
            "learnt": shown(active),
            "changed": [
                {"new": shown([new])[0], "old": old}
                for new, before in changed
                for old in shown(list(before))
            ],
            "withdrawn": _withdrawn(c, clock),
            **questions_document(c, config, clock),
            "health": shown(health),
            "last_consolidation": listing.last_consolidation(c),
            "next": _next(config, waiting=talk.waiting, talking=talk.talking),
            "as_of": clock.wall().isoformat() if clock.trusted() else None,
        }

    return await store.read(read)


async def fading(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """What falls under R_min within so many lived days, the first first, and the archive."""
    days = whole(request, "days", WEEK, most=MOST_DAYS)
    r_min = config.forgetting.r_min

    def read(c: apsw.Connection) -> dict[str, Any]:
        kept = fades.in_place_of_pinned(c)
        near = listing.falling(c, r_min, days, memory_document.unit_of(config))
        curves = memory_document.curves(c, near, config)
        found = []
        for each in near:
            left = memory_document.days_left(c, each, curves[each.id], config, clock, kept)
            if left is not None and left <= days:
                found.append((each, left))
        found.sort(key=lambda each: (each[1], each[0].id))
        rows = memory_document.full(c, [each for each, _ in found[:MOST_SHOWN]], config, clock)
        total, archived = listing.page(c, statuses=["archived"], limit=MOST_SHOWN)
        return {
            "r_min": r_min,
            "days": days,
            "memories": [
                row | {"falls_in_days": round(left, 2)}
                for row, (_, left) in zip(rows, found, strict=False)
            ],
            "archived": {
                "total": total,
                "memories": memory_document.full(c, archived, config, clock),
            },
        }

    return await store.read(read)


def _told(c: apsw.Connection, clock: Clock) -> list[Memory]:
    """What memories there are of today's talk, newest first."""
    if clock.trusted():
        return listing.told_on(c, clock.wall().date())
    sessions = history.sessions(c)
    if not sessions:
        return []
    turns = [(sessions[-1].id, number) for number in range(1, sessions[-1].turns + 1)]
    found = memories.get_all(c, memories.citing(c, turns))
    return sorted(found.values(), key=lambda each: -each.id)


def _withdrawn(c: apsw.Connection, clock: Clock) -> int:
    """How often something was taken back today."""
    day = clock.wall().date()
    taken = [each for each in notices.all_notices(c) if each.topic == withdrawal.TOPIC]
    return sum(each.time.date() == day for each in taken) if clock.trusted() else 0


def _next(config: Config, *, waiting: int, talking: bool) -> str:
    """When it learns next, in words."""
    minutes = config.consolidation.inactivity_s / 60
    silence = f"{minutes:g} minutes" if minutes != 1 else "a minute"
    if talking:
        return f"when nobody has spoken for {silence}"
    if waiting:
        return "as soon as nobody talks"
    return "after the next talk"


READS: dict[str, Read] = {"today": today, "fading": fading}
