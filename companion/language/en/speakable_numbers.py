"""Numbers with whatever is written beside them: units, money, times, dates, ranges, fractions.

Digits stay digits wherever espeak-ng reads them right.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from companion.language.en.calendar_names import MONTHS
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_COINS = _TABLE.mapping("coins")
_HUNDREDTHS = _TABLE.mapping("hundredths")
_PLURALS = _TABLE.mapping("plurals")
_SINGULARS = {many: one for one, many in _PLURALS.items()}
_UNITS = _TABLE.mapping("units")
_POWERS = _TABLE.mapping("powers")
_SCALES = _TABLE.mapping("scales")
_TENS = _TABLE.ordered("tens")
_PARTS = dict(enumerate(_TABLE.ordered("parts"), start=2))
_SMALL_PARTS = _TABLE.mapping("small_parts")
_PRODUCT = _TABLE.pattern("product")


def numbers_spoken(text: str) -> str:
    """`text` with its numbers in a form that espeak-ng reads as a person would."""
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


def products_spoken(text: str) -> str:
    """`text` with "times" for the star or cross between two numbers."""
    return _PRODUCT.sub(" times ", text)


def _money(found: re.Match[str]) -> str:
    coin, part = _COINS[found[1]], _HUNDREDTHS[found[1]]
    amount, scale = found[2], found[3]
    whole, _, cents = amount.partition(".")
    if scale:
        return f"{amount} {scale} {coin}s"
    if len(cents) != 2:
        return f"{amount} {coin}{'' if amount == '1' else 's'}"
    small = f"{int(cents)} {part if int(cents) == 1 else _plural(part)}"
    large = f"{whole} {coin}{'' if whole == '1' else 's'}"
    if not int(cents):
        return large
    return small if whole == "0" else f"{large} and {small}"


def _time(found: re.Match[str]) -> str:
    """3:05 and 3:00: what espeak-ng reads as "three zero five"."""
    hour, minute, noon = int(found[1]), found[2], found[3]
    if minute != "0":
        return f"{hour} oh {minute}"
    if noon:
        return str(hour)
    if hour > 12:
        return f"{hour - 12} {'pm' if hour < 24 else 'am'}"
    return f"{hour} o'clock"


def _measure(found: re.Match[str]) -> str:
    number, joint, unit, power = found.groups()
    words = _UNITS[unit]
    if number == "1" or joint == "-":
        first, _, rest = words.partition(" ")
        words = _SINGULARS.get(first, first.removesuffix("s")) + (f" {rest}" if rest else "")
    if power:
        words = f"{_POWERS[power]} {words}"
    return f"{number} {words}"


def _decade(found: re.Match[str]) -> str:
    century = f"{found[1]} " if found[1] else ""
    return century + _TENS[int(found[2]) - 1]


def _fraction(found: re.Match[str]) -> str:
    whole, above, below = found[1], int(found[2]), int(found[3])
    if below not in _PARTS or above >= below:
        return f"{whole + ' ' if whole else ''}{above} over {below}"
    part = _PARTS[below]
    words = f"{above} {_plural(part)}" if above > 1 else f"one {part}"
    return f"{whole} and {words}" if whole else words


def _plural(word: str) -> str:
    return _PLURALS.get(word, word + "s")


def _years(found: re.Match[str]) -> str:
    """1914-1918; the second one needs no help from 2000 on."""
    until = found[3]
    second = until if until.startswith("20") else _century(until[:2], until[2:])
    return f"{_century(found[1], found[2])} to {second}"


def _century(century: str, rest: str) -> str:
    if rest == "00":
        return f"{century} hundred"
    return f"{century} {'oh ' + rest[1] if rest[0] == '0' else rest}"


def _digits(found: re.Match[str]) -> str:
    return ", ".join(" ".join(group) for group in found[0].split("-"))


_Instead = str | Callable[[re.Match[str]], str]
_INSTEAD: dict[str, _Instead] = {
    **_TABLE.mapping("said_for"),
    "money": _money,
    "iso_date": lambda date: f"{MONTHS[int(date[2]) - 1]} {int(date[3])}, {date[1]}",
    "time": _time,
    "degrees": lambda found: f"{found[1]} degrees {_SCALES[found[2]]}",
    "phone": _digits,
    "countdown": lambda numbers: numbers[0].replace("-", ", "),
    "fraction": _fraction,
    "small_part": lambda found: f"{found[1]} and {_SMALL_PARTS[found[2]]}",
    "decade": _decade,
    "years": _years,
    "year": lambda found: found[1] + _century(found[2], found[3]),
    "measure": _measure,
}
_RULES = [(_TABLE.pattern(rule), _INSTEAD[rule]) for rule in _TABLE.ordered("rules")]
