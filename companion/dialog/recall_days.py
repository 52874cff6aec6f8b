"""Days in recall: those that a question names, and the turns that speak for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import apsw

from companion.dates import DateSpan, in_statement, mentions
from companion.dialog.notes import READ
from companion.dialog.recall_protocol import TurnKey
from companion.ranking import OFFSET
from companion.store import history, memories, turn_index

A_HINT = 0.3 / OFFSET
"""What lying in a named stretch of days adds to a score: "a few days ago" is easily nine."""

SEASON = 90
"""Days. A date without a year that would lie further ahead is meant to lie behind."""


def days_named(c: apsw.Connection, text: str, now: datetime) -> list[DateSpan]:
    """The days that the words name: "on May 4th", "yesterday", "our first talk".

    A day far ahead is the one a year before: people ask a companion about what was.
    """
    days = mentions(text, now, history.days_of_talk(c))
    far = now.date() + timedelta(days=SEASON)
    return [_year_before(span) if span.start > far else span for span in days]


def told_of(
    c: apsw.Connection, days: list[DateSpan], pool: list[TurnKey], read: int
) -> dict[TurnKey, float]:
    """Turns that were said on those days, and turns of the pool that tell of them, with what
    that adds to their score: a single day decides, a stretch of days is one more hint.

    read: how many of the pool are read for what they tell.
    """
    found: dict[TurnKey, float] = {}
    turns = history.turns_named(c, pool[:read]) if days else {}
    for span in days:
        weight = 1.0 if span.start == span.end else A_HINT
        for key in pool[:read]:
            turn = turns.get(key)
            if turn is not None and turn.user is not None:
                told = in_statement(turn.user.text[:READ], turn.user.time)
                if any(each.start <= span.end and span.start <= each.end for each in told):
                    found[key] = weight
        for key in turn_index.turns_on(c, span.start, span.end):
            if span.start == span.end or key in pool:
                found[key] = weight
    return found


def remembered_of(c: apsw.Connection, days: list[DateSpan]) -> list[int]:
    """Memories of what was told, or took place, on those days."""
    found = (memories.of_days(c, span.start, span.end) for span in days)
    return list(dict.fromkeys(id for ids in found for id in ids))


def _year_before(span: DateSpan) -> DateSpan:
    return replace(span, start=_back(span.start), end=_back(span.end))


def _back(day: date) -> date:
    last_of_february = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if last_of_february else day.day)
