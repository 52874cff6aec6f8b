"""Every request by name. A file of this room that adds one names it in READS or CHANGES of its own,
and stands in the list below."""

from __future__ import annotations

from companion.parents import day, holdings, memories, person, talks
from companion.parents.request import Change, Read

_FILES = (memories, day, person, talks, holdings)

READS: dict[str, Read] = {name: read for file in _FILES for name, read in file.READS.items()}
"""What only looks: works on a store that is open as a reader, too."""

CHANGES: dict[str, Change] = {}
"""What needs the store's owner; afterwards a running dialog has to forget what it holds."""

__all__ = ["CHANGES", "READS", "Change", "Read"]
