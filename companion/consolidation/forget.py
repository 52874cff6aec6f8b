"""Forgetting: the published curve, made safe (paper section 4.4, design decision 9).

R = exp(-t/S), t in lived days since last use. What falls below R_min goes to the archive, and
after some time there for good. With S = 1 that is 4.6 unused days, so some things are exempt:
what a parent has pinned and what took the place of that, the profile and what concerns health
(kind `profile`), and what is dated in the future.
"""

from __future__ import annotations

import math
from datetime import date

import apsw

from companion.config import ForgettingSection
from companion.consolidation.report import Effects, Entry
from companion.date_words import parse_iso
from companion.records import Memory
from companion.store import memories, sweep
from companion.store.expiry import expire_turns


def forget(c: apsw.Connection, section: ForgettingSection, today: date) -> Effects:
    """Archive what has faded, remove what has been archived long enough, expire raw turns; note
    that the bytes of what was removed are still to be swept.

    Running it twice at one lived time equals running it once. The caller sees to it that the
    clock can be trusted.
    """
    kept = memories.in_place_of_pinned(c)
    faded = [
        memory
        for memory in memories.list_memories(c)
        if memory.id not in kept and _fades(memory, section.r_min, today)
    ]
    for memory in faded:
        memories.archive(c, memory.id)
    gone = [
        memory
        for memory in memories.list_memories(c, "archived")
        if not memory.pinned and memories.archived_days(c, memory.id) >= section.archive_days
    ] + [
        memory
        for memory in memories.list_memories(c, "superseded")
        if not memory.pinned and _long_faded(memory, section)
    ]
    # One in place of a pinned memory would take that along.
    removed = [memory.id for memory in gone if memory.id not in kept]
    for id in removed:
        memories.remove(c, id)
    expired = expire_turns(c, section.turn_days) if section.turn_days > 0 else 0
    if removed or expired:
        sweep.note(c)
    return Effects({"forgotten": len(faded)}, tuple(_entry(memory) for memory in faded))


def _fades(memory: Memory, r_min: float, today: date) -> bool:
    if memory.retention >= r_min or memory.pinned or memory.kind == "profile":
        return False
    return memory.event_time is None or parse_iso(memory.event_time)[1] < today


def _long_faded(memory: Memory, section: ForgettingSection) -> bool:
    """Superseded memories fade by the same curve and then wait as long as archived ones."""
    if memory.retention >= section.r_min:
        return False
    days = math.inf if memory.retention == 0 else -memory.strength * math.log(memory.retention)
    return days >= section.archive_days - memory.strength * math.log(section.r_min)


def _entry(memory: Memory) -> Entry:
    sources = tuple((source.session, source.turn) for source in memory.sources)
    return Entry("faded", "memory", memory.text, id=memory.id, sources=sources)
