"""Ordinals: "the twenty-sixth" and "26th" are one day of a month."""

from __future__ import annotations

import re

from companion.language.en.numbers import VALUES
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_ORDINALS = _TABLE.mapping("ordinals")


def in_figures(text: str) -> str:
    """The text with "26" for "26th" and "twenty-sixth", and "30" for "thirtieth"."""
    text = _RE.ordinal.sub(r"\1", text)
    text = _RE.tens_and_ones.sub(_two_words, text)
    return _RE.ordinal_word.sub(lambda found: _ORDINALS[found[0].lower()], text)


def _two_words(found: re.Match[str]) -> str:
    ones = found[2].lower()
    return str(VALUES[found[1].lower()] + int(_ORDINALS.get(ones, VALUES.get(ones, 0))))
