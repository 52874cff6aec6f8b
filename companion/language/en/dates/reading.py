"""Finds dates in a sentence. `expressions` defines the expressions and the days each means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from companion.language.en.dates.expressions import CLUES, EXPRESSIONS
from companion.language.en.verbs import PAST
from companion.language.tables import Table
from companion.language.types import DateSpan

_RE = Table.beside(__file__).patterns()


def mentions(text: str, now: datetime, talks: Sequence[date] = ()) -> list[DateSpan]:
    """The dates that a question speaks of, in order: it looks back unless it says otherwise.

    "Two weeks ago" is widened by three days either way, because people round. `talks` are the days
    of past conversations in order; with them "our first conversation" is a date too.
    """
    plain = _plain(text)
    ahead = _RE.ahead.search(plain) or _RE.asks_ahead.search(plain)
    spans = [_widened(span) for span in _find(text, now.date(), lambda at: bool(ahead))]
    if talks:
        for pattern, day in ((_RE.first_talk, talks[0]), (_RE.last_talk, talks[-1])):
            spans += [DateSpan(day, day, m.group(), m.start()) for m in pattern.finditer(text)]
    return sorted(spans, key=lambda span: span.at)


def in_statement(text: str, said: datetime) -> list[DateSpan]:
    """The dates that a statement speaks of, in order: it looks ahead unless its verb is past."""
    low = text.casefold()
    if not any(clue in low for clue in CLUES):
        return []
    plain = _plain(text)

    def ahead(at: int) -> bool:
        clause = _clause(plain, at)
        return _looks_ahead(clause if _RE.has_a_subject.search(clause) else plain)

    return _find(text, said.date(), ahead)


def is_weekday_alone(words: str) -> bool:
    """Whether an expression is a weekday without a word for which of them."""
    return _RE.weekday_alone.fullmatch(words) is not None


def is_stretch(words: str) -> bool:
    """Whether an expression names the first and the last of its days: "Monday till Friday"."""
    return _RE.stretch.search(words) is not None


def surely_ahead(text: str) -> bool:
    """Whether a sentence says that it looks ahead: by more than having no verb in the past."""
    return _RE.ahead.search(_plain(text)) is not None


def _looks_ahead(plain: str) -> bool:
    return bool(_RE.ahead.search(plain)) or not PAST.search(_RE.feeling.sub("", plain))


def _clause(plain: str, at: int) -> str:
    """The part of a sentence that stands between the marks, or between "and" or "but", around a
    place: "we got eggs and on Friday they hatch" has a tense for each."""
    ends = [each.start() for each in _RE.between_clauses.finditer(plain)]
    begins = max((each for each in ends if each <= at), default=0)
    return plain[begins : min((each for each in ends if each > at), default=len(plain))]


def _plain(text: str) -> str:
    """The text with straight apostrophes, and with hyphens in "twenty second", as the patterns know
    them; its length stays."""
    return _RE.ordinal_of_two.sub(r"\1-\2", text.replace("’", "'"))


def _widened(span: DateSpan) -> DateSpan:
    if span.start != span.end or not _RE.round.search(span.text):
        return span
    slack = timedelta(days=3)
    return DateSpan(span.start - slack, span.end + slack, span.text, span.at)


def _find(text: str, today: date, ahead: Callable[[int], bool]) -> list[DateSpan]:
    """Every expression; the first and longest where two overlap. ahead: whether the words around a
    place look ahead."""
    found: list[DateSpan] = []
    plain = _plain(text)
    for pattern, days_of in EXPRESSIONS:
        for match in pattern.finditer(plain):
            try:
                days = days_of(match, today, ahead(match.start()))
            except (ValueError, OverflowError):  # 31 February; the year 10,000
                continue
            if days is not None and not _RE.any_such_day.search(plain[: match.start()]):
                found.append(DateSpan(*days, text[match.start() : match.end()], match.start()))
    found.sort(key=lambda span: (span.at, -len(span.text)))
    kept: list[DateSpan] = []
    for span in found:
        if not kept or span.at >= kept[-1].at + len(kept[-1].text):
            kept.append(span)
    return _joined([_a_week_on(span, plain) for span in kept], text)


def _a_week_on(span: DateSpan, plain: str) -> DateSpan:
    """A weekday a week later where the next words say so: "Friday. Not this Friday, the next"."""
    if not is_weekday_alone(span.text) or not _RE.the_next_one.match(
        plain[span.at + len(span.text) :]
    ):
        return span
    week = timedelta(days=7)
    return DateSpan(span.start + week, span.end + week, span.text, span.at)


def _joined(spans: list[DateSpan], text: str) -> list[DateSpan]:
    """Neighbours that name one day together, as one: "on Friday next week", "tomorrow, Tuesday"."""
    joined: list[DateSpan] = []
    for span in spans:
        before = joined[-1] if joined else None
        if before is not None and (both := _both(before, span, text)) is not None:
            joined[-1] = both
        else:
            joined.append(span)
    return joined


def _both(first: DateSpan, second: DateSpan, text: str) -> DateSpan | None:
    """One date of two that stand side by side, the second perhaps a day of the first; None when
    each means days of its own."""
    end = first.at + len(first.text)
    if (stretch := _stretch(first, second, text)) is not None:
        return stretch
    if not _RE.between_dates.fullmatch(text[end : second.at]):
        return None
    wide, narrow = sorted((first, second), key=lambda span: span.start - span.end)
    day = narrow.start
    if narrow.start != narrow.end:
        return None
    if wide.start == wide.end and wide.start.weekday() == day.weekday():  # "the 30th, a Saturday"
        day = narrow.start if is_weekday_alone(wide.text) else wide.start
    elif not wide.start <= day <= wide.end:
        if (wide.end - wide.start).days != 6:
            return None
        day = wide.start + timedelta(days=(day.weekday() - wide.start.weekday()) % 7)
    words = text[first.at : second.at + len(second.text)]
    return DateSpan(day, day, words, first.at)


def _stretch(first: DateSpan, second: DateSpan, text: str) -> DateSpan | None:
    """From one day to another: "from Monday till Friday". None where two days do not say so."""
    end = first.at + len(first.text)
    before = text[: first.at]
    until = _RE.until_another.fullmatch(text[end : second.at]) is not None
    if not until or not _RE.from_one.search(before) or _RE.changed_from.search(before):
        return None
    if first.start != first.end or second.start != second.end:
        return None
    last = second.end
    if is_weekday_alone(second.text):
        last = first.start + timedelta(days=(last.weekday() - first.start.weekday()) % 7)
    if last <= first.start:
        return None
    words = text[first.at : second.at + len(second.text)]
    return DateSpan(first.start, last, words, first.at)
