"""A change of the key that was cut.

Two files have to change, database and key, and no file system changes two at once. So the new key
is written beside the old one first; as long as it lies there, whoever opens the store looks which
of the two fits the database, and finishes or drops what was begun.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from companion.store import key
from companion.store.connection import connect

REKEYED = "store.db.rekeyed"
"""The copy of the database under the new key, before it takes its place."""


def finish(database: Path, key_file: Path | None) -> None:
    """The key that fits the database is the key; the rest goes."""
    place = key.key_path(database.parent, key_file)
    new = key.next_path(place)
    if not new.exists():
        return
    if _fits(database, new.read_text(encoding="ascii").strip()):
        key.take_next(place)
    else:
        new.unlink()
    for left in database.parent.glob(REKEYED + "*"):
        left.unlink()


def _fits(database: Path, secret: str) -> bool:
    try:
        connect(database, secret, reader=True).close()
    except apsw.Error:
        return False
    return True
