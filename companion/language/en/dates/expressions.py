"""The expressions for dates in plain English, and which days each means.

A week begins on Monday. "Next Friday" is the Friday of the next week, "last Friday" the latest
one before today.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from companion.language import calendar_days
from companion.language.en import calendar_names
from companion.language.en.dates import counted_days
from companion.language.en.numbers import number_in
from companion.language.tables import Table
from companion.language.types import Days

_TABLE = Table.beside(__file__)
_NEAR = {
    words: int(shift)
    for entry in ("near_day", "next_to_today")
    for words, shift in _TABLE.mapping(entry).items()
}
_WHICH = _TABLE.mapping("which")
_PERIODS = _TABLE.mapping("periods")
_ROUND_NUMBERS = {
    words: [int(number) for number in numbers.split()]
    for words, numbers in _TABLE.mapping("round_numbers").items()
}
NTH_DAYS = _TABLE.ordered("nth_day")
"""The ordinals of the days of a month, in their order."""

_VERBS_TOO = _TABLE.words("verbs_too")
_FIGURE_WITH_ENDING = _TABLE.pattern("figure_with_ending")
_ON = _TABLE.pattern("on_a_day")
_NEARLY_A_YEAR = 330
_LONG_AGO = 3
"""From so many days back on, "this Saturday" is the one to come, whatever its verb."""


def _near(match: re.Match[str], today: date, ahead: bool) -> Days:
    said = match.group().lower()
    shift = next(shift for words, shift in _NEAR.items() if said.startswith(words))
    day = today + timedelta(days=shift)
    return day, day


def _other_day(match: re.Match[str], today: date, ahead: bool) -> Days:
    return today - timedelta(days=10), today - timedelta(days=1)


def _weekday(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    wanted, which = calendar_names.weekday_of(match["weekday"]), _which(match)
    back = (today.weekday() - wanted) % 7
    forth = (wanted - today.weekday()) % 7
    if which == "last":
        day = today - timedelta(days=back or 7)
    elif which == "next":
        day = today + timedelta(days=7 - today.weekday() + wanted)
    elif which == "coming":
        day = today + timedelta(days=forth or 7)
    elif which == "after next":
        if not ahead:
            return None  # "the other Saturday we fell": some day of the past
        day = today + timedelta(days=(forth or 7) + 7)
    elif not ahead and which == "this" and back > _LONG_AGO:
        day = today + timedelta(days=forth)  # "it was this Saturday, now it's the one after"
    elif ahead and not forth and _ON.match(match.group()):
        day = today + timedelta(days=7)  # today is called so
    else:
        day = today + timedelta(days=forth) if ahead else today - timedelta(days=back)
    if match["week"]:
        day += timedelta(weeks=counted_days.weeks_on(match))
    return day, day


def _not_this_one(match: re.Match[str], today: date, ahead: bool) -> Days:
    day = counted_days.coming(match, today) + timedelta(days=14 if match["nor"] else 7)
    return day, day


def _after_next(match: re.Match[str], today: date, ahead: bool) -> Days:
    monday = today - timedelta(days=today.weekday())
    day = monday + timedelta(days=14 + calendar_names.weekday_of(match["weekday"]))
    return day, day


def _before_last(match: re.Match[str], today: date, ahead: bool) -> Days:
    wanted = calendar_names.weekday_of(match["weekday"])
    day = today - timedelta(days=((today.weekday() - wanted) % 7 or 7) + 7)
    return day, day


def _period(match: re.Match[str], today: date, ahead: bool) -> Days:
    step = 2 if match["after_next"] else {"last": -1, "this": 0, "next": 1}[_which(match)]
    unit = _PERIODS[(match["unit"] or match["after_next"]).lower()]
    if unit == "year":
        return calendar_days.whole_year(today.year + step)
    if unit == "month":
        return calendar_days.month_around(calendar_days.add_months(today.replace(day=1), step))
    if unit == "weekend" and step == 0 and not ahead and today.weekday() < 5:
        step = -1  # "this weekend I went", said on a Monday
    monday = today - timedelta(days=today.weekday() - 7 * step)
    first = monday + timedelta(days=5 if unit == "weekend" else 0)
    return first, monday + timedelta(days=6)


def _ago(match: re.Match[str], today: date, ahead: bool) -> Days:
    return _distance(match, today, -1 if match["ago"] else 1)


def _in_a_while(match: re.Match[str], today: date, ahead: bool) -> Days:
    return _distance(match, today, 1)


def _distance(match: re.Match[str], today: date, sign: int) -> Days:
    unit, words = calendar_names.UNITS[match["unit"].lower()], match["n"].lower()
    counts = _ROUND_NUMBERS.get(words) or [number_in(words) or 0]
    days = sorted(calendar_days.shifted(today, sign * count, unit) for count in counts)
    near, far = days[0], days[-1]
    if unit == "month":
        return calendar_days.month_around(near)[0], calendar_days.month_around(far)[1]
    if unit == "year":
        return calendar_days.whole_year(near.year)[0], calendar_days.whole_year(far.year)[1]
    return near, far


def _month_and_day(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    name, nth = match["month"], int(match["day"])
    if name in _VERBS_TOO and not _FIGURE_WITH_ENDING.search(match.group()):
        return None  # "march 4 miles"
    month = calendar_names.month_of(name)
    if match["year"]:
        day = date(int(match["year"]), month, nth)
    else:
        day = _of_a_year(month, nth, today, ahead=ahead)
    return day, day


def _of_a_year(month: int, nth: int, today: date, *, ahead: bool) -> date:
    """Such a day; the next one where the latest is nearly a year ago and the next is near: "they
    told me it is on the twelfth of March"."""
    day = calendar_days.nearest(month, nth, today, ahead=ahead)
    if not ahead and (today - day).days > _NEARLY_A_YEAR:
        return calendar_days.nearest(month, nth, today, ahead=True)
    return day


def _day_in_words(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    words = match["nth"].lower().removeprefix("the ")
    if match["month"] in _VERBS_TOO and words == match["nth"].lower() and "of" not in match.group():
        return None  # "may first"
    nth = NTH_DAYS.index(words) + 1 if words in NTH_DAYS else number_in(words)
    if nth is None:
        return None
    month = calendar_names.month_of(match["month"])
    if match["year"]:
        day = date(int(match["year"]), month, nth)
    else:
        day = _of_a_year(month, nth, today, ahead=ahead)
    return day, day


def _iso(match: re.Match[str], today: date, ahead: bool) -> Days:
    day = date.fromisoformat(match.group())
    return day, day


def _day_alone(match: re.Match[str], today: date, ahead: bool) -> Days:
    day = calendar_days.nearest_nth(_nth(match["nth"]), today, ahead=ahead)
    return day, day


def _weekday_and_day(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    nth = NTH_DAYS.index(match["nth"].lower()) + 1 if match["nth"] else int(match["day"])
    day = calendar_days.nearest_nth(nth, today, ahead=ahead)
    wanted = calendar_names.weekday_of(match["weekday"])
    return (day, day) if day.weekday() == wanted else None


def _month_alone(match: re.Match[str], today: date, ahead: bool) -> Days:
    month, which = calendar_names.month_of(match["month"]), _which(match)
    year = today.year
    if match["year"]:
        year = int(match["year"])
    elif which == "last" or (which != "next" and not ahead):
        year -= month > today.month or (which == "last" and month == today.month)
    else:
        year += month < today.month or (which == "next" and month == today.month)
    return calendar_days.month_around(date(year, month, 1))


def _year_alone(match: re.Match[str], today: date, ahead: bool) -> Days:
    return calendar_days.whole_year(int(match["year"]))


def _feast(match: re.Match[str], today: date, ahead: bool) -> Days:
    which = _which(match)
    ahead = which == "next" or (ahead and which != "last")
    day = calendar_names.feast_near(match["feast"], today, ahead=ahead)
    return day, day


def _weekend(match: re.Match[str], today: date, ahead: bool) -> Days:
    saturday = today - timedelta(days=today.weekday() - 5)
    if not ahead and today.weekday() < 5:
        saturday -= timedelta(days=7)
    return saturday, saturday + timedelta(days=1)


def _nth_range(match: re.Match[str], today: date, ahead: bool) -> Days | None:
    first, last = _nth(match["first"]), _nth(match["last"])
    begins = calendar_days.nearest_nth(first, today, ahead=ahead)
    ends = calendar_days.nearest_nth(last, begins, ahead=True)
    return (begins, ends) if first < last else None


def _nth(words: str) -> int:
    """A day of a month, in words or figures."""
    words = words.lower()
    return NTH_DAYS.index(words) + 1 if words in NTH_DAYS else int(re.sub(r"\D", "", words))


def _which(match: re.Match[str]) -> str:
    """`last`, `this`, `next` or `coming`; "" for "on" and the like."""
    return _WHICH.get((match["which"] or "").lower(), "")


def _clues() -> Iterator[str]:
    """A set of short words such that every expression contains one of them."""
    names = (
        *calendar_names.NEAR_DAYS,
        *calendar_names.PARTS_OF_DAY,
        *calendar_names.UNITS,
        *calendar_names.WEEKDAYS,
        *calendar_names.MONTHS,
        *calendar_names.FEASTS,
        *calendar_names.MOVING_FEASTS,
        *NTH_DAYS,
    )
    words = {name.lower() for name in names}
    yield from (word for word in words if not any(w in word for w in words - {word}))
    yield from "0123456789"


CLUES = tuple(sorted(_clues()))
"""A text with none of them mentions no date. That is true of four messages in five, and this check
takes a thirtieth of the time that the expressions take."""

DaysOf = Callable[["re.Match[str]", date, bool], "Days | None"]
"""Returns the days that a match means, given the day on which it was said and whether its sentence
looks ahead; None when it is not a date. Raises ValueError, OverflowError for days outside the
calendar."""

_DAYS_OF: dict[str, DaysOf] = {
    "not_this_one": _not_this_one,
    "after_next": _after_next,
    "before_last": _before_last,
    "weekdays_from_now": counted_days.weekdays_from_now,
    "this_time": counted_days.this_time,
    "ago_from": counted_days.ago_from,
    "weekday_beside": counted_days.weekday_beside,
    "nth_range": _nth_range,
    "beside": counted_days.beside,
    "weeks_from": counted_days.weeks_from,
    "near_week": counted_days.near_week,
    "sleeps": counted_days.sleeps,
    "weekday_and_day": _weekday_and_day,
    "near": _near,
    "other_day": _other_day,
    "weekday": _weekday,
    "period": _period,
    "weekend": _weekend,
    "ago": _ago,
    "in_a_while": _in_a_while,
    "month_and_day": _month_and_day,
    "day_and_month": _month_and_day,
    "month_and_nth": _day_in_words,
    "day_in_words": _day_in_words,
    "iso": _iso,
    "day_alone": _day_alone,
    "month_alone": _month_alone,
    "year_alone": _year_alone,
    "feast": _feast,
}
EXPRESSIONS: list[tuple[re.Pattern[str], DaysOf]] = [
    (_TABLE.pattern(entry), days_of) for entry, days_of in _DAYS_OF.items()
]
"""The patterns know a straight apostrophe only."""
