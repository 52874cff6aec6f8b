"""The schema's history: named functions, each run once, in order.

A migration's work and its done-mark share one transaction, so a cut at any moment leaves the
schema before it or after it. Released migrations are never edited; a change is a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from companion.errors import StoreError, StoreNewer
from companion.store import (
    access,
    audit,
    blocks,
    corrections,
    follow_ups,
    intermediate,
    notices,
    openers,
    pending,
    pending_erase,
    questions,
    schema,
    skill_state,
    timers,
    uses,
)
from companion.store.connection import transaction

Migration = Callable[[apsw.Connection], None]


def m001_first_release(c: apsw.Connection) -> None:
    """Log, memories, vectors, profile, text indexes, and the consolidation's marks."""
    c.execute(schema.FIRST_RELEASE)
    c.execute(intermediate.SCHEMA)
    c.execute(pending.SCHEMA)


def m002_stopped_turns(c: apsw.Connection) -> None:
    """What a guard stopped, and what parents are told of it."""
    c.execute(notices.SCHEMA)


def m003_lifespans(c: apsw.Connection) -> None:
    """How fast each memory fades, and whether its kind has been looked at; memories that are there
    already are looked at in the next night."""
    c.execute(schema.LIFESPANS)


def m004_token_bits(c: apsw.Connection) -> None:
    """Token vectors of turns and memories; those that are there already get theirs at night."""
    c.execute(schema.TOKEN_BITS)


def m005_skills(c: apsw.Connection) -> None:
    """What skills keep between two messages, and timers that have not rung."""
    c.execute(skill_state.SCHEMA)
    c.execute(timers.SCHEMA)


def m006_openers(c: apsw.Connection) -> None:
    """What the first reply of a talk may take up."""
    c.execute(openers.SCHEMA)


def m007_pending_erase(c: apsw.Connection) -> None:
    """What a parent has erased and may still bring back; when memories were used."""
    c.execute(pending_erase.SCHEMA)
    c.execute(uses.SCHEMA)


def m008_parents(c: apsw.Connection) -> None:
    """What parents have told, what they are asked, their PIN, and what they did; notices of what
    was no turn."""
    c.execute(corrections.SCHEMA)
    c.execute(questions.SCHEMA)
    c.execute(access.SCHEMA)
    c.execute(audit.SCHEMA)
    c.execute(notices.APART)


def m009_blocks(c: apsw.Connection) -> None:
    """What was overheard while listening was on."""
    c.execute(blocks.SCHEMA)


def m010_follow_ups(c: apsw.Connection) -> None:
    """What was said later about memories; turns that are there are looked at in the next night."""
    c.execute(follow_ups.SCHEMA)


MIGRATIONS: tuple[Migration, ...] = (
    m001_first_release,
    m002_stopped_turns,
    m003_lifespans,
    m004_token_bits,
    m005_skills,
    m006_openers,
    m007_pending_erase,
    m008_parents,
    m009_blocks,
    m010_follow_ups,
)


def waiting(
    c: apsw.Connection, directory: Path, migrations: Sequence[Migration] = MIGRATIONS
) -> list[Migration]:
    """The migrations that this database still needs.

    Raises StoreNewer when it has one that this program does not know.
    """
    known = {migration.__name__ for migration in migrations}
    done: set[str] = set()
    if has_history(c):
        done = {name for (name,) in c.execute("SELECT name FROM migrations")}
    if newer := sorted(done - known):
        raise StoreNewer(
            f"{directory}: written by a newer version of companion (schema {newer[-1]!r}): "
            "install that version; nothing was changed"
        )
    return [migration for migration in migrations if migration.__name__ not in done]


def has_history(c: apsw.Connection) -> bool:
    """False for a database that has just been made."""
    return c.table_exists("main", "migrations")


def migrate(c: apsw.Connection, migrations: Sequence[Migration]) -> None:
    """Run the given migrations in order."""
    for migration in migrations:
        with transaction(c):
            c.execute(
                "CREATE TABLE IF NOT EXISTS migrations ("
                "name TEXT PRIMARY KEY, done TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP) STRICT"
            )
            migration(c)
            c.execute("INSERT INTO migrations (name) VALUES (?)", (migration.__name__,))


def require_current(c: apsw.Connection, directory: Path) -> None:
    """For readers, who may not migrate. Raises StoreError or StoreNewer."""
    if waiting(c, directory):
        raise StoreError(
            f"{directory}: written by an older version of companion: run any command that "
            "writes (companion chat) once to bring it up to date"
        )
