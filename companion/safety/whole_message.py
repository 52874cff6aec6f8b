"""What a message is about as a whole, beside what its worst sentence is.

The classifier of sentences hears words, and little of what they mean together; and in longer talk
each sentence is one more chance to be mistaken: of 2,260 messages of weeks that it had not learnt
it would have stopped or cared about 340, and readers about 35. A second network reads the message
whole (`engines.text_classifier`), and the two are weighed together, in short messages otherwise
than in long ones (`scripts/fit_message_guard.py`; docs/experiments.md, "The guard in a week's talk"
and "Short messages, read whole").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from companion.safety.classifier_weights import LEAST_PROBABILITY, Danger, log_odds
from companion.safety.normalize import sentences
from companion.safety.verdict import Topic

SAFE = "safe"
"""The kind of what is about nothing grave."""

MOST = 8.0
"""Log odds of the sentences beyond this count no more."""

FEW = 2
"""A message of so few sentences is short."""

LONGEST = 36
"""Words of a sentence that is read at once, and not in windows."""

WINDOW = 16
STRIDE = 8
"""Words."""


@dataclass(frozen=True)
class Weighing:
    """The log odds of a message are a weighed sum of those of its worst sentence and of the whole.
    Fitted to authors that neither classifier had learnt."""

    of_sentences: float
    of_whole: float
    shift: float


SHORT = Weighing(0.462, 0.853, -0.529)
LONG = Weighing(0.32, 0.914, -1.461)
"""Fitted to an earlier training; a fit to the last one finds as much of each kind."""

SEES = 0.6
"""Where no sentence of a short message is more dangerous than this to the classifier of sentences,
the other alone does not stop it."""

MOST_UNSECONDED = 0.85
"""Danger of such a message at most: what is surely stopped is over it, what is cared about under.
"""

EVEN = 0.5
"""Where the whole is safe by less, and a sentence is not, the surer of both counts."""

SURELY_SAFE = 0.8
LEAST_HEARD = 0.3
"""What has a sentence of this danger, a little over `classifier.CARE`, keeps it unless the whole is
surely safe."""


def weighing(text: str) -> Weighing:
    """That of a message in plain spelling; one of a single sentence is short however long it is."""
    return SHORT if len(sentences(text)) <= FEW else LONG


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


def combined(
    worst: Danger, whole: Sequence[Mapping[str, float]], weighed: Weighing = LONG
) -> Danger:
    """The danger of a message, its topic that of which either is surer. worst: of its worst
    sentence; whole: how likely the message is of each kind, for each stretch of it, at least one.
    """
    read = min(whole, key=lambda each: each[SAFE])
    odds = max(-MOST, min(MOST, log_odds(worst.unsafe)))
    total = weighed.of_sentences * odds - weighed.of_whole * log_odds(read[SAFE]) + weighed.shift
    unsafe = 1 / (1 + math.exp(-total))
    if weighed is SHORT:
        if worst.unsafe <= SEES:
            unsafe = min(unsafe, MOST_UNSECONDED)
        elif read[SAFE] < EVEN:
            unsafe = max(unsafe, worst.unsafe)
        if worst.unsafe >= LEAST_HEARD and read[SAFE] < SURELY_SAFE:
            unsafe = max(unsafe, LEAST_HEARD)
    grave = {kind: share for kind, share in read.items() if kind != SAFE}
    topic = cast(Topic, max(grave, key=grave.__getitem__))
    certainty = grave[topic] / max(sum(grave.values()), LEAST_PROBABILITY)
    if worst.certainty > certainty:
        topic, certainty = worst.topic, worst.certainty
    return Danger(unsafe, topic, certainty)
