"""What a sentence says as the answer to a request that the toy cannot fulfil."""

from __future__ import annotations

from companion.language.en.claims import framing, statements
from companion.language.tables import Table
from companion.language.types import ClaimKind

_RE = Table.beside(__file__).patterns()
_PERCEIVING: frozenset[ClaimKind] = frozenset(
    ("sees", "hears", "time", "date", "looks_up", "remembers")
)
"""Who asks for these wants to be told something: whatever is told was made up."""


def agrees(sentence: str) -> bool:
    """Whether a sentence only agrees: "Sure!", "Okay, I will!"."""
    return _RE.agreement.fullmatch(sentence.replace("’", "'")) is not None


def denies(sentence: str) -> bool:
    """Whether a sentence says what the toy cannot do, is not, or does not know."""
    return _RE.denies.search(sentence.replace("’", "'")) is not None


def answers(sentence: str, kind: ClaimKind) -> bool:
    """Whether a sentence, said to somebody who asked for this kind of thing, says that the toy does
    it, or makes up what it was asked for. Not when it says what it cannot do, asks, or tells what
    somebody else may do."""
    plain = sentence.replace("’", "'")
    if denies(plain):
        return False
    if (
        _RE.agrees_first.match(plain)
        or _RE.own_body.search(plain)
        or statements.of(sentence) is not None
    ):
        return True
    said = framing.asserted(sentence)
    if not said.strip() or _RE.hands_over.search(said):
        return False
    if _RE.done.search(said):
        return True
    if kind in _PERCEIVING:
        return _RE.tells_nothing.search(said) is None
    return _RE.of_itself.search(said) is not None and _RE.can_do.search(said) is None
