"""What a child asks of the toy, as far as a toy without eyes, hands and internet cannot do it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.language.tables import Table
from companion.language.types import CLAIM_KINDS, ClaimKind

_RE = Table.beside(__file__).patterns()
_TURNS_OF_A_GAME = 3
_TURNS_OF_A_STORY = 2
_WORDS_TO_GO_ON = 5
"""A message of at most so many words ("and then?") may go on with a story."""

_LONGEST = 400
"""Characters."""

_KINDS = {kind: getattr(_RE, kind) for kind in CLAIM_KINDS}


def wants(words: str) -> ClaimKind | None:
    """What somebody asks for, if a small toy may be unable to do it; None for all other words."""
    plain = _heard(words)
    found = ((kind, asked.search(plain)) for kind, asked in _KINDS.items())
    return next((kind for kind, match in found if match), None)


def _heard(words: str) -> str:
    """The end of a message, where what it asks for stands."""
    return words[-_LONGEST:].replace("’", "'").lower()


def plays(words: str, before: Sequence[str]) -> bool:
    """Whether somebody asks for a story, a joke or a game, or goes on with one. before: their
    messages before this one, oldest first."""
    words = _heard(words)
    if _RE.telling.search(words) or any(
        map(_RE.game.search, (words, *map(_heard, before[-_TURNS_OF_A_GAME:])))
    ):
        return True
    goes_on = len(words.split()) <= _WORDS_TO_GO_ON
    return goes_on and any(map(_RE.telling.search, map(_heard, before[-_TURNS_OF_A_STORY:])))
