"""Every request by name. A file of this room that adds one names it in READS or CHANGES of its own,
and stands in the list below."""

from __future__ import annotations

from companion.parents import (
    access,
    changes,
    corrections,
    day,
    equipment,
    holdings,
    memories,
    person,
    settings,
    talks,
)
from companion.parents.request import Change, Read

_FILES = (memories, day, person, talks, holdings, equipment, changes, corrections, settings, access)

READS: dict[str, Read] = {name: read for file in _FILES for name, read in file.READS.items()}
"""What only looks: works on a store that is open as a reader, too."""

CHANGES: dict[str, Change] = {
    name: change for file in _FILES for name, change in getattr(file, "CHANGES", {}).items()
}
"""What needs the store's owner; afterwards a running dialog has to forget what it holds."""

TAKE_NOTHING: frozenset[str] = frozenset(
    name for file in _FILES for name in getattr(file, "TAKE_NOTHING", ())
)
"""Changes after which there is nothing to be forgotten."""

ACCESS: dict[str, Change] = access.ACCESS
"""What needs the store's owner, too, but no floor: it changes nothing that the dialog holds."""

__all__ = ["ACCESS", "CHANGES", "READS", "TAKE_NOTHING", "Change", "Read"]
