"""What a message is about as a whole, beside what its worst sentence is.

The classifier of sentences was made for what a child says in one or two. In longer talk each
sentence is one more chance to be mistaken: of 2,260 messages of weeks that it had not learnt it
would have stopped or cared about 340, and readers about 35. A second network reads the message
whole (`engines.text_classifier`), and the two are weighed together (`scripts/fit_message_guard.py`;
docs/experiments.md, "The guard in a week's talk").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import cast

from companion.safety.classifier_weights import LEAST_PROBABILITY, Danger, log_odds
from companion.safety.normalize import sentences
from companion.safety.verdict import Topic

SAFE = "safe"
"""The kind of what is about nothing grave."""

MOST = 8.0
"""Log odds of the sentences beyond this count no more."""

OF_SENTENCES = 0.32
OF_WHOLE = 0.914
SHIFT = -1.461
"""The log odds of a message are a weighed sum, and this. Fitted to the first training; the network
was trained once more since, and these were kept."""

FEW = 2
"""A message of so few sentences is what the classifier of sentences was made for: it is judged by
that one alone."""

LONGEST = 36
"""Words of a sentence that is read at once, and not in windows."""

WINDOW = 16
STRIDE = 8
"""Words."""


def is_brief(text: str) -> bool:
    """Whether a message, in plain spelling, has so few sentences; a single one may be long."""
    return len(sentences(text)) <= FEW


def stretches(text: str) -> list[str]:
    """What the network reads of a message, which is in plain spelling: the whole, sentences apart;
    in place of a sentence without an end its windows, so that length hides nothing."""
    said = sentences(text)
    short = [each for each in said if len(each.split()) <= LONGEST]
    found = [" . ".join(short)] if short else []
    for words in (each.split() for each in said if each not in short):
        starts = range(0, len(words) - WINDOW + STRIDE, STRIDE)
        found += [" ".join(words[at : at + WINDOW]) for at in starts]
    return found or [""]


def combined(worst: Danger, whole: Sequence[Mapping[str, float]]) -> Danger:
    """The danger of a message, its topic that of which either is surer. worst: of its worst
    sentence; whole: how likely the message is of each kind, for each stretch of it, at least one.
    """
    read = min(whole, key=lambda each: each[SAFE])
    odds = max(-MOST, min(MOST, log_odds(worst.unsafe)))
    total = OF_SENTENCES * odds - OF_WHOLE * log_odds(read[SAFE]) + SHIFT
    grave = {kind: share for kind, share in read.items() if kind != SAFE}
    topic = cast(Topic, max(grave, key=grave.__getitem__))
    certainty = grave[topic] / max(sum(grave.values()), LEAST_PROBABILITY)
    if worst.certainty > certainty:
        topic, certainty = worst.topic, worst.certainty
    return Danger(1 / (1 + math.exp(-total)), topic, certainty)
