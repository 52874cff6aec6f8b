"""The day that somebody's own words are about, if they are about one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta

from companion.language.en import calendar_names, sentences
from companion.language.en.dates.expressions import NTH_DAYS
from companion.language.en.dates.reading import (
    in_statement,
    is_stretch,
    is_weekday_alone,
    mentions,
    surely_ahead,
)
from companion.language.en.numbers import number_in
from companion.language.tables import Table
from companion.language.types import DateSpan

_RE = Table.beside(__file__).patterns()
_MONTH = timedelta(days=27)
_MOST_WEEKDAYS = 3
"""In one sentence; more are a song, or a habit."""

_HALF_A_YEAR = timedelta(days=183)


def days_told(said: str, before: str, time: datetime) -> list[DateSpan]:
    """The days that words are about, each once: one as a rule; several where each sentence has its
    own, and no one of them is the day of all.

    A day that is over counts in the first sentence only: what is told further on ("I asked her
    yesterday") is not what the words are about. One that lies ahead goes before those.

    before: the line that they answer; "Also Thursday" is the Thursday that it names.
    """
    found: list[DateSpan] = []
    today = time.date()
    month: date | None = None
    if _RE.asks_when.search(before) and (feast := _RE.a_feast.match(said)):
        day = calendar_names.feast_near(feast["feast"], today, ahead=True)
        found.append(DateSpan(day, day, feast["feast"], feast.start("feast")))
    for number, sentence in enumerate(sentences.split(said)):
        if found and _RE.taken_back.search(sentence):
            month, found = found[0].start, []  # "Twelfth of December. No, hang on. Eighteenth."
        if month is not None and not found and (only := _RE.nth_alone.match(sentence)):
            found = _nth_of(month, only)
            continue
        if len(found) == 1 and (later := _RE.after_that.search(sentence)):
            found = [_later(found[0], later)]  # "It was this Saturday. Now it's the week after."
            continue
        spans = in_statement(sentence, time)
        if sum(is_weekday_alone(each.text) for each in spans) > _MOST_WEEKDAYS:
            continue  # "Monday Tuesday Wednesday ..."
        for span in spans:
            if _is_of_another_year(span, sentence, today):
                continue
            no_event = any(_RE.no_event.search(each) for each in _with_before(sentence, span))
            any_time = span.end >= today and _RE.at_any_time.search(sentence)
            aside = number and span.end < today and not _leads(sentence, span, found)
            if no_event or any_time or aside:
                continue
            if found and is_weekday_alone(span.text) and _is_that_day(found[0], span):
                continue  # "Halloween. It's on the Saturday."
            found.append(_as_named(span, f"{before} {said}", time))
        if (other := _RE.is_beside.search(sentence)) and (named := found or _named(before, time)):
            found = [_beside(named[-1], other)]  # "Tomorrow's Friday. It's the day after."
        elif found and (beside := _RE.day_beside.search(sentence)):
            found.append(_beside(found[-1], beside))  # "And the day after that we fly home."
    if not found and _RE.asks_of_a_day.search(before) and not _RE.no_answer.match(said):
        looks_back = _RE.asks_back.search(before) is not None
        found = (mentions if looks_back else in_statement)(before, time)  # "What's on Saturday?"
    found = [each for each in found if not any(_is_wider(each, other) for other in found)]
    ahead = [each for each in found if each.end >= today]
    once = {(each.start, each.end): each for each in reversed(ahead or found)}
    return list(reversed(once.values()))


def _with_before(sentence: str, span: DateSpan) -> Iterator[str]:
    """The words of a day, alone and with one and two before them: "since about Saturday"."""
    before = sentence[: span.at].split()
    for number in range(min(3, len(before) + 1)):
        yield " ".join([*before[len(before) - number :], span.text])


def _leads(sentence: str, span: DateSpan, found: list[DateSpan]) -> bool:
    """Whether a sentence begins with a day, and so tells of it: "Not yesterday, the day before"."""
    return not found and _RE.before_a_day.fullmatch(sentence[: span.at]) is not None


def _named(line: str, time: datetime) -> list[DateSpan]:
    """The days that a line names, a feast by its name alone, too."""
    feasts = [
        DateSpan(day, day, each.group(), each.start())
        for each in _RE.any_feast.finditer(line)
        for day in [calendar_names.feast_near(each.group(), time.date(), ahead=True)]
    ]
    return in_statement(line, time) or feasts


def _is_that_day(found: DateSpan, span: DateSpan) -> bool:
    """Whether a weekday may be that of a later day that was named before."""
    same = found.start == found.end and found.start.weekday() == span.start.weekday()
    return same and found.start > span.start


def _beside(span: DateSpan, words: re.Match[str]) -> DateSpan:
    """The day before or after one that was named."""
    day = timedelta(days=1 if words["side"].lower() == "after" else -1)
    return DateSpan(span.start + day, span.end + day, words.group(), words.start())


def _later(span: DateSpan, words: re.Match[str]) -> DateSpan:
    """A day so much later than one that was named before."""
    number = number_in((words["n"] or "a").lower()) or 1
    days = timedelta(days=number * (1 if words["unit"].lower() == "day" else 7))
    return DateSpan(span.start + days, span.end + days, words.group(), words.start())


def _nth_of(month: date, words: re.Match[str]) -> list[DateSpan]:
    """A day of a month that was named before; [] where it has no such day."""
    nth = words["nth"].lower()
    number = NTH_DAYS.index(nth) + 1 if nth in NTH_DAYS else int(nth[:-2])
    try:
        day = month.replace(day=number)
    except ValueError:
        return []
    return [DateSpan(day, day, words["nth"], words.start("nth"))]


def _is_of_another_year(span: DateSpan, sentence: str, today: date) -> bool:
    """Whether days lie in a year that is only hinted at: "First of March, fifty-two", or a whole
    month that is nearer in the year before ("he broke it in June")."""
    if _RE.year_in_words.match(sentence[span.at + len(span.text) :]):
        return True
    if not _MONTH <= span.end - span.start <= timedelta(days=31) or surely_ahead(sentence):
        return False
    bare = not re.search(r"\d|next", span.text, re.IGNORECASE)
    return bare and span.start - today > _HALF_A_YEAR


def _is_wider(span: DateSpan, other: DateSpan) -> bool:
    """Whether one names the month or week of the other: "in August, on the ninth"; or lies in a
    stretch that is named from its first day to its last."""
    if is_stretch(other.text) and other is not span and other.start <= span.start:
        return span.end <= other.end or span.end - span.start <= timedelta(days=6)
    if is_stretch(span.text):
        return False
    longer = other.end - other.start < span.end - span.start
    return longer and span.start <= other.start and other.end <= span.end


def _as_named(span: DateSpan, around: str, time: datetime) -> DateSpan:
    """A weekday as the words around have it, where they name a later one of the same name."""
    if span.start != span.end or not is_weekday_alone(span.text):
        return span
    for other in in_statement(around, time):
        same = other.start == other.end and other.start.weekday() == span.start.weekday()
        if same and other.start > span.start:
            return DateSpan(other.start, other.end, span.text, span.at)
    for number in _RE.nth.finditer(around):
        for month in (span.start, span.start.replace(day=28) + timedelta(days=4)):
            [day] = [each.start for each in _nth_of(month, number)] or [span.start]
            if day > span.start and day.weekday() == span.start.weekday():
                return DateSpan(day, day, span.text, span.at)  # "It's the Friday now, the 25th"
    return span
