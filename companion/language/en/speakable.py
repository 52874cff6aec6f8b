"""Text as a synthesizer reads it well: espeak-ng's phonemes are behind piper's voices.

Only what espeak-ng 1.51 gets wrong is rewritten here. It reads plain numbers, decimals, ordinals,
percent, "&", "a.m." and "e.g." by itself; it does not read "$5", "5 km", "3:05", "3-5", "Ms.",
"1/2", "World War II", "Mmm" or "Grrr", and it stops after the full stop of "Dr.".
"""

from __future__ import annotations

import re
from functools import partial

from companion.language.en.speakable_numbers import numbers_spoken, products_spoken
from companion.language.marks import EMOJI, INVISIBLE, MARKUP
from companion.language.tables import Table

__all__ = ["products_spoken", "speakable"]

_TABLE = Table.beside(__file__)


def _rules(said: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each pattern named on the left side of a map, and what is said in its place."""
    return tuple((_TABLE.pattern(name), text) for name, text in _TABLE.mapping(said).items())


_SHORTENINGS = _rules("said_for")
_CRIES = _rules("said_for_cries")
_MONTHS = _TABLE.mapping("months")
_MONTH = _TABLE.pattern("short_month")
_ONE_O = _TABLE.words("one_o")

_DRAWN_OUT = re.compile(r"([A-Za-z])\1{2,}")
_ROMAN = re.compile(r"(?<=[A-Za-z]\s)(?:X{1,2}(?:IX|IV|V?I{1,3}|V)|IX|IV|VI{1,3}|I{2,3})\b")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}


def speakable(text: str) -> str:
    """What a voice should read for `text`, on one line; "" when nothing can be said."""
    said = numbers_spoken(INVISIBLE.sub("", text))
    for pattern, instead in _SHORTENINGS:
        said = pattern.sub(instead, said)
    said = _MONTH.sub(lambda month: _MONTHS[month[1]], said)
    said = _ROMAN.sub(lambda numeral: str(_arabic(numeral[0])), said)
    for pattern, cry in _CRIES:
        said = pattern.sub(partial(_cry, cry), said)
    said = _DRAWN_OUT.sub(_shortened, said)
    said = MARKUP.sub(" ", EMOJI.sub(" ", said))
    said = re.sub(r"\s+([,.!?;:…])", r"\1", " ".join(said.split()))
    return said if any(character.isalnum() for character in said) else ""


def _cry(cry: str, found: re.Match[str]) -> str:
    return cry.capitalize() if found[0][0].isupper() else cry


def _arabic(numeral: str) -> int:
    values = [_ROMAN_DIGITS[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _shortened(found: re.Match[str]) -> str:
    """Nooo, sooo, yaaay and wooow keep one letter; zooom and freeee two, as they are spelled."""
    letter = found[1]
    if letter.isupper() and found[0].isupper():
        beside = found.string[: found.start()][-1:] + found.string[found.end() :][:1]
        return letter if any(map(str.isalpha, beside)) else found[0]  # AAA, III
    if letter.lower() == "e":
        return letter * 2
    if letter.lower() == "o":
        before = re.search(r"[A-Za-z]*$", found.string[: found.start()])
        start = before[0] if before else ""
        return letter if start.lower() in _ONE_O else letter * 2
    return letter
