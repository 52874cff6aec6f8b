"""One memory as a JSON document."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, timedelta
from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.consolidation import lifespan
from companion.language.types import parse_iso
from companion.records import Memory
from companion.store import corrections, fading, listing
from companion.store.listing import Fade

_OF_MEMORY = (
    *("id", "text", "kind", "created", "event_time", "last_used"),
    *("strength", "retention", "pinned", "status", "sources", "later"),
)

FARTHEST_DAYS = 36_500.0
"""A later day is as good as never."""


def plain(memory: Memory) -> dict[str, Any]:
    """One row of `memories list --json`: only what is kept."""
    facts = asdict(memory)
    document = {name: facts[name] for name in _OF_MEMORY}
    for name in ("created", "last_used"):
        document[name] = document[name].isoformat()
    document["sources"] = list(document["sources"])
    document["later"] = [later | {"said": later["said"].isoformat()} for later in document["later"]]
    return document | {"retention": round(memory.retention, 6)}


def full(
    c: apsw.Connection, found: Sequence[Memory], config: Config, clock: Clock
) -> list[dict[str, Any]]:
    """The same with what a parent wants to know besides: the times of its sources, whether a
    parent told it, and the date on which it will go (None: never, or it cannot be said)."""
    fades = curves(c, found, config)
    turns = {(source.session, source.turn) for each in found for source in each.sources}
    times = listing.times(c, turns)
    kept = fading.in_place_of_pinned(c) if found else set()
    documents = []
    for each in found:
        document = plain(each)
        for source in document["sources"]:
            source["time"] = times.get((source["session"], source["turn"]))
        left = days_left(c, each, fades[each.id], config, clock, kept)
        document["told_by_parent"] = told_by_parent(each)
        document["gone_on"] = None if left is None else _date(clock, left)
        documents.append(document)
    return documents


def curves(c: apsw.Connection, found: Sequence[Memory], config: Config) -> dict[int, Fade]:
    """Their curves by the rule that is in force: what no night has gone over since it was learnt
    still bears the published one."""
    fades = listing.fades(c, (each.id for each in found))
    unit = unit_of(config)
    if unit is None:
        return fades
    for each in found:
        if each.status == "active":
            days = unit(each.kind, each.event_time is not None)
            fades[each.id] = replace(fades[each.id], unit_days=days)
    return fades


def unit_of(config: Config) -> Callable[[str, bool], float] | None:
    """The lived days of a unit of strength by kind, with or without a day; None: as noted."""
    if config.forgetting.rule != "lifespan":
        return None
    return lambda kind, dated: lifespan.unit(kind, dated=dated)


def told_by_parent(memory: Memory) -> bool:
    """A parent has put it right, or nothing that was said bears it out."""
    return memory.told_by_parent or not memory.sources


def corrected(c: apsw.Connection, id: int) -> dict[str, Any] | None:
    """When a parent put it right, and what it said before; None where no parent did."""
    note = corrections.of_memories(c, [id]).get(id)
    if note is None:
        return None
    return {"time": note.time.isoformat(), "before": note.before_text}


def days_left(
    c: apsw.Connection,
    memory: Memory,
    fade: Fade,
    config: Config,
    clock: Clock,
    kept: Iterable[int] = (),
) -> float | None:
    """Lived days until it falls under R_min; None where it does not, or where no clock tells the
    day. kept: ids that never fade for another reason."""
    section = config.forgetting
    if not (section.enabled and clock.trusted()) or memory.status != "active":
        return None
    if memory.pinned or memory.kind in listing.FOR_GOOD or memory.id in kept:
        return None
    falls = fade.falls(section.r_min)
    ahead = _days_ahead(memory, clock.wall())
    if ahead > 0:  # it fades from that day on, or cannot go before
        later = falls - fade.used if section.rule == "lifespan" else 0.0
        falls = max(falls, listing.today(c) + ahead + later)
    left = falls - listing.today(c)
    return max(0.0, left) if math.isfinite(left) and left < FARTHEST_DAYS else None


def _days_ahead(memory: Memory, now: datetime) -> int:
    """Days until the last day that it is about; 0 or less when that is over."""
    if memory.event_time is None:
        return 0
    last: date = parse_iso(memory.event_time)[1]
    return (last - now.date()).days + 1 if last >= now.date() else 0


def _date(clock: Clock, days: float) -> str:
    return (clock.wall() + timedelta(days=days)).date().isoformat()
