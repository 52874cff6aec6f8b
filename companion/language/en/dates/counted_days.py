"""Days that are counted from another: "a week from tomorrow", "two Sundays from now"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from companion.language import calendar_days
from companion.language.en import calendar_names
from companion.language.en.numbers import number_in
from companion.language.types import Days

_NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}


def weekdays_from_now(match: re.Match[str], today: date, ahead: bool) -> Days:
    weeks = (number_in(match["n"].lower()) or 1) - 1
    day = coming(match, today + timedelta(days=1)) + timedelta(weeks=weeks)
    return day, day


def weeks_from(match: re.Match[str], today: date, ahead: bool) -> Days:
    if match["weekday"]:
        wanted = calendar_names.weekday_of(match["weekday"])
        day = today + timedelta(days=(wanted - today.weekday()) % 7)
    else:
        day = today + timedelta(days=match["near"].lower() == "tomorrow")
    weeks = 2 if match["weeks"] is None else number_in(match["weeks"].lower()) or 1
    return day + timedelta(weeks=weeks), day + timedelta(weeks=weeks)


def beside(match: re.Match[str], today: date, ahead: bool) -> Days:
    after = match["side"] != "before"
    if match["feast"]:
        day = calendar_names.feast_near(match["feast"], today, ahead=ahead)
    elif match["near"]:
        day = today + timedelta(days=_NEAR[match["near"].lower()])
    elif (match["which"] or "").lower() == "next":
        day = today + timedelta(days=7 - today.weekday())
        day += timedelta(days=calendar_names.weekday_of(match["weekday"]))
    else:
        day = coming(match, today if ahead else today - timedelta(days=6))
    count = number_in((match["n"] or "one").lower()) or 1
    count *= 7 if (match["step"] or "").lower() == "week" else 1
    day += timedelta(days=count if after else -count)
    return day, day


def weekday_beside(match: re.Match[str], today: date, ahead: bool) -> Days:
    feast = calendar_names.feast_near(match["feast"], today, ahead=ahead)
    wanted = calendar_names.weekday_of(match["weekday"])
    if match["side"].lower() == "after":
        day = feast + timedelta(days=(wanted - feast.weekday()) % 7 or 7)
    else:
        day = feast - timedelta(days=(feast.weekday() - wanted) % 7 or 7)
    return day, day


def ago_from(match: re.Match[str], today: date, ahead: bool) -> Days:
    unit, count = calendar_names.UNITS[match["unit"].lower()], number_in(match["n"].lower()) or 1
    near = today - timedelta(days=match["near"].lower() == "yesterday")
    day = calendar_days.shifted(near, -count, unit)
    return day, day


def this_time(match: re.Match[str], today: date, ahead: bool) -> Days:
    day = today + timedelta(days=1 if match["near"] else 7)
    return day, day


def near_week(match: re.Match[str], today: date, ahead: bool) -> Days:
    days = 7 * weeks_on(match) + (match["near"].lower() == "tomorrow")
    return today + timedelta(days=days), today + timedelta(days=days)


def sleeps(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    if not (ahead or match["more"] or match["until"]):
        return None  # "the baby had two sleeps"
    day = today + timedelta(days=number_in(match["n"].lower()) or 1)
    return day, day


def weeks_on(match: re.Match[str]) -> int:
    """Of "Tuesday week", "Tuesday fortnight"."""
    return 1 if match["week"].lower() == "week" else 2


def coming(match: re.Match[str], first: date) -> date:
    """The first weekday of that name from a day on."""
    wanted = calendar_names.weekday_of(match["weekday"])
    return first + timedelta(days=(wanted - first.weekday()) % 7)
