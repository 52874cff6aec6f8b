"""The expressions for dates in plain English, and which days each means.

A week begins on Monday. "Next Friday" is the Friday of the next week, "last Friday" the latest
one before today.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from datetime import date, timedelta

Days = tuple[date, date]
"""First and last day, both included."""

_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_WEEKDAYS = {name.lower(): n for n, name in enumerate(calendar.day_name)}
_FEASTS = {
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
}
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNTS = {word: (n, n) for n, word in enumerate(_SMALL, start=1)} | {
    "a": (1, 1),
    "an": (1, 1),
    "a couple of": (2, 3),
    "a few": (2, 7),
    "several": (3, 10),
}


def _near_today(match: re.Match[str], today: date, ahead: bool) -> Days:
    words = " ".join(match.group().lower().split())
    shift = 0
    if "before yesterday" in words:
        shift = -2
    elif words.startswith(("yesterday", "last night")):
        shift = -1
    elif "after tomorrow" in words:
        shift = 2
    elif words.startswith("tomorrow"):
        shift = 1
    day = today + timedelta(days=shift)
    return day, day


def _other_day(match: re.Match[str], today: date, ahead: bool) -> Days:
    return today - timedelta(days=10), today - timedelta(days=1)


def _weekday(match: re.Match[str], today: date, ahead: bool) -> Days:
    wanted = _WEEKDAYS[match["weekday"].lower()]
    which = (match["which"] or "").lower()
    back = (today.weekday() - wanted) % 7
    forth = (wanted - today.weekday()) % 7
    if which == "last":
        day = today - timedelta(days=back or 7)
    elif which == "next":
        day = today + timedelta(days=7 - today.weekday() + wanted)
    elif "coming" in which:
        day = today + timedelta(days=forth or 7)
    else:
        day = today + timedelta(days=forth) if ahead else today - timedelta(days=back)
    if match["week"]:
        day += timedelta(days=7)
    return day, day


def _period(match: re.Match[str], today: date, ahead: bool) -> Days:
    step = {"last": -1, "this": 0, "next": 1}[match["which"].lower()]
    unit = match["unit"].lower()
    if unit == "year":
        return _year_of(today.year + step)
    if unit == "month":
        return _month_of(_add_months(today.replace(day=1), step))
    if unit == "weekend" and step == 0 and not ahead and today.weekday() < 5:
        step = -1  # "this weekend I went", said on a Monday
    monday = today - timedelta(days=today.weekday() - 7 * step)
    first = monday + timedelta(days=5 if unit == "weekend" else 0)
    return first, monday + timedelta(days=6)


def _distance(match: re.Match[str], today: date, ahead: bool) -> Days:
    sign = -1 if match.group().lower().endswith("ago") else 1
    number, unit = match["n"].lower(), match["unit"].lower()
    counts = (int(number), int(number)) if number.isdigit() else _COUNTS[number]
    near, far = sorted(_shifted(today, sign * count, unit) for count in counts)
    if unit == "month":
        return _month_of(near)[0], _month_of(far)[1]
    if unit == "year":
        return _year_of(near.year)[0], _year_of(far.year)[1]
    return near, far


def _calendar_day(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    name, nth = match["month"], int(match["day"])
    if name in ("may", "march") and not re.search(r"\d(?:st|nd|rd|th)\b", match.group()):
        return None  # in small letters they are verbs: "march 4 miles"
    month = _MONTHS[next(full for full in _MONTHS if full.startswith(name.lower()[:3]))]
    if match["year"]:
        day = date(int(match["year"]), month, nth)
    else:
        day = _nearest(month, nth, today, ahead)
    return day, day


def _iso_day(match: re.Match[str], today: date, ahead: bool) -> Days:
    day = date.fromisoformat(match.group())
    return day, day


def _day_of_month(match: re.Match[str], today: date, ahead: bool) -> Days:
    nth, month = int(match["day"]), today.replace(day=1)
    while True:  # some months are too short
        if nth <= calendar.monthrange(month.year, month.month)[1]:
            day = month.replace(day=nth)
            if (day >= today) if ahead else (day <= today):
                return day, day
        month = _add_months(month, 1 if ahead else -1)


def _whole_month(match: re.Match[str], today: date, ahead: bool) -> Days:
    month, which = _MONTHS[match["month"].lower()], match["which"].lower()
    year = today.year
    if match["year"]:
        year = int(match["year"])
    elif which == "last" or (which != "next" and not ahead):
        year -= month > today.month or (which == "last" and month == today.month)
    else:
        year += month < today.month or (which == "next" and month == today.month)
    return _month_of(date(year, month, 1))


def _whole_year(match: re.Match[str], today: date, ahead: bool) -> Days:
    return _year_of(int(match["year"]))


def _feast(match: re.Match[str], today: date, ahead: bool) -> Days:
    month, nth = _FEASTS[match["feast"].lower().replace("’", "'")]
    which = match["which"].lower()
    day = _nearest(month, nth, today, which == "next" or (ahead and which != "last"))
    return day, day


def _month_of(day: date) -> Days:
    return day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _year_of(year: int) -> Days:
    return date(year, 1, 1), date(year, 12, 31)


def _add_months(day: date, months: int) -> date:
    """The same day, months on; the last of a month that is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _shifted(day: date, count: int, unit: str) -> date:
    days = {"day": 1, "week": 7, "fortnight": 14}.get(unit)
    if days is not None:
        return day + timedelta(days=days * count)
    return _add_months(day, count * (12 if unit == "year" else 1))


def _nearest(month: int, nth: int, today: date, ahead: bool) -> date:
    """The next such day from today on, or the latest up to today; 29 February waits for one."""
    for step in range(9):
        year = today.year + (step if ahead else -step)
        if nth <= calendar.monthrange(year, month)[1]:
            day = date(year, month, nth)
            if (day >= today) if ahead else (day <= today):
                return day
    raise ValueError("no such day")


CLUES = (
    *("day", "night", "morning", "afternoon", "evening", "week", "month", "year", "tomorrow"),
    *("halloween", "christmas", *_MONTHS, *"0123456789"),
)
"""A text with none of them speaks of no date. Four of five messages are such, and looking for
these takes a thirtieth of the time that the expressions take."""

_N = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNIT = r"(?P<unit>day|week|fortnight|month|year)s?"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_MONTH_OR_SHORT = (
    rf"(?P<month>{'|'.join(_MONTHS)}|(?:jan|feb|apr|aug|sept?|oct|nov|dec)(?=\.?(?: \d|,|$|\W)))\.?"
)
_WEEKDAY = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_NTH = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_TH = r"(?:st|nd|rd|th)"
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d)\b)?"
_PART = r"(?: (?:morning|afternoon|evening|night)\b)?"
_FEAST = "|".join(_FEASTS).replace("'", "['’]")
_NO_S = r"(?!['’]s)"

Resolve = Callable[["re.Match[str]", date, bool], "Days | None"]
"""The days that a match means, by the day on which it was said and whether its sentence looks
ahead. None: it is no date. Raises ValueError, OverflowError for days that no calendar has."""

PATTERNS: list[tuple[re.Pattern[str], Resolve]] = [
    (re.compile(pattern, re.I), resolve)
    for pattern, resolve in (
        (
            r"\b(?:the day before yesterday|the day after tomorrow|last night|today|tonight"
            rf"|(?:yesterday|tomorrow)\b{_PART}|this (?:morning|afternoon|evening))\b{_NO_S}",
            _near_today,
        ),
        (r"\bthe other day\b", _other_day),
        (
            r"(?<!\bevery )\b(?:(?P<which>on|last|next|this coming|coming|this|by|until) )?"
            rf"{_WEEKDAY}\b{_PART}(?P<week> week\b)?{_NO_S}"
            r"(?! (?:morning|afternoon|evening|night)s)",
            _weekday,
        ),
        (
            rf"\b(?P<which>last|this|next) (?P<unit>weekend|week|month|year)\b{_NO_S}",
            _period,
        ),
        (rf"\b{_N} {_UNIT} (?:ago|from now|from today)\b", _distance),
        (rf"\bin {_N} {_UNIT}\b(?! (?:time )?of)(?! (?:old|ago))", _distance),
        (
            rf"\b{_MONTH_OR_SHORT} {_NTH}(?:{_TH})?\b{_YEAR}"
            r"(?! (?!is\b|was\b|as\b|this\b)[a-z]+s\b)",
            _calendar_day,
        ),
        (rf"\b(?:the )?{_NTH}(?:{_TH}\b)?(?: of)? {_MONTH_OR_SHORT}(?!\w){_YEAR}", _calendar_day),
        (r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)", _iso_day),
        (rf"\bon the {_NTH}{_TH}\b(?! (?:of )?[a-z]+)", _day_of_month),
        (
            rf"\b(?P<which>in|last|next|this|since|until|during) {_MONTH}\b{_YEAR}(?! \d|['’])",
            _whole_month,
        ),
        (r"\b(?:in|since|during) (?P<year>(?:19|20)\d\d)\b(?!-\d)", _whole_year),
        (
            rf"\b(?P<which>on|at|for|last|next|this|until|by) (?P<feast>{_FEAST})\b(?!['’]s)"
            r"(?! (?:tree|present|card|story|song|party))",
            _feast,
        ),
    )
]
