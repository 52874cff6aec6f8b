"""Lengths of time and times of day: read from words, and said in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from companion.language.en.calendar_names import FEASTS, WEEKDAYS, month_of
from companion.language.en.numbers import number_in
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_DURATION = _TABLE.pattern("duration")
_AND_HALF = _TABLE.pattern("and_half")
_ENDS_HALF = re.compile(rf"{_AND_HALF.pattern}$")
_MINUS = _TABLE.pattern("minus")
_PART = _TABLE.pattern("amount_and_unit")
_UNITS = {unit: int(seconds) for unit, seconds in _TABLE.mapping("units").items()}
_AMOUNTS = {words: float(amount) for words, amount in _TABLE.mapping("amounts").items()}
_CLOCK = _TABLE.pattern("clock")
_HALVES = _TABLE.mapping("halves")
_MINUTES = {words: int(minutes) for words, minutes in _TABLE.mapping("minutes").items()}
_DAYS = _TABLE.mapping("days")
_PARTS_OF_DAY = _TABLE.ordered("parts_of_day")


@dataclass(frozen=True)
class TimeOfDay:
    """A time as somebody says it."""

    hour: int
    minute: int
    half: Literal["am", "pm"] | None
    """None: not said; "seven" may be either."""

    day: int | None
    """Days from today; None: not said."""

    span: tuple[int, int]
    """Where it stands in the words."""


def duration(words: str) -> float | None:
    """The length of time in plain words, in seconds; None when there is none.

    >>> duration("an hour and ten minutes"), duration("one and a half minutes")
    (4200.0, 90.0)
    """
    found = duration_in(words)
    return None if found is None else found[0]


def duration_in(words: str) -> tuple[float, tuple[int, int]] | None:
    """The first length of time, in seconds (negative for "minus one second"), and where it is."""
    found = _DURATION.search(words)
    if found is None:
        return None
    seconds, unit = 0.0, 0
    for part in _PART.finditer(found[0]):
        unit = _UNITS[part["unit"]]
        seconds += _amount(part["amount"]) * unit
    if _ENDS_HALF.search(found[0]):
        seconds += unit / 2
    if _MINUS.search(words[: found.start()]):
        seconds = -seconds
    return seconds, found.span()


def _amount(words: str) -> float:
    words = words.strip()
    if words in _AMOUNTS:
        return _AMOUNTS[words]
    half = 0.5 if _AND_HALF.search(words) else 0.0
    bare = _AND_HALF.sub("", words).strip()
    if bare.isdigit():
        return int(bare) + half
    if bare in _AMOUNTS:
        return _AMOUNTS[bare] + half
    return (number_in(bare) or 0) + half


def time_of_day(words: str) -> TimeOfDay | None:
    """The first time of day in plain words.

    >>> found = time_of_day("wake me tomorrow at half past six in the morning")
    >>> found.hour, found.minute, found.half, found.day
    (6, 30, 'am', 1)
    """
    for found in _CLOCK.finditer(words):
        hour = number_in(found["hour"]) if found["hour"] else _HALVES_AT[found["noon"]]
        minute = _minute(found)
        if hour is None or hour > 24 or minute is None:
            continue
        said = found["half"] or found["half_before"]
        half = _HALVES.get(said) if said else None
        if found["noon"]:
            half = "pm" if hour == 12 else "am"
        if found["to"]:
            hour, minute = (hour - 1) % 24, 60 - minute
        day = found["day"] or found["day_before"]
        if day in _DAYS and half is None:
            half = _HALVES.get(day.rpartition(" ")[2])
        return TimeOfDay(
            hour % 24,
            minute,
            "am" if half == "am" else "pm" if half == "pm" else None,
            int(_DAYS[day]) if day in _DAYS else None,
            found.span(),
        )
    return None


_HALVES_AT = {word: int(hour) for word, hour in _TABLE.mapping("noon").items()}


def _minute(found: re.Match[str]) -> int | None:
    words = found["past"] or found["to"] or found["minute"]
    if not words:
        return 0
    minute = _MINUTES.get(words.strip())
    if minute is None:
        minute = number_in(words.removeprefix("o ").removeprefix("oh ").strip())
    return minute if minute is not None and 0 <= minute < 60 else None


def spoken_duration(seconds: float) -> str:
    """A length of time as it is said: the two largest units, seconds only below ten minutes.

    >>> spoken_duration(90), spoken_duration(4200), spoken_duration(1)
    ('1 minute and 30 seconds', '1 hour and 10 minutes', '1 second')
    """
    whole = max(1, round(seconds))
    if whole >= 600:
        whole = round(whole / 60) * 60
    parts = []
    for unit in _TABLE.ordered("spoken_units"):
        count, whole = divmod(whole, _UNITS[unit])
        if count:
            parts.append(f"{count} {unit}{'' if count == 1 else 's'}")
    return " and ".join(parts[:2])


def spoken_time(time: datetime) -> str:
    """A time of day as it is said to a child.

    >>> spoken_time(datetime(2026, 5, 4, 15, 40))
    "20 minutes to 4 in the afternoon"
    """
    hour, minute = time.hour, time.minute
    past = minute <= 30
    shown = (hour if past else hour + 1) % 12 or 12
    count = minute if past else 60 - minute
    quarters = {0: "", 15: "quarter", 30: "half"}
    if count == 0:
        said = f"{shown} o'clock"
    else:
        plural = "" if count == 1 else "s"
        amount = quarters.get(count) or f"{count} minute{plural}"
        said = f"{amount} {'past' if past else 'to'} {shown}"
    part = 3 if hour < 5 else 0 if hour < 12 else 1 if hour < 18 else 2 if hour < 22 else 3
    return f"{said} {_PARTS_OF_DAY[part]}"


def count_of_days(words: str, today: date) -> tuple[str, date | None] | None:
    """The day up to which somebody counts: its name as it is said, and the date; None for the
    date of what only the person knows ("my birthday"). None when no such day is named."""
    for name in sorted(FEASTS, key=len, reverse=True):
        if name in words or name.replace("'", "") in words:
            return name.title().replace("'S", "'s"), _next(*FEASTS[name], today)
    if _TABLE.pattern("birthday").search(words):
        return "your birthday", None
    for number, name in enumerate(WEEKDAYS):
        if name.lower() in words:
            ahead = (number - today.weekday() - 1) % 7 + 1
            return name, today + timedelta(days=ahead)
    return None


def _next(month: int, day: int, today: date) -> date:
    """The next such day, today included."""
    this = date(today.year, month, day)
    return this if this >= today else date(today.year + 1, month, day)


def next_birthday(text: str, today: date) -> date | None:
    """The next birthday, where a sentence tells its day and month: "my birthday is on 3 June"."""
    found = _TABLE.pattern("day_and_month").search(text.lower())
    if found is None:
        return None
    number = int(found["day"] or found["day_after"])
    month = month_of(found["month"] or found["month_before"])
    try:
        return _next(month, number, today)
    except ValueError:  # 29 February
        return None
