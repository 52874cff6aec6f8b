"""Which part of a sentence its speaker stands for: not what is asked, quoted or imagined."""

from __future__ import annotations

from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def asserted(sentence: str) -> str:
    """The sentence without quotations and without what it asks; "" when its speaker stands for
    nothing in it. Apostrophes are straight."""
    plain = _RE.quoted.sub(" ", sentence.replace("’", "'"))
    if _RE.imagined.search(plain) or _RE.reported.search(plain):
        return ""
    if plain.rstrip().endswith("?") and not _RE.offers.search(plain):
        plain, _, _ = plain.rpartition(",")
    return plain
