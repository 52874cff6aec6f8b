"""What sounds like an emergency, in words not of now, of something small, or only passed on.

To the classifier "what is the stuff that makes lips swell up" is close to lips that swell, and "my
tummy hurts a bit" to a ruptured appendix. Where the words ask about anybody, tell of what is long
over, or are a small complaint and nothing else, an emergency has to be much surer to be stopped. Of
the other topics that says nothing: children ask about dying, and tell of what was done to them, in
just these forms. Where a rule that was taught, a film or a book is retold, abuse and strangers have
to be surer too.
"""

from __future__ import annotations

import math

from companion import language
from companion.safety.classifier_weights import Danger, log_odds
from companion.safety.verdict import Topic

LESS = 4.0
"""Taken from the log odds. Of the hands' grave sentences two are such questions; with this both are
still cared about."""

SMALL = 6.0
"""The same for a small complaint: what is left to the dialog sends it to a grown-up as well."""

ASKED_BACK = 2.0
"""Of the log odds that words ask for what was told, so much is taken from those that they are
unsafe. Of 26 questions of lives that were stopped 15 pass then, of the hands' grave sentences none
(tests/safety/figures.md)."""

_RETOLD: tuple[Topic, ...] = ("emergency", "abuse", "strangers")
"""What rules, films and books are full of."""


def weighed(danger: Danger, words: str, topic: Topic, *, of_others: bool = False) -> Danger:
    """The danger of words that were taken for `topic`. of_others: they are said among others, to
    whom an allergy is news and a tablet a habit."""
    less = max(_less(words, topic), LESS if of_others and topic == "emergency" else 0.0)
    return lessened(danger, less) if less else danger


def asked_back(danger: Danger, probability: float) -> Danger:
    """The danger of words that ask, and with this probability, 0 to 1, for what the person told."""
    if probability <= 0.5:
        return danger
    return lessened(danger, ASKED_BACK * log_odds(probability))


def lessened(danger: Danger, less: float) -> Danger:
    """less: taken from the log odds."""
    return danger._replace(unsafe=1 / (1 + math.exp(less - log_odds(danger.unsafe))))


def _less(words: str, topic: Topic) -> float:
    """What is taken from the log odds."""
    if topic == "emergency" and language.complaint.is_small(words):
        return SMALL
    told = topic == "emergency" and language.not_now.is_told(words)
    return LESS if told or (topic in _RETOLD and language.retold.is_retold(words)) else 0.0
