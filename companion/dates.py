"""Dates in plain English: where they stand in a sentence, and which days they mean.

Small models cannot turn "this Wednesday" into a date (paper appendix C.2), so code does, with
the time at which the words were said as base. Only unmistakable expressions are recognised: a
missed date costs little, an invented one is a false memory ("may", "sun" and "on" are words
first). A general date library parses a given phrase, but does not find it, answers with a
moment instead of days, and does not know "this weekend" or "last May"; once the parts of a
phrase are known its arithmetic is one line, so none is used.

Everything is in the local calendar of the time that is passed in. The expressions, and which days
each means: `companion.date_expressions`. How to say a date back: `companion.date_words`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from companion.date_expressions import CLUES, PATTERNS


@dataclass(frozen=True)
class DateSpan:
    """The days that some words mean."""

    start: date
    end: date
    """Included; equal to `start` for a single day."""

    text: str
    """The words, as they stand in the sentence."""

    at: int
    """Where in the sentence they begin."""

    @property
    def iso(self) -> str:
        """As `Memory.event_time` stores it: a day, or `start/end`."""
        if self.start == self.end:
            return self.start.isoformat()
        return f"{self.start.isoformat()}/{self.end.isoformat()}"


def mentions(text: str, now: datetime, talks: Sequence[date] = ()) -> list[DateSpan]:
    """The dates that a question speaks of, in order: it looks back unless it says otherwise.

    "Two weeks ago" is widened by three days either way, for people round. `talks` are the days
    of past conversations in order; with them "our first conversation" is a date too.
    """
    ahead = _AHEAD.search(text) or _ASKS_AHEAD.search(text)
    spans = [_widened(span) for span in _find(text, now.date(), ahead=bool(ahead))]
    if talks:
        for pattern, day in ((_FIRST_TALK, talks[0]), (_LAST_TALK, talks[-1])):
            spans += [DateSpan(day, day, m.group(), m.start()) for m in pattern.finditer(text)]
    return sorted(spans, key=lambda span: span.at)


def in_statement(text: str, said: datetime) -> list[DateSpan]:
    """The dates that a statement speaks of, in order: it looks ahead unless its verb is past."""
    low = text.casefold()
    if not any(clue in low for clue in CLUES):
        return []
    past = not _AHEAD.search(text) and _PAST.search(_FEELING.sub("", text))
    return _find(text, said.date(), ahead=not past)


# --- which way a sentence looks --------------------------------------------------------------

_AHEAD = re.compile(
    r"\b(?:will|shall|going to|gonna|plan|planning|coming|upcoming)\b|['’]ll\b", re.I
)
_ASKS_AHEAD = re.compile(r"\b(?:do|am|is|are) (?:i|we|my|our|there)\b", re.I)
_FEELING = re.compile(r"(?:\b(?:am|is|are|be|feel|so|very|really)|['’](?:m|re|s)) \w+ed\b", re.I)
"""Participles that are no past tense: "I'm excited"."""

_PAST = re.compile(
    r"\b(?:was|were|had|did|didn['’]t|went|saw|got|made|came|gave|took|ate|met|found|told|said|"
    r"bought|brought|broke|fell|won|lost|felt|left|heard|kept|ran|rode|sang|slept|swam|thought|"
    r"taught|wrote|drew|built|caught|grew|hurt|became|began|watched|(?!need|feed|speed)\w\w+ed)\b",
    re.I,
)
_TALK = r"(?:talk(?:ed|ing)?|chat(?:ted)?|spoke|conversation|meeting|met)"
_FIRST_TALK = re.compile(rf"\b(?:our|the) (?:very )?first (?:time we )?{_TALK}\b", re.I)
_LAST_TALK = re.compile(
    rf"\b(?:our (?:last|previous) {_TALK}|(?:the )?last time we {_TALK})\b", re.I
)


def _widened(span: DateSpan) -> DateSpan:
    if span.start != span.end or not re.search(r"\b(?:weeks?|fortnight)\b", span.text, re.I):
        return span
    slack = timedelta(days=3)
    return DateSpan(span.start - slack, span.end + slack, span.text, span.at)


def _find(text: str, today: date, *, ahead: bool) -> list[DateSpan]:
    """Every expression; the first and longest where two overlap."""
    found: list[DateSpan] = []
    for pattern, resolve in PATTERNS:
        for match in pattern.finditer(text):
            try:
                days = resolve(match, today, ahead)
            except (ValueError, OverflowError):  # 31 February; the year 10,000
                continue
            if days is not None:
                found.append(DateSpan(*days, match.group(), match.start()))
    found.sort(key=lambda span: (span.at, -len(span.text)))
    kept: list[DateSpan] = []
    for span in found:
        if not kept or span.at >= kept[-1].at + len(kept[-1].text):
            kept.append(span)
    return kept
