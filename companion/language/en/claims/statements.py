"""What a sentence of the toy says of the toy itself."""

from __future__ import annotations

from companion.language.en.claims.framing import asserted
from companion.language.tables import Table
from companion.language.types import CLAIM_KINDS, Claim

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_KINDS = {kind: getattr(_RE, kind) for kind in CLAIM_KINDS}


def of(sentence: str) -> Claim | None:
    """The first thing that the speaker claims of itself: to see, to call somebody, to be a child.

    None for what is denied, asked, told of others, quoted or imagined.
    """
    said = asserted(sentence)
    if not said:
        return None
    for kind, claims in _KINDS.items():
        found = claims.search(said)
        if found and not _is_denied(said, found.start()):
            return Claim(kind, _RE.ability.search(found[0]) is not None)
    return None


def _is_denied(said: str, at: int) -> bool:
    """Whether what is claimed from `at` on is denied, before it or by its object."""
    return bool(_RE.nothing.match(said, at) or _RE.denied.search(said[:at]))
