"""Every request by name. A file of this room that adds one names it in READS or CHANGES of its own,
and stands in the list below."""

from __future__ import annotations

from companion.parents import changes, day, holdings, memories, person, talks
from companion.parents.request import Change, Read

_FILES = (memories, day, person, talks, holdings, changes)

READS: dict[str, Read] = {name: read for file in _FILES for name, read in file.READS.items()}
"""What only looks: works on a store that is open as a reader, too."""

CHANGES: dict[str, Change] = {
    name: change for file in _FILES for name, change in getattr(file, "CHANGES", {}).items()
}
"""What needs the store's owner; afterwards a running dialog has to forget what it holds."""

TAKE_NOTHING: frozenset[str] = frozenset({"keep", "restore", "clear_notices", "erase_now"})
"""Changes after which there is nothing to be forgotten."""

__all__ = ["CHANGES", "READS", "TAKE_NOTHING", "Change", "Read"]
