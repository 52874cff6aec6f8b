"""The names of the calendar: one table, for reading and for writing."""

from __future__ import annotations

from datetime import date, timedelta

from companion.language import calendar_days
from companion.language.tables import Table

_TABLE = Table.beside(__file__)

WEEKDAYS = _TABLE.ordered("weekdays")
"""As they are written, Monday first, as `date.weekday` counts."""

MONTHS = _TABLE.ordered("months")
"""As they are written, January first."""

NEAR_DAYS = _TABLE.ordered("near_days")
PARTS_OF_DAY = _TABLE.ordered("parts_of_day")

UNITS = _TABLE.mapping("units")
"""Words in small letters for `day`, `week`, `fortnight`, `month` and `year`."""

FEASTS: dict[str, tuple[int, int]] = {
    feast: (int(day[:2]), int(day[3:])) for feast, day in _TABLE.mapping("feasts").items()
}
"""Month and day by the name in small letters."""


MOVING_FEASTS: dict[str, tuple[str, ...]] = {
    feast: tuple(rule.split()) for feast, rule in _TABLE.mapping("moving_feasts").items()
}
"""`easter` and days after it, or month, weekday and which of those in the month."""


def feast(name: str, year: int) -> date:
    """The day of a feast in a year."""
    name = name.lower()
    if name in FEASTS:
        return date(year, *FEASTS[name])
    rule = MOVING_FEASTS[name]
    if rule[0] == "easter":
        return calendar_days.easter(year) + timedelta(days=int(rule[1]))
    month, weekday, nth = map(int, rule)
    return calendar_days.nth_weekday(year, month, weekday, nth)


def feast_near(name: str, today: date, *, ahead: bool) -> date:
    """The next such feast from today on, or the latest up to today."""
    day = feast(name, today.year)
    if ahead and day < today:
        return feast(name, today.year + 1)
    return feast(name, today.year - 1) if not ahead and day > today else day


def weekday_of(name: str) -> int:
    """0 for Monday. Raises ValueError for what is no weekday."""
    return WEEKDAYS.index(name.capitalize())


def month_of(name: str) -> int:
    """1 for January, also where it is cut short. Raises ValueError for what is no month."""
    beginning = name[:3].capitalize()
    return [month[:3] for month in MONTHS].index(beginning) + 1
