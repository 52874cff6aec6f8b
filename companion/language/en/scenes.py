"""What a telling is about: a wobbly tooth, a lost glove, a goat that got in.

It decides what a talk of the next day begins with (`companion.language.en.resuming`).
"""

from __future__ import annotations

from companion.language.tables import Table
from companion.language.types import Scene

_TABLE = Table.beside(__file__)
_FOUND = {name: _TABLE.pattern(name) for name in _TABLE.entries}


def of(words: str) -> Scene | None:
    """The first scene of the table that fits; None where none does."""
    plain = " ".join(words.lower().replace("’", "'").split())
    for name, pattern in _FOUND.items():
        if found := pattern.search(plain):
            groups = found.groupdict()
            return Scene(name, groups.get("thing") or "")
    return None


def names() -> tuple[str, ...]:
    """Of all scenes, in the order of the table."""
    return tuple(_FOUND)
