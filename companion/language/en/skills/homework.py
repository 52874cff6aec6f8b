"""Which word is to be spelt, and which sum is asked for."""

from __future__ import annotations

from pathlib import Path

from companion.language.en.numbers import number_in
from companion.language.tables import Table

_TABLE = Table(Path(__file__).with_name("homework.yaml"))
_SPELL = _TABLE.pattern("spell")
_SUM = _TABLE.pattern("sum")
_ADDED = _TABLE.pattern("added")
_BESIDE = _TABLE.pattern("beside")
_COUNT = _TABLE.pattern("count")
_NO_WORD = _TABLE.words("no_word")
_SIGNS = _TABLE.mapping("signs")
_HUNDRED = "hundred"

Sum = tuple[int, str, int]
"""Two numbers and what stands between them: + - * /"""


def to_spell(plain: str) -> str | None:
    """The one word that plain words want spelt; None for none."""
    found = _SPELL.search(plain)
    return found["word"] if found and found["word"] not in _NO_WORD else None


def sum_of(plain: str) -> Sum | None:
    """The sum that plain words ask for; None for none.

    >>> sum_of("what is seven times eight")
    (7, '*', 8)
    """
    sign = "+"
    if (found := _SUM.search(plain)) is not None:
        sign = _SIGNS[found["sign"]]
    elif (found := _ADDED.search(plain)) is None:
        return None
    one, other = _number(found["one"]), _number(found["other"])
    return None if one is None or other is None else (one, sign, other)


def beside(plain: str) -> tuple[int, int] | None:
    """The number whose neighbour plain words ask for, and 1 for the one after it, -1 for the one
    before; None for none.

    >>> beside("what comes after twenty nine")
    (29, 1)
    """
    if (found := _BESIDE.search(plain)) is None or (one := _number(found["one"])) is None:
        return None
    step = 1 if found["where"] == "after" else -1
    return (one, step) if one + step >= 0 else None


def count_to(plain: str) -> tuple[int, bool] | None:
    """The number to which the toy is to count, and whether down from it; None for none."""
    if (found := _COUNT.search(plain)) is None or (one := _number(found["one"])) is None:
        return None
    return one, found["down"] is not None


def in_words(one: int, sign: str, other: int) -> str:
    """A sum as it is said: "7 times 8"."""
    said = {"+": "plus", "-": "take away", "*": "times", "/": "divided by"}
    return f"{one} {said[sign]} {other}"


def _number(text: str) -> int | None:
    if text.isdigit():
        return int(text)
    hundreds, found, rest = text.partition(_HUNDRED)
    if not found:
        return number_in(text)
    many = 1 if hundreds.strip() == "a" else number_in(hundreds.strip())
    rest = rest.strip().removeprefix("and").strip()
    left = number_in(rest) if rest else 0
    return None if many is None or left is None else 100 * many + left
