"""Days in recall: those that a question names, and the turns that belong to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

import apsw

from companion import language
from companion.language.types import DateSpan
from companion.recall.notes import READ
from companion.recall.protocol import TurnKey
from companion.store import history, memories, turn_index

A_HINT = 0.03
"""Added to the score of a turn within a named range of days. Only a hint, because "a few days ago"
may well mean nine."""

SEASON = 90
"""Days. A date without a year that would lie further ahead is taken to be in the past."""


def days_named(c: apsw.Connection, text: str, now: datetime) -> list[DateSpan]:
    """The days that the words name: "on May 4th", "yesterday", "our first talk".

    A day far ahead is moved back by a year, because people ask a companion about the past.
    """
    days = language.dates.mentions(text, now, history.days_of_talk(c))
    far = now.date() + timedelta(days=SEASON)
    return [_year_before(span) if span.start > far else span for span in days]


def told_of(c: apsw.Connection, days: list[DateSpan], pool: list[TurnKey]) -> dict[TurnKey, float]:
    """Turns said on those days, and turns of the pool that speak of them, each with what this adds
    to its score: a single day decides, a range of days is only one more hint.
    """
    found: dict[TurnKey, float] = {}
    turns = history.turns_named(c, pool) if days else {}
    for span in days:
        weight = 1.0 if span.start == span.end else A_HINT
        for key in pool:
            turn = turns.get(key)
            if turn is not None and turn.user is not None:
                told = language.dates.in_statement(turn.user.text[:READ], turn.user.time)
                if any(each.start <= span.end and span.start <= each.end for each in told):
                    found[key] = weight
        for key in turn_index.turns_on(c, span.start, span.end):
            if span.start == span.end or key in pool:
                found[key] = weight
    return found


def remembered_of(c: apsw.Connection, days: Iterable[DateSpan]) -> list[int]:
    """Ids of memories of what was told, or took place, on those days."""
    found = (memories.of_days(c, span.start, span.end) for span in days)
    return list(dict.fromkeys(id for ids in found for id in ids))


def _year_before(span: DateSpan) -> DateSpan:
    return replace(span, start=_back(span.start), end=_back(span.end))


def _back(day: date) -> date:
    last_of_february = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if last_of_february else day.day)
