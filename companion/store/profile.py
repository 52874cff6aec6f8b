"""The user's profile in versions: core items said or told, and the personality as revised.

Nothing is overwritten: each core item and each personality is a new row, the newest counts.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import apsw

from companion.records import BigFive, CoreItem, Personality, Profile, Source
from companion.store import questions
from companion.store.connection import rows


@dataclass(frozen=True)
class CoreVersion:
    """One core item as it was learnt."""

    item: CoreItem
    value: str
    time: datetime
    source: Source | None
    """None: told by a parent, not said in a turn."""


@dataclass(frozen=True)
class PersonalityVersion:
    """The personality as of a time."""

    version: int
    time: datetime
    personality: Personality


@dataclass(frozen=True)
class Versions:
    """The profile's whole history, oldest first."""

    core: tuple[CoreVersion, ...]
    personality: tuple[PersonalityVersion, ...]


def current(c: apsw.Connection) -> Profile:
    """The newest of everything. `facts`: active memories that never fade, those of kind `health`
    first."""
    core = dict(rows(c, "SELECT item, value FROM profile_core ORDER BY version"))
    row = c.execute(_PERSONALITY + "ORDER BY version DESC LIMIT 1").fetchone()
    facts = c.execute(
        "SELECT text FROM memories WHERE status = 'active' AND kind IN ('health', 'profile') "
        "ORDER BY kind, id"
    )
    return Profile(
        name=core.get("name"),
        age=int(core["age"]) if "age" in core else None,
        gender=core.get("gender"),
        personality=_personality(row).personality if row else Personality(),
        facts=tuple(text for (text,) in facts),
    )


def note(
    c: apsw.Connection, item: CoreItem, value: str, source: Source | None, time: datetime
) -> None:
    """Note one core item as it was said, unless it is known so already; an age in figures. What a
    parent has told stands: then a parent is asked instead (`companion.store.questions`).
    source: None: told by a parent."""
    if item == "age":
        value = str(int(value))
    held = c.execute(
        "SELECT value, session IS NULL FROM profile_core WHERE item = ? "
        "ORDER BY version DESC LIMIT 1",
        (item,),
    ).fetchone()
    known, by_parent = held or (None, False)
    if source is None:
        questions.settle_item(c, item, time)
    if known == value and (by_parent or source is not None):
        return
    if by_parent and source is not None:
        questions.ask(c, value, source, time, item=item)
        return
    said = (source.session, source.turn, source.quote) if source else (None, None, None)
    c.execute(
        "INSERT INTO profile_core (item, value, time, session, turn, quote) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (item, value, time.isoformat(), *said),
    )


def source(c: apsw.Connection, item: CoreItem) -> Source | None:
    """Where the present value was said; None when it is not known, or was told by a parent."""
    row = c.execute(
        "SELECT session, turn, quote FROM profile_core WHERE item = ? "
        "ORDER BY version DESC LIMIT 1",
        (item,),
    ).fetchone()
    return None if row is None or row[0] is None else Source(*row)


def told_by_parent(c: apsw.Connection, item: CoreItem) -> bool:
    """Whether the present value was told by a parent."""
    row = c.execute(
        "SELECT session IS NULL FROM profile_core WHERE item = ? ORDER BY version DESC LIMIT 1",
        (item,),
    ).fetchone()
    return row is not None and bool(row[0])


def put_personality(c: apsw.Connection, personality: Personality, time: datetime) -> int:
    """Add a version and return its number."""
    c.execute(
        "INSERT INTO profile_personality (time, summary, myers_briggs, big_five, examples) "
        "VALUES (?, ?, ?, ?, ?)",
        (
            time.isoformat(),
            personality.summary,
            personality.myers_briggs,
            json.dumps(asdict(personality.big_five)),
            json.dumps(personality.examples),
        ),
    )
    return c.last_insert_rowid()


def has_personality(c: apsw.Connection) -> bool:
    """Is there a picture of the personality, or evidence for one?"""
    return bool(
        c.execute(
            "SELECT EXISTS (SELECT 1 FROM profile_personality) OR EXISTS (SELECT 1 FROM evidence)"
        ).get
    )


def versions(c: apsw.Connection) -> Versions:
    """Everything ever learnt and not erased."""
    core = c.execute(
        "SELECT item, value, time, session, turn, quote FROM profile_core ORDER BY version"
    )
    return Versions(
        tuple(_core(row) for row in core),
        tuple(_personality(row) for row in c.execute(_PERSONALITY + "ORDER BY version")),
    )


_PERSONALITY = (
    "SELECT version, time, summary, myers_briggs, big_five, examples FROM profile_personality "
)


def _core(row: tuple[Any, ...]) -> CoreVersion:
    item, value, time, session, turn, quote = row
    source = None if session is None else Source(session, turn, quote)
    return CoreVersion(item, value, datetime.fromisoformat(time), source)


def _personality(row: tuple[Any, ...]) -> PersonalityVersion:
    version, time, summary, myers_briggs, big_five, examples = row
    personality = Personality(
        summary, myers_briggs, BigFive(**json.loads(big_five)), tuple(json.loads(examples))
    )
    return PersonalityVersion(version, datetime.fromisoformat(time), personality)
