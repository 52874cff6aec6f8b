"""Numbers with whatever is written beside them: units, money, times, dates, ranges, fractions.

Digits stay digits wherever espeak-ng reads them right.
"""

from __future__ import annotations

import re
from collections.abc import Callable

NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"

COINS = {"$": ("dollar", "cent"), "£": ("pound", "penny"), "€": ("euro", "cent")}
MONEY = re.compile(rf"([$£€])\s?({NUMBER})(?:\s(hundred|thousand|million|billion)\b)?")

UNITS = {
    "km/h": "kilometers per hour", "kph": "kilometers per hour", "mph": "miles per hour",
    "m/s": "meters per second", "km": "kilometers", "cm": "centimeters", "mm": "millimeters",
    "m": "meters", "mi": "miles", "ft": "feet", "yd": "yards", "kg": "kilograms",
    "mg": "milligrams", "g": "grams", "lb": "pounds", "lbs": "pounds", "oz": "ounces", "ml": "milliliters",
    "mL": "milliliters", "l": "liters", "L": "liters", "sec": "seconds", "secs": "seconds",
    "s": "seconds", "min": "minutes", "mins": "minutes", "h": "hours", "hr": "hours",
    "hrs": "hours", "yrs": "years", "GB": "gigabytes", "MB": "megabytes",
}  # fmt: skip
ONE = {"feet": "foot", "pounds": "pound"}
UNIT = "|".join(sorted(UNITS, key=len, reverse=True))
MEASURE = re.compile(rf"(?<![\w.])({NUMBER})(\s|-)?({UNIT})([²³])?(?![\w'’/])")
DEGREES = re.compile(rf"({NUMBER})\s?°\s?([CF])\b")
SCALES = {"C": "Celsius", "F": "Fahrenheit"}

TIME = re.compile(
    r"(?<![\d:.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])(?:\s?([AaPp])\.?[Mm]\b(?:\.(?=\s[a-z\d]))?)?"
)
ISO_DATE = re.compile(r"\b(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
RANGE = re.compile(rf"(?<![\w.,-])({NUMBER})\s?[-–—]\s?({NUMBER})(?![\w-]|[.,]\d)")
COUNTDOWN = re.compile(r"\b\d+(?:-\d+){2,}\b")
DECADE = re.compile(r"(?<![\w.])['’]?(1[1-9]|20)?([1-9])0['’]?s\b")
TENS = "tens twenties thirties forties fifties sixties seventies eighties nineties".split()
CENTURIES = {str(number): str(number) for number in range(11, 20)} | {"20": "20"}
YEAR = re.compile(
    r"(?i)(?<=\b)((?:in|since|from|until|till|by|of|year|around|about|before|after|during|and|to"
    r"|spring|summer|autumn|fall|winter)\s|(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december)(?:\s\d{1,2})?,?\s)(1[1-9])(\d\d)\b(?![,.]?\d|\s?[a-z]*%)"
)
FRACTION = re.compile(r"(?<![\w/.])(?:(\d+)\s)?(\d{1,2})/(\d{1,2})(?![\w/]|\.\d)")
PARTS = {
    2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth",
    9: "ninth", 10: "tenth",
}  # fmt: skip
WITH_HALF = re.compile(r"(\d)\s?([½¼¾⅓⅔])")
SMALL_PARTS = {
    "½": "a half",
    "¼": "a quarter",
    "¾": "three quarters",
    "⅓": "a third",
    "⅔": "two thirds",
}
BY = re.compile(r"(?<=\d)\s?x\s?(?=\d)")

SIGNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=\d)\s+[-−–]\s+(?=\d)"), " minus "),
    (re.compile(r"(?<=\d)\s+/\s+(?=\d)"), " divided by "),
    (re.compile(r"(?<=\w)²"), " squared"),
    (re.compile(r"(?<=\w)³"), " cubed"),
    (re.compile(r"(?<=\d)\^2\b"), " squared"),
    (re.compile(r"(?<=\d)\^3\b"), " cubed"),
    (re.compile(r"(?<=\d)\^(?=\d)"), " to the power of "),
    (re.compile(r"[~≈]\s?(?=\d)"), "about "),
    (re.compile(r"(?<=\w)\s*≥\s*(?=\w)"), " is at least "),
    (re.compile(r"(?<=\w)\s*≤\s*(?=\w)"), " is at most "),
    (re.compile(r"(?<=\d)\s*>\s*(?=\d)"), " is more than "),
    (re.compile(r"(?<=\d)\s*<\s*(?=\d)"), " is less than "),
    (re.compile(r"(?<![\w.])\.(?=\d)"), "0."),
)


def numbers_spoken(text: str) -> str:
    """`text` with its numbers in a form that espeak-ng reads as a person would."""
    rules: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
        (MONEY, _money),
        (ISO_DATE, lambda date: f"{MONTHS[int(date[2]) - 1]} {int(date[3])}, {date[1]}"),
        (TIME, _time),
        (DEGREES, lambda found: f"{found[1]} degrees {SCALES[found[2]]}"),
        (COUNTDOWN, lambda numbers: numbers[0].replace("-", ", ")),
        (FRACTION, _fraction),
        (WITH_HALF, lambda number: f"{number[1]} and {SMALL_PARTS[number[2]]}"),
    )
    for pattern, instead in rules:
        text = pattern.sub(instead, text)
    for sign, words in SIGNS[:2]:
        text = sign.sub(words, text)
    text = RANGE.sub(_range, text)
    text = MEASURE.sub(_measure, text)
    text = DECADE.sub(_decade, text)
    text = YEAR.sub(_year, text)
    text = BY.sub(" by ", text)
    for sign, words in SIGNS[2:]:
        text = sign.sub(words, text)
    return text


def _money(found: re.Match[str]) -> str:
    coin, part = COINS[found[1]]
    amount, scale = found[2], found[3]
    whole, _, cents = amount.partition(".")
    if scale:
        return f"{amount} {scale} {coin}s"
    if len(cents) != 2:
        return f"{amount} {coin}{'' if amount == '1' else 's'}"
    few = "pence" if part == "penny" else part + "s"
    small = f"{int(cents)} {part if int(cents) == 1 else few}"
    large = f"{whole} {coin}{'' if whole == '1' else 's'}"
    if not int(cents):
        return large
    return small if whole == "0" else f"{large} and {small}"


def _time(found: re.Match[str]) -> str:
    hour, minutes, half = int(found[1]), found[2], found[3]
    if half:
        noon = f" {half.lower()}m"
    elif hour > 12 and minutes == "00":
        hour, noon = hour - 12, " pm" if hour < 24 else " am"
    else:
        noon = " o'clock" if minutes == "00" else ""
    if minutes == "00":
        return f"{hour}{noon}"
    return f"{hour} {'oh ' + minutes[1] if minutes[0] == '0' else minutes}{noon}"


def _range(found: re.Match[str]) -> str:
    return f"{found[1]} to {found[2]}"


def _measure(found: re.Match[str]) -> str:
    number, joint, unit, power = found.groups()
    words = UNITS[unit]
    if number == "1" or joint == "-":
        first, _, rest = words.partition(" ")
        words = ONE.get(first, first.removesuffix("s")) + (f" {rest}" if rest else "")
    if power:
        words = f"{'square' if power == '²' else 'cubic'} {words}"
    return f"{number} {words}"


def _decade(found: re.Match[str]) -> str:
    century = f"{found[1]} " if found[1] else ""
    return century + TENS[int(found[2]) - 1]


def _year(found: re.Match[str]) -> str:
    before, century, rest = found.groups()
    if rest == "00":
        return f"{before}{century} hundred"
    return f"{before}{century} {'oh ' + rest[1] if rest[0] == '0' else rest}"


def _fraction(found: re.Match[str]) -> str:
    whole, above, below = found[1], int(found[2]), int(found[3])
    if below not in PARTS or above >= below:
        return f"{whole + ' ' if whole else ''}{above} over {below}"
    part = PARTS[below]
    if above > 1:
        part = "halves" if part == "half" else part + "s"
    words = f"{'one' if above == 1 else above} {part}"
    return f"{whole} and {words}" if whole else words
