"""What sounds like an emergency, in words that are not of now.

To the classifier "what is the stuff that makes lips swell up" is close to lips that swell. Where
the words ask about anybody, or tell of what is long over, an emergency has to be much surer to be
stopped. Of the other topics that says nothing: children ask about dying, and tell of what was done
to them, in just these forms.
"""

from __future__ import annotations

import math

from companion import language
from companion.safety.classifier_weights import LEAST_PROBABILITY, Danger
from companion.safety.verdict import Topic

LESS = 4.0
"""Taken from the log odds. Of the hands' grave sentences two are such questions; with this both are
still cared about."""


def weighed(danger: Danger, words: str, topic: Topic) -> Danger:
    """The danger of words that were taken for `topic`."""
    if topic != "emergency" or not language.not_now.is_told(words):
        return danger
    unsafe = min(max(danger.unsafe, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY)
    odds = math.log(unsafe / (1 - unsafe)) - LESS
    return danger._replace(unsafe=1 / (1 + math.exp(-odds)))
