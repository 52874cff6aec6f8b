"""Calendar arithmetic that every language needs: whole months, the nearest 29 February."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

from companion.language.types import Days


def length_of_month(day: date) -> int:
    """28 to 31."""
    return calendar.monthrange(day.year, day.month)[1]


def month_around(day: date) -> Days:
    """The whole month that a day lies in."""
    return day.replace(day=1), day.replace(day=length_of_month(day))


def whole_year(year: int) -> Days:
    """From 1 January to 31 December."""
    return date(year, 1, 1), date(year, 12, 31)


def add_months(day: date, months: int) -> date:
    """The same day of the month so many months later, or the last day of a month that is too short.
    Raises ValueError."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def shifted(day: date, count: int, unit: str) -> date:
    """The day `count` units later. unit: `day`, `week`, `fortnight`, `month` or `year`.

    Raises ValueError, OverflowError for days outside the calendar."""
    days = {"day": 1, "week": 7, "fortnight": 14}.get(unit)
    if days is not None:
        return day + timedelta(days=days * count)
    return add_months(day, count * (12 if unit == "year" else 1))


def nearest(month: int, nth: int, today: date, *, ahead: bool) -> date:
    """The next such day from today on, or the latest one up to today. For 29 February, the nearest
    leap year is used.

    Raises ValueError for a day that the month never has."""
    for step in range(9):
        year = today.year + (step if ahead else -step)
        if nth <= calendar.monthrange(year, month)[1]:
            day = date(year, month, nth)
            if (day >= today) if ahead else (day <= today):
                return day
    raise ValueError("no such day")


def nearest_nth(nth: int, today: date, *, ahead: bool) -> date:
    """The next `nth` day of a month from today on, or the latest one up to today."""
    month = today.replace(day=1)
    while True:  # some months are too short
        if nth <= length_of_month(month):
            day = month.replace(day=nth)
            if (day >= today) if ahead else (day <= today):
                return day
        month = add_months(month, 1 if ahead else -1)


def easter(year: int) -> date:
    """Easter Sunday of the western churches, by the rule of Meeus, Jones and Butcher."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth day of a month that is such a weekday. weekday: 0 for Monday."""
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


def is_month_or_year(start: date, end: date) -> bool:
    """Whether these days are a whole month or a whole year."""
    return (start, end) in (month_around(start), whole_year(start.year))
