"""What a message says besides the names of things: the flags that the classifiers see."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_NAMES = tuple(_TABLE.entries)
_RE = _TABLE.patterns()


def flags(words: str) -> dict[str, bool]:
    """Which of the patterns of `cues.yaml` occur in `words`, which `plain` has spelled."""
    return {name: getattr(_RE, name).search(words) is not None for name in _NAMES}


def eats(words: str) -> bool:
    """Whether somebody eats, drinks, tastes, cooks or is given something to eat."""
    return _RE.eats.search(words) is not None


def says_of_health(words: str) -> tuple[bool, bool]:
    """Whether a message speaks of a condition, a restriction or a reaction; and whether of a
    condition."""
    condition = _RE.condition.search(words) is not None
    other = _RE.restriction.search(words) or _RE.reaction.search(words)
    return condition or other is not None, condition
