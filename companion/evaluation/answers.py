"""Marking an answer: by keywords, and by whether it says that nothing is known."""

from __future__ import annotations

from dataclasses import dataclass

from companion import language
from companion.evaluation.keywords import is_right
from companion.evaluation.sets import Question

NEVER_TOLD = "never_told"
"""The type of questions whose answer was never told: right is who says so."""

NOT_TOLD = frozenset({NEVER_TOLD, "forget", "trap", "pretend", "unanswerable"})
"""Types of questions after which "I don't know" is no refusal of something told."""


@dataclass(frozen=True)
class Mark:
    """What an answer is worth."""

    right: bool
    admitted: bool
    """It says that its speaker does not know."""


def mark(question: Question, answer: str) -> Mark:
    """By keywords; of something never told, right when that is admitted and nothing made up."""
    admitted = language.not_knowing.admits(answer)
    right = is_right(answer, question.all_of, question.none_of)
    return Mark(right and (admitted or question.type != NEVER_TOLD), admitted)
