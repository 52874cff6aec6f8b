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

from companion.safety.classifier_weights import LEAST_PROBABILITY, Danger
from companion.safety.normalize import plain
from companion.safety.verdict import Topic

SAFE = "safe"
"""The kind of what is about nothing grave."""

MOST = 8.0
"""Log odds of the sentences beyond this count no more."""

OF_SENTENCES = 0.32
OF_WHOLE = 0.914
SHIFT = -1.461
"""The log odds of a message are a weighed sum, and this."""


FEW = 2
BRIEF = 0.9
"""Added for a message of so few sentences: there the classifier of sentences is at home, and little
of what is said so briefly is taken wrongly. Authors that neither knew: plain 96 to 97 % heard,
hints 76 to 81 %, of ordinary messages that short as many as without it."""


def spelled(text: str) -> str:
    """A message as the network reads it: in plain spelling, sentences apart."""
    return " . ".join(found for each in plain(text).split(" .") if (found := each.strip()))


def combined(
    sentences: Danger, whole: Sequence[Mapping[str, float]], *, count: int
) -> Danger:
    """The danger of a message. sentences: of its worst sentence; whole: how likely the message is
    of each kind, for each stretch of it, at least one. count: of its sentences."""
    worst = min(whole, key=lambda each: each[SAFE])
    odds = max(-MOST, min(MOST, _odds(sentences.unsafe)))
    total = OF_SENTENCES * odds - OF_WHOLE * _odds(worst[SAFE]) + SHIFT
    total += BRIEF if count <= FEW else 0.0
    grave = {kind: share for kind, share in worst.items() if kind != SAFE}
    topic = max(grave, key=grave.__getitem__)
    certainty = grave[topic] / max(sum(grave.values()), LEAST_PROBABILITY)
    return Danger(1 / (1 + math.exp(-total)), cast(Topic, topic), certainty)


def _odds(probability: float) -> float:
    kept = min(max(probability, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY)
    return math.log(kept / (1 - kept))
