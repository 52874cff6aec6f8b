"""Forgetting: what is not used fades, some things sooner than others (paper section 4.4).

R = exp(-t / (S u)), t in lived days since last use. A memory that falls below R_min moves to the
archive, and is deleted after some time there. u depends on the rule: by `lifespan` on what the
memory is about (`consolidation.lifespan`), by `paper` it is 1 for all, so that what is said once
lasts 4.6 days. Whatever the rule, some are exempt: those that a parent has pinned and those that
replaced a pinned one, those of kind `health` and `profile` (birthdays), and those whose day lies
ahead, which by `lifespan` do not even begin to fade before it is over. The profile itself never
fades.

The rule may change between two nights: all that depends on it is set anew each night, and what one
rule put into the archive comes back when the other would have kept it.
"""

from __future__ import annotations

import math
from datetime import date

import apsw

from companion.config import ForgettingSection
from companion.consolidation import lifespan
from companion.consolidation.report import Effects, Entry
from companion.language.types import parse_iso
from companion.records import Memory
from companion.store import fading, memories, openers, sweep
from companion.store.expiry import expire_blocks, expire_turns

PUBLISHED_UNIT = 1.0


def forget(c: apsw.Connection, section: ForgettingSection, today: date) -> Effects:
    """Archive faded memories, delete those archived for long enough, expire raw turns, and note
    that the bytes of what was deleted still have to be swept.

    Running it twice at the same lived time equals running it once. The caller makes sure that the
    clock can be trusted.
    """
    openers.expire(c, today)
    _apply(c, section, today)
    _bring_back(c, section.r_min)
    kept = fading.in_place_of_pinned(c) | fading.put_right(c)
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
    # Deleting one that replaced a pinned memory would delete the pinned one as well. What a parent
    # put right has to be known when it is said again.
    removed = [memory.id for memory in gone if memory.id not in kept]
    for id in removed:
        memories.remove(c, id)
    expired = expire_turns(c, section.turn_days) if section.turn_days > 0 else 0
    if section.turn_days > 0:
        expired += expire_blocks(c, section.turn_days)
    if removed or expired:
        sweep.note(c)
    return Effects({"forgotten": len(faded)}, tuple(_entry(memory) for memory in faded))


def _apply(c: apsw.Connection, section: ForgettingSection, today: date) -> None:
    """Set how fast each memory fades, by the rule that is in force tonight."""
    by_kind = section.rule == "lifespan"
    for kind, dated in fading.kinds(c):
        unit = lifespan.unit(kind, dated=dated) if by_kind else PUBLISHED_UNIT
        fading.set_units(c, kind, dated, unit)
    fading.set_units_of_superseded(c, PUBLISHED_UNIT)  # what is no longer true need not last
    if by_kind:
        fading.keep_fresh(c, today)


def _bring_back(c: apsw.Connection, r_min: float) -> None:
    """What lies in the archive though it would not fade tonight: another rule put it there."""
    for memory in memories.list_memories(c, "archived"):
        if memory.retention >= r_min and not fading.is_known(c, memory.text):
            fading.bring_back(c, memory.id)


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
