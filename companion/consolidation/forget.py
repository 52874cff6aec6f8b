"""Forgetting: the published curve, made safe (paper section 4.4, design decision 9).

R = exp(-t/S), t in lived days since last use. A memory that falls below R_min moves to the archive,
and is deleted after some time there. With S = 1 that takes 4.6 unused days, so some memories are
exempt: those that a parent has pinned and those that replaced a pinned one, those of kind `health`
and `profile` (birthdays), and those dated in the future. The profile itself never fades either.
"""

from __future__ import annotations

import math
from datetime import date

import apsw

from companion.config import ForgettingSection
from companion.consolidation.report import Effects, Entry
from companion.language.types import parse_iso
from companion.records import Memory
from companion.store import memories, sweep
from companion.store.expiry import expire_turns


def forget(c: apsw.Connection, section: ForgettingSection, today: date) -> Effects:
    """Archive faded memories, delete those archived for long enough, expire raw turns, and note
    that the bytes of what was deleted still have to be swept.

    Running it twice at the same lived time equals running it once. The caller makes sure that the
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
    # Deleting one that replaced a pinned memory would delete the pinned one as well.
    removed = [memory.id for memory in gone if memory.id not in kept]
    for id in removed:
        memories.remove(c, id)
    expired = expire_turns(c, section.turn_days) if section.turn_days > 0 else 0
    if removed or expired:
        sweep.note(c)
    return Effects({"forgotten": len(faded)}, tuple(_entry(memory) for memory in faded))


def _fades(memory: Memory, r_min: float, today: date) -> bool:
    if memory.retention >= r_min or memory.pinned or memory.kind in ("health", "profile"):
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
