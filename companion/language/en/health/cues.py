"""What a message says besides the names of things: the flags that the classifiers see."""

from __future__ import annotations

from pathlib import Path

from companion.language.en.health.words import plain
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_NAMES = tuple(_TABLE.entries)
_RE = _TABLE.patterns()
_REPLY = Table(Path(__file__).with_name("answers.yaml")).patterns()


def flags(words: str) -> dict[str, bool]:
    """Which of the patterns of `cues.yaml` occur in `words`, which `plain` has spelled."""
    return {name: getattr(_RE, name).search(words) is not None for name in _NAMES}


def eats(words: str) -> bool:
    """Whether somebody eats, drinks, tastes, cooks or is given something to eat."""
    return _RE.eats.search(words) is not None


def surely_eats(words: str) -> bool:
    """Whether somebody eats or is about to, and not in a story, a song or a game."""
    return eats(words) and not _RE.story.search(words)


def does(words: str) -> bool:
    """Whether somebody eats, touches, goes near or is about to do something."""
    return any(each.search(words) for each in (_RE.eats, _RE.touch, _RE.does))


def asks_what_harms(words: str, *, food: bool) -> bool:
    """Whether words ask which food does harm or must not be eaten. food: whether they name any."""
    asks = _REPLY.asks_what.search(words) is not None
    fed = food or eats(words) or _REPLY.food.search(words) is not None
    return asks and fed and any(each.search(words) for each in (_RE.reaction, _RE.restriction))


def takes_back(text: str) -> bool:
    """Whether an answer to "is that right?" says that it is not. A "no" that goes on to tell of an
    allergy takes nothing back."""
    words = plain(text)
    return _REPLY.takes_back.search(words) is not None and not _RE.reaction.search(words)


def may_tell(words: str, *, names: bool) -> bool:
    """Whether a message can tell of something that is not borne: it speaks of a condition; or of
    a restriction and a reaction; or names a thing beside one of these.

    names: whether it names a thing."""
    if _RE.condition.search(words):
        return True
    restricted, reacts = _RE.restriction.search(words), _RE.reaction.search(words)
    return bool(restricted or reacts) if names else bool(restricted and reacts)
