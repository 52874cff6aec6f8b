"""What was put right later goes before what it was: also in this talk, of which no memory is made.

The night lets a correction take the place of a memory, but the message stays in the log, and until
the night both are only messages. So among those that fit a question, what a later one takes back is
not shown; where it says other things besides, the later one is shown as the better of the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from companion import language
from companion.language.types import Correction
from companion.recall.candidates import Candidate
from companion.records import Memory

_LOOKED_AT = 12
"""The best so many messages are compared."""

_WORSE = 0.01
"""How much lower than the correction what it corrects stands."""


@dataclass(frozen=True)
class Words:
    """A message of the person, compared with later ones."""

    text: str
    before: str
    """What the companion had said before it."""

    time: datetime | None = None
    """When it was said; None: weekdays are only compared as words."""

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(language.sentences.split(self.text))

    @cached_property
    def coloured(self) -> tuple[str, ...]:
        """Those of its sentences that tell a colour."""
        return tuple(filter(language.similarity.tells_colour, self.sentences))

    @cached_property
    def corrects(self) -> Correction | None:
        return language.correction.read(self.text, self.before)


def newer_first(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, without what a later one of them takes back."""
    said = [(each, words) for each in found[:_LOOKED_AT] if (words := _words(each)) is not None]
    said.sort(key=lambda each: each[0].seq)
    scores = {id(each): each.score for each in found}
    ranks = {id(each): each.rank for each in found}
    gone: set[int] = set()
    for number, (late, late_words) in enumerate(said):
        for early, words in said[:number]:
            if not (sentences := taken_back(words, late_words)):
                continue
            if sentences == len(words.sentences):
                gone.add(id(early))
            for of in (scores, ranks):
                of[id(late)] = max(of[id(late)], of[id(early)])
                of[id(early)] = min(of[id(early)], of[id(late)] - _WORSE)
    left = [
        replace(each, score=scores[id(each)], nearby=ranks[id(each)] - scores[id(each)])
        for each in found
        if id(each) not in gone
    ]
    return sorted(left, key=lambda each: -each.rank)


def taken_back(early: Words, late: Words) -> int:
    """How many sentences of a message a later one takes back; none of one that tells of health."""
    if not (late.corrects or late.coloured):
        return 0
    of_one = language.similarity.same_but_for_one_value
    gone = 0
    for number, sentence in enumerate(early.sentences):
        line = early.before if number == 0 else ""
        if late.corrects and language.correction.outdates(
            late.corrects, sentence, line, _days(sentence, early.time)
        ):
            gone += 1
            continue
        coloured = late.coloured if sentence in early.coloured else ()
        gone += any(of_one(sentence, each) for each in coloured)
    if gone and any(map(language.dietary.concerns_health, early.sentences)):
        return 0
    return gone


def _words(each: Candidate) -> Words | None:
    if isinstance(each.found, Memory) or each.role != "user" or each.found.user is None:
        return None
    return Words(each.found.user.text, each.before, each.found.user.time)


def _days(sentence: str, said: datetime | None) -> frozenset[str]:
    """Stems of weekday and day of the month of the days that a sentence is about."""
    if said is None:
        return frozenset()
    stem = language.words.stem
    spans = language.dates.in_statement(sentence, said)
    days = [each.start for each in spans if each.start == each.end]
    return frozenset(stem(name) for day in days for name in (f"{day:%A}", str(day.day)))
