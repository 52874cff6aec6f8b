"""The numbers in words: one table, for reading and for writing."""

from __future__ import annotations

import re

from companion.language.tables import Table

_TABLE = Table.beside(__file__)

_TO_NINETEEN = tuple(
    word for entry in ("zero", "to_nine", "to_twelve", "teens") for word in _TABLE.ordered(entry)
)
VALUES: dict[str, int] = {word: number for number, word in enumerate(_TO_NINETEEN)} | {
    word: 10 * tens for tens, word in enumerate(_TABLE.ordered("tens"), start=2)
}
"""Zero to nineteen and the tens up to ninety, by their words in small letters."""

SMALL_NUMBERS: dict[str, str] = {word: str(n) for word, n in VALUES.items() if n <= 20}
"""Figures for the words up to twenty."""

IN_WORDS: dict[str, str] = {str(number): word for word, number in VALUES.items()}
"""Words for figures: VALUES the other way round."""

ORDINAL_ENDINGS = _TABLE.ordered("ordinal_ending")
"""What makes a figure an ordinal, as in 1st."""

(_NONE,) = _TABLE.ordered("none")


def spelled(number: int, up_to: int = 10) -> str:
    """How many of something, before its noun: in words up to `up_to` (20 at most), else figures.

    >>> [spelled(n) for n in (0, 3, 12)]
    ['no', 'three', '12']
    """
    if not 0 <= number <= up_to:
        return str(number)
    return IN_WORDS[str(number)] if number else _NONE


def number_in(text: str) -> int | None:
    """The number below a thousand that figures or words tell: "7", "seven", "twenty-one".

    None for anything else."""
    if re.fullmatch(r"\d{1,3}", text):
        return int(text)
    parts = re.split(r"[\s-]+", text.lower())
    return sum(VALUES[part] for part in parts) if all(part in VALUES for part in parts) else None
