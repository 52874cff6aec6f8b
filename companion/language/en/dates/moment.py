"""The present moment in words, no finer than people speak of it."""

from __future__ import annotations

from datetime import datetime

from companion.clock import unsure
from companion.language.en.dates.writing import days_away, spelled_day

_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (21, "evening"), (24, "night"))
"""Parts of a day, each with the hour at which it ends."""


def moment(now: datetime) -> str:
    """Day and part of the day; "" when the day is not known.

    >>> moment(datetime(2026, 10, 8, 18, 5))
    'Thursday 8 October 2026, evening'
    """
    if unsure(now):
        return ""
    part = next(name for end, name in _PARTS if now.hour < end)
    return f"{spelled_day(now)}, {part}"


def since(then: datetime, now: datetime) -> str:
    """How long ago something was, by days; "" where either time is not known.

    >>> since(datetime(2026, 10, 6, 20), datetime(2026, 10, 8, 9))
    'two days ago'
    """
    if unsure(then) or unsure(now) or now < then:
        return ""
    if then.date() == now.date():
        return "earlier today"
    return days_away(then.date(), now.date())
