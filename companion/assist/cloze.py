"""The rest of a list, a name, a number, read from where it stands: no model, some milliseconds.

Where two pieces of talk fill the same gap with different words, nothing is said: which of them is
meant is more than a rule can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion import language
from companion.assist.finding import Found
from companion.language.types import Gap

LEFT_TO_A_MODEL = ("asked",)
"""Kinds of gaps that no rule fills."""


@dataclass(frozen=True)
class Filled:
    """An answer, and where it stands."""

    answer: str
    source: Found


def fill(gap: Gap, context: str, found: Sequence[Found]) -> Filled | None:
    """What fills the gap, or None where nothing does for sure. found: the best first."""
    filled: list[Filled] = []
    for each in found:
        if not of_whom(gap, context, each.text):
            continue
        for sentence in language.sentences.split(each.text):
            if answer := _in(gap, sentence, context):
                filled.append(Filled(answer, each))
    answers = {_comparable(each.answer) for each in filled}
    if len(answers) != 1:
        return None
    return max(filled, key=lambda each: each.source.time)


def of_whom(gap: Gap, context: str, text: str) -> bool:
    """Whether a text can be about whom the context speaks of: of those who are named there one is
    named here too, and what is "my" there is "my" here."""
    listed = {stem for item in gap.told for stem in language.words.stems(item)}
    named = language.gaps.owners(context) - listed
    there = language.words.stems(text)
    if named and named.isdisjoint(there):
        return False
    own = language.gaps.ownership(gap.lead)
    if own == "own":
        return language.gaps.own_in(text)
    if own == "other" and not named:
        return not language.gaps.own_in(text)
    return True


def _in(gap: Gap, sentence: str, context: str) -> str:
    if gap.kind == "list":
        return ", ".join(language.gaps.rest_of(gap, sentence))
    answer = language.gaps.filling(gap, sentence)
    new = set(language.words.content(answer)) - set(language.words.content(context))
    return answer if new else ""


def _comparable(answer: str) -> tuple[str, ...]:
    return tuple(sorted(language.words.content(answer)))
