"""Dates as they are said: written out in a memory, and relative to today when it is recalled."""

from __future__ import annotations

from datetime import date, datetime

from companion.clock import unsure
from companion.language.calendar_days import is_month_or_year, whole_year
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.dates.reading import in_statement
from companion.language.en.numbers import spelled
from companion.language.tables import Table
from companion.language.types import Days, parse_iso

_TABLE = Table.beside(__file__)
_PREPOSITION = _TABLE.pattern("preposition")
_PRESENT = _TABLE.pattern("present")
_PAST_OF = _TABLE.mapping("past_of")


def with_dates(statement: str, said: datetime) -> str:
    """The statement with its relative dates written out, so that it stays true tomorrow.

    >>> with_dates("The user has a test tomorrow.", datetime(2026, 10, 6, 17))
    'The user has a test on 7 October 2026.'
    """
    for span in reversed(in_statement(statement, said)):
        words = span.text.rstrip(".")  # the full stop of the sentence, or of "3rd Feb."
        head, tail = statement[: span.at], statement[span.at + len(words) :]
        head = _PREPOSITION.sub("", head)
        statement = head + _written((span.start, span.end)) + tail
    return statement[:1].upper() + statement[1:]


def spoken(event_time: str, today: date) -> str:
    """A stored event time as it is said today. Raises ValueError.

    >>> spoken("2026-10-07", date(2026, 10, 8))
    'yesterday, Wednesday 7 October'
    """
    start, end = parse_iso(event_time)
    if start == end:
        weekday = WEEKDAYS[start.weekday()]
        return f"{days_away(start, today)}, {weekday} {_day(start)}{_year(start, today)}"
    if start <= today <= end:
        return f"about now, {_days((start, end), today)}"
    near = start if today < start else end
    return f"{days_away(near, today)}, {_days((start, end), today)}"


def when(event_time: str, today: date) -> str:
    """The same as a predicate, so that what is over reads as past. Raises ValueError.

    >>> when("2026-10-07", date(2026, 10, 8))
    'was yesterday, Wednesday 7 October'
    """
    over = parse_iso(event_time)[1] < today
    return f"{'was' if over else 'is'} {spoken(event_time, today)}"


def as_past(statement: str) -> str:
    """What was said of a day ahead, once the day is over: its first verb in the past.

    >>> as_past("The user is going to swim on 7 October 2026.")
    'The user was going to swim on 7 October 2026.'
    """
    return _PRESENT.sub(lambda verb: _PAST_OF[verb.group().lower()], statement, count=1)


def day_and_distance(day: date, today: date) -> str:
    """A day with how far away it is, for who cannot reckon with dates; the year only where it is
    not this one.

    >>> day_and_distance(date(2026, 10, 3), date(2026, 10, 8))
    'Saturday 3 October (five days ago)'
    """
    named = f"{WEEKDAYS[day.weekday()]} {_day(day)}{_year(day, today)}"
    return f"{named} ({days_away(day, today)})"


def told_when(day: date | None, today: date) -> str:
    """When something was told, within a sentence; a weekday where that is enough. None: nobody
    knows.

    >>> told_when(date(2026, 10, 2), date(2026, 10, 8))
    'on Friday'
    """
    if day is None:
        return "once"
    ago = (today - day).days
    if ago == 0:
        return "earlier today"
    if ago == 1:
        return "yesterday"
    if ago < 7:
        return f"on {WEEKDAYS[day.weekday()]}"
    return f"on {_day(day)}{_year(day, today)}"


def spelled_day(time: datetime) -> str:
    """`Friday 28 April 2023`: the date as a question would say it; "" when it is not known."""
    return "" if unsure(time) else f"{WEEKDAYS[time.weekday()]} {_day(time)} {time.year}"


def _written(days: Days) -> str:
    start, end = days
    if start == end:
        return f"on {_day(start)} {start.year}"
    preposition = "in" if is_month_or_year(start, end) else "between"
    return f"{preposition} {_days(days, None).replace(' to ', ' and ')}"


def _days(days: Days, today: date | None) -> str:
    """A range of days; the year only where it is not this one."""
    start, end = days
    if days == whole_year(start.year):
        return str(start.year)
    if is_month_or_year(start, end):
        return f"{MONTHS[start.month - 1]}{_year(start, today)}"
    if start.month == end.month and start.year == end.year:
        return f"{start.day} to {_day(end)}{_year(end, today)}"
    first_year = "" if start.year == end.year else _year(start, today)
    return f"{_day(start)}{first_year} to {_day(end)}{_year(end, today)}"


def days_away(day: date, today: date) -> str:
    """How far a day is from today: "yesterday", "in two weeks"."""
    days = (day - today).days
    if days in (-1, 0, 1):
        return ("yesterday", "today", "tomorrow")[days + 1]
    size = abs(days)
    if size < 14:
        count, unit = size, "day"
    elif size < 60:
        count, unit = round(size / 7), "week"
    elif size < 700:
        count, unit = round(size / 30.44), "month"
    else:
        count, unit = round(size / 365.25), "year"
    distance = f"{spelled(count)} {unit}s"
    return f"in {distance}" if days > 0 else f"{distance} ago"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]}"


def _year(day: date, today: date | None) -> str:
    return "" if today is not None and day.year == today.year else f" {day.year}"
