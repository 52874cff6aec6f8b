"""What the classifier of acts sees of a message besides its vector: its form, and its words.

The form are marks that the language's tables find anyway ("is a question", "asks for a timer"), how
long the message is, and whether it follows a question of the toy. Pure; half a millisecond.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.language.types import CLAIM_KINDS
from companion.safety.char_ngrams import hashed_ngrams

Floats = NDArray[np.float32]

VECTOR, PREVIOUS, WORDS = 8.0, 4.0, 8.0
"""How much each part of the features weighs before it is fitted."""

SHORT = 5
"""Words of what may be no more than an answer to a question."""


def form(words: str, said: str, previous: str, name: str) -> list[float]:
    """words: as they were said; said: in the spelling of `wording`; previous: what the toy said
    before, or ""; name: the toy's own."""
    length = len(said.split())
    asked = previous.rstrip(" \"'”’)").endswith("?")
    wanted = language.claims.wants(words)
    marks: list[float | bool] = [
        math.log(length + 1) / 2,
        *(length <= most for most in (1, 2, 4)),
        length >= 15,
        bool(previous),
        asked,
        *(asked and length <= most for most in (2, SHORT)),
        bool(previous) and not asked and length <= 4,
        language.question.asking(words) != "",
        language.question.read(words, None).about_past,
        language.lull.greets(words, name),
        language.claims.plays(words, ()),
        language.pretend_play.opens(words),
        *(wanted == kind for kind in (None, *CLAIM_KINDS)),
        *language.similarity.stance(said),
        *language.lull.marks(words),
        *language.skills.wished_for(language.skills.plain(words, name)),
    ]
    return [float(each) for each in marks]


def features(marks: list[float], said: str, vector: Floats, before: Floats | None) -> Floats:
    """Shape (f,). marks: of `form`; said: in the spelling of `wording`; vector: of `said`, shape
    (d,); before: of what the toy said before, None where it said nothing."""
    earlier = np.zeros_like(vector) if before is None else before
    words = hashed_ngrams([said])[0]
    marked = np.array(marks, dtype=np.float32)
    return np.concatenate([VECTOR * vector, PREVIOUS * earlier, marked, WORDS * words])
