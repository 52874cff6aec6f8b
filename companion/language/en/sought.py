"""What a question asks for, or an open sentence goes on with, and where a text has something of
that kind: an hour, a day, a number, a name, a colour, or any thing.

Extractive question answering by answer type: no model, and nothing here knows what is true.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.en import gaps, sentences
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.words import ARTICLES, content, stem, stems
from companion.language.tables import Table
from companion.language.types import Sought, Span

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_GAPS = Table.beside(gaps.__file__)
_NAME = re.compile(rf"(?<![\w]){_GAPS.source('a_name')}(?:\s+\d+\b)?", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS))
_PRONOUNS = _TABLE.words("pronouns")
_CLAUSE = re.compile(r"[.!?;,]")
_NO_THINGS = _TABLE.words("no_things")

_TYPED: tuple[Sought, ...] = ("hour", "day", "number", "colour")
_ASKED: tuple[tuple[str, tuple[Sought, ...]], ...] = (
    ("asks_hour", ("hour",)),
    ("asks_day", ("day",)),
    ("asks_when", ("day", "hour")),
    ("asks_colour", ("colour",)),
    ("asks_number", ("number",)),
    ("asks_name", ("name",)),
    ("asks_where", ("name", "thing")),
)
_OPEN: tuple[tuple[str, tuple[Sought, ...]], ...] = (
    ("ends_for_number", ("number",)),
    ("ends_for_colour", ("colour",)),
    ("ends_for_name", ("name", "thing")),
    ("ends_for_when", ("day", "hour")),
    ("ends_for_day", ("day",)),
    ("ends_for_place", ("name", "thing")),
)


LOOKS_BACK = 30
"""Characters around a thing in which it may be denied."""


def asked(question: str) -> tuple[Sought, ...]:
    """What kinds of things may answer a question; ("thing",) where it does not show."""
    return next(
        (kinds for name, kinds in _ASKED if getattr(_RE, name).search(question)), ("thing",)
    )


def rest(question: str) -> bool:
    """Whether a question asks for what was not said yet of several things."""
    return _RE.asks_rest.search(question) is not None


def goes_on(lead: str, *, time: bool = False) -> tuple[Sought, ...]:
    """What kinds of things an open sentence may go on with. time: a day or an hour is open."""
    if time:
        return ("hour",) if _RE.ends_for_hour.search(lead) else ("day", "hour")
    return next((kinds for name, kinds in _OPEN if getattr(_RE, name).search(lead)), ("thing",))


def spans(text: str) -> list[Span]:
    """The things of a text that may be an answer; those that it denies are left out."""
    return [each for each in _all(text) if not _denies(text, each)]


def may_be(answer: str, kinds: Sequence[Sought], question: str) -> bool:
    """Whether an answer may be of the kinds that are asked for, as far as that can be seen."""
    if not gaps.of_kind(answer, question):
        return False
    if not counts(answer, question):
        return False
    seen = set(kinds) & set(_TYPED)
    if not seen or len(seen) < len(kinds):
        return True
    hour = "hour" in seen and _RE.bare_hour.fullmatch(answer) is not None
    return hour or any(each.kind in seen for each in _all(answer))


def depends_on_today(answer: str) -> bool:
    """Whether an answer is a day that depends on when it was said: "tomorrow"."""
    return _RE.relative_day.match(answer.strip()) is not None


def counts(answer: str, question: str) -> bool:
    """Whether a number counts what is asked for, as far as that can be seen: years where an age is,
    money where a price is; of "how many eggs" no weeks."""
    unit = _RE.measured.search(answer)
    if unit is None:
        return True
    if _RE.asks_label.search(question):
        return False
    for kind in ("age", "price", "length"):
        if getattr(_RE, f"asks_{kind}").search(question):
            return getattr(_RE, f"counts_{kind}").search(answer) is not None
    of = _RE.how_many.search(question)
    return of is None or stem(of["of"]) in stems(answer)


def denied(text: str) -> frozenset[str]:
    """Stems of what a text says is not so, or no longer."""
    return frozenset(
        each
        for span in _all(text)
        if span.kind != "thing" and _denies(text, span)
        for each in content(text[span.start : span.end])
    )


def thing(text: str) -> str:
    """A thing without how much of it there is, and whose: "a box of brass screws".

    >>> thing("two buckets of wood glue")
    'wood glue'
    """
    return _RE.quantity.sub("", text, count=1).strip() or text


def goes_with(between: str) -> bool:
    """Whether what stands between two things makes one answer of them: a comma, "and", "at"."""
    return _RE.between.fullmatch(between) is not None


def _all(text: str) -> list[Span]:
    found: list[Span] = []
    for begin, end in sentences.spans(text):
        found += _in_sentence(text, begin, end)
    return found


def _in_sentence(text: str, begin: int, end: int) -> list[Span]:
    sentence = text[begin:end]
    found: list[Span] = []
    taken: list[tuple[int, int]] = []
    for kind in _TYPED:
        for match in getattr(_RE, kind).finditer(sentence):
            a, b = match.span()
            if any(a < y and x < b for x, y in taken):
                continue
            taken.append((a, b))
            found.append(Span(begin + a, begin + b, kind))
    for match in _NAME.finditer(sentence):
        a, b = match.span()
        if any(a < y and x < b for x, y in taken) and b - a < 8:
            continue
        while (first := _WORD.match(sentence, a)) and _is_no_name(first[0], at_start=a == 0):
            a = first.end() + 1
        if a >= b or not content(sentence[a:b]) or _DAYS.issuperset(content(sentence[a:b])):
            continue
        found.append(Span(begin + a, begin + b, "name"))
    found += [Span(begin + a, begin + b, "thing") for a, b in _chunks(sentence)]
    return found


def _is_no_name(word: str, *, at_start: bool) -> bool:
    plain = word.lower().replace("’", "'")
    return plain in ARTICLES or plain in _PRONOUNS or (at_start and plain in _NO_THINGS)


def _chunks(sentence: str) -> list[tuple[int, int]]:
    """Runs of words that carry meaning: noun phrases, as far as can be seen without a tagger."""
    found: list[tuple[int, int]] = []
    last = -1
    for match in _WORD.finditer(sentence):
        word = match[0]
        plain = word.lower().replace("’", "'")
        if plain in _NO_THINGS or (not content(word) and not word[0].isdigit()):
            last = -1
            continue
        gap = sentence[last : match.start()] if last >= 0 else "x"
        if gap.strip(" '") == "" and found:
            found[-1] = found[-1][0], match.end()
        else:
            found.append((match.start(), match.end()))
        last = match.end()
    return found


def _denies(text: str, span: Span) -> bool:
    before = _CLAUSE.split(text[max(0, span.start - LOOKS_BACK) : span.start])[-1]
    after = text[span.end : span.end + LOOKS_BACK]
    return _RE.not_it.search(before) is not None or _RE.no_more.match(after) is not None
