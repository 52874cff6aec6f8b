"""Where somebody else answers better than a pack, however near a wording is."""

from __future__ import annotations

from companion import language
from companion.answering import Heard
from companion.repertoire.index import Near
from companion.repertoire.replies import asks

MOST_WORDS = 14
"""A longer message tells details that a written reply would ignore."""

FEW_WORDS = 2
"""So short a message within a talk goes on from what was said before."""

SHORT_ANSWER = 5
"""Words of a message that may be no more than the answer to a question."""

SAME = 0.97
"""Cosine from which a message is one of the wordings, but for a letter."""


def stays_out(heard: Heard, near: Near, said: str) -> bool:
    """Whether somebody else answers better, however sure the match. said: the words in the spelling
    of `wording`."""
    length = len(said.split())
    if length > MOST_WORDS or (near.entry.alone and heard.previous):
        return True
    if about_past(heard.words) and not about_past(near.wording):
        return True
    same = length > FEW_WORDS and near.likeness.cosine >= SAME
    return goes_on(heard, said) and not (near.entry.after_question or same)


def goes_on(heard: Heard, said: str) -> bool:
    """Whether words may mean something only with what the companion said before: an answer to its
    question, or a word or two."""
    length = len(said.split())
    if not heard.previous or length > SHORT_ANSWER:
        return False
    if length <= FEW_WORDS:
        return True
    return asks(heard.previous) and language.question.asking(heard.words) == ""


def about_past(words: str) -> bool:
    """Whether words ask of the past."""
    return language.question.read(words, None).about_past
