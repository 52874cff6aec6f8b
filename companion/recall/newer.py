"""What was put right later goes before what it was: also in this talk, of which no memory is made.

The night lets a correction take the place of a memory, but the message stays in the log, and until
the night both are only messages. So among those that fit a question, what a later one takes back is
not shown; where it says other things besides, the later one is shown as the better of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from companion import language
from companion.language.types import Correction
from companion.recall.candidates import Candidate
from companion.records import Memory, Message

_LOOKED_AT = 12
"""The best so many messages are compared."""

_WORSE = 0.01
"""How much lower than the correction what it corrects stands."""


@dataclass(frozen=True)
class _Said:
    """A message of the person among the candidates."""

    candidate: Candidate
    message: Message
    sentences: tuple[str, ...]
    coloured: tuple[str, ...]
    """Those of its sentences that tell a colour."""


def newer_first(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, without what a later one of them takes back."""
    said = list(_said(found[:_LOOKED_AT]))
    scores = {id(each): each.score for each in found}
    gone: set[int] = set()
    for late in said:
        corrects = language.correction.read(late.message.text, late.candidate.before)
        for early in said:
            if early.message.seq >= late.message.seq or not (corrects or late.coloured):
                continue
            if not (taken_back := _taken_back(early, late, corrects)):
                continue
            old, new = id(early.candidate), id(late.candidate)
            if taken_back == len(early.sentences):
                gone.add(old)
            scores[new] = max(scores[new], scores[old])
            scores[old] = min(scores[old], scores[new] - _WORSE)
    left = [replace(each, score=scores[id(each)]) for each in found if id(each) not in gone]
    return sorted(left, key=lambda each: -each.score)


def _said(found: Sequence[Candidate]) -> Iterator[_Said]:
    for each in found:
        if isinstance(each.found, Memory) or each.role != "user" or each.found.user is None:
            continue
        parts = tuple(language.sentences.split(each.found.user.text))
        coloured = tuple(part for part in parts if language.similarity.tells_colour(part))
        yield _Said(each, each.found.user, parts, coloured)


def _taken_back(early: _Said, late: _Said, corrects: Correction | None) -> int:
    """How many sentences of a message a later one takes back; none of one that tells of health."""
    of_one = language.similarity.same_but_for_one_value
    gone = 0
    for number, sentence in enumerate(early.sentences):
        line = early.candidate.before if number == 0 else ""
        days = _days(sentence, early.message.time) if corrects else frozenset[str]()
        if corrects and language.correction.outdates(corrects, sentence, line, days):
            gone += 1
            continue
        coloured = late.coloured if sentence in early.coloured else ()
        gone += any(of_one(sentence, each) for each in coloured)
    if gone and any(map(language.dietary.concerns_health, early.sentences)):
        return 0
    return gone


def _days(sentence: str, said: datetime) -> frozenset[str]:
    """Stems of weekday and day of the month of the days that a sentence is about."""
    stem = language.words.stem
    spans = language.dates.in_statement(sentence, said)
    days = [each.start for each in spans if each.start == each.end]
    return frozenset(stem(name) for day in days for name in (f"{day:%A}", str(day.day)))
