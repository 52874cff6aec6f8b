"""What a parent sees and changes: JSON documents of the store, and the few changes that a parent
may make. Command line, daemon and web page call the same functions, so they show the same.
"""

from companion.parents.registry import ACCESS, CHANGES, READS, TAKE_NOTHING, Change, Read

__all__ = ["ACCESS", "CHANGES", "READS", "TAKE_NOTHING", "Change", "Read"]
