"""An answer, cut to what is missing, and held to what was shown. Pure.

No lead-in ("Her name is"), no word that stands in context or question, nothing that was not asked.
Each word and number that is left has to stand in a piece that was shown, or follow from its day;
else nothing is said at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion import language
from companion.assist.finding import Found

_WORD = re.compile(r"[^\W_]+(?:(?:['’.-]|(?<=\d)[,:](?=\d))[^\W_]+)*")
_INNER = 2
"""Words that say nothing may stand between two that do: "Ticket to Ride"."""


def concise(answer: str, context: str, question: str, most: int) -> str:
    """What of an answer is missing, at most `most` characters, cut at a word; "" where nothing is
    left.

    >>> concise("Her name is Emily and she works as a software engineer", "She is an engineer",
    ...         "her name and what kind?", 40)
    'Emily, software'
    """
    text = language.gaps.without_lead(" ".join(answer.split()).strip(" \"'“”.,;:!-"))
    known = language.words.stems(f"{context} {question}")
    spans = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    new = [_is_new(text[start:end], known) for start, end in spans]
    runs: list[tuple[int, int]] = []
    for at, is_new in enumerate(new):
        if not is_new:
            continue
        if runs and _belongs(text, spans, runs[-1][1], at, known):
            runs[-1] = runs[-1][0], at
        else:
            runs.append((at, at))
    parts = [text[spans[first][0] : spans[last][1]] for first, last in runs]
    return cut(", ".join(dict.fromkeys(parts)), most)


def cut(text: str, most: int) -> str:
    """At most so many characters, up to the end of a part of it, else at a word that may end one.

    >>> cut("farinata with rosemary, black at the edge", 38)
    'farinata with rosemary'
    """
    if len(text) <= most:
        return text
    kept = text[: most + 1]
    kept = kept.rpartition(", ")[0] or kept.rpartition(" ")[0] or text[:most]
    words = kept.split(" ")
    while len(words) > 1 and not language.words.content(words[-1]):
        words.pop()
    return " ".join(words).rstrip(" ,;:.-")


def grounded(
    answer: str, found: Sequence[Found], question: str = "", context: str = ""
) -> list[Found]:
    """The pieces that bear an answer out: one that has all of it, else those that have its parts
    between them. [] where a word of it stands in none, or none speaks of what was asked, and of
    whom. question: "" where it is enough that the words stand there."""
    past = language.gaps.of_a_past_day(question)
    holding = [each for each in found if _about(answer, each, question, context, past=past)]
    whole = [each for each in holding if _holds(answer, each, past=past)]
    if whole:
        return whole[:1]
    sources: list[Found] = []
    for part in answer.split(", "):
        of_part = [each for each in holding if _holds(part, each, past=past)]
        if not of_part:
            return []
        sources += [each for each in of_part[:1] if each not in sources]
    return sources


def _about(answer: str, piece: Found, question: str, context: str, *, past: bool) -> bool:
    """Whether a piece speaks of what was asked, and of whom."""
    if not question:
        return True
    named = language.gaps.owners(question)
    if not named and language.gaps.points_back(question):
        named = language.gaps.owners(context)
    there = language.words.stems(piece.text)
    if named and named.isdisjoint(there):
        return False
    dated = f"{piece.text} {_days(piece, past=past)}"
    parts = (answer, *answer.split(", "))
    return any(language.recollection.borne_out(each, question, dated) for each in parts)


def _is_new(word: str, known: frozenset[str]) -> bool:
    return not language.gaps.leads(word) and language.words.stem(word) not in known


def _belongs(
    text: str, spans: list[tuple[int, int]], last: int, at: int, known: frozenset[str]
) -> bool:
    """Whether a word goes on the run that ended with `last`: next to it, or in one name with it."""
    between = text[spans[last][1] : spans[at][0]]
    skipped = [text[start:end] for start, end in spans[last + 1 : at]]
    if re.search(r"[,;:]", between) or (len(skipped) > 1 and language.gaps.joins(between)):
        return False
    if not skipped:
        return True
    named = text[spans[last][0]].isupper() and text[spans[at][0]].isupper()
    short = len(skipped) <= _INNER and not any(
        language.words.stem(each) in known and not language.gaps.leads(each) for each in skipped
    )
    return short and (named or not any(language.gaps.states(each) for each in skipped))


def _holds(part: str, piece: Found, *, past: bool) -> bool:
    wanted = language.words.content(part) or list(language.words.stems(part))
    # A year by itself is said in words, or not at all: each day means one.
    days = "" if part.isdigit() else _days(piece, past=past)
    there = language.words.stems(f"{piece.text} {days}")
    return bool(wanted) and there.issuperset(wanted)


def _days(piece: Found, *, past: bool) -> str:
    """The days that its words mean ("tomorrow"); past: the day on which it was said too, where it
    is asked when something was."""
    days = [piece.time.date()] if past else []
    for span in language.dates.in_statement(piece.text, piece.time):
        days += [span.start, span.end]
    return " ".join(f"{day:%A} {day.day} {day:%B} {day.year}" for day in days)
