"""The names of the calendar: one table, for reading and for writing."""

from __future__ import annotations

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


def weekday_of(name: str) -> int:
    """0 for Monday. Raises ValueError for what is no weekday."""
    return WEEKDAYS.index(name.capitalize())


def month_of(name: str) -> int:
    """1 for January, also where it is cut short. Raises ValueError for what is no month."""
    beginning = name[:3].capitalize()
    return [month[:3] for month in MONTHS].index(beginning) + 1
