"""Every request by name. A file of this room that adds one names it in READS or CHANGES of its own,
and stands in the list below."""

from __future__ import annotations

from companion.parents import (
    access,
    corrections,
    day,
    holdings,
    memories,
    person,
    settings,
    talks,
)
from companion.parents.request import Change, Read

_FILES = (memories, day, person, talks, holdings, corrections, settings, access)

READS: dict[str, Read] = {name: read for file in _FILES for name, read in file.READS.items()}
"""What only looks: works on a store that is open as a reader, too."""

CHANGES: dict[str, Change] = {**corrections.CHANGES, **settings.CHANGES}
"""What needs the store's owner; afterwards a running dialog has to forget what it holds."""

ACCESS: dict[str, Change] = access.ACCESS
"""What needs the store's owner, too, but neither the floor nor that anything is forgotten."""

__all__ = ["ACCESS", "CHANGES", "READS", "Change", "Read"]
