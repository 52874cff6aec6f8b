"""What the words show about the end of a turn: a child searching for the next word is not done, and
one who has asked something is waiting for the answer.

Only words that hardly ever end a spoken sentence count, so that an answer is rarely delayed.
"""

from __future__ import annotations

from companion.language.en.transcripts import words_of
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_LEADING_ON = _TABLE.words("leading_on")
_LEADING_ON_PAIRS = _TABLE.words("leading_on_pairs")

FEWEST_ASKED = 3
"""Words of a question: "What?" may go on."""


def unfinished(text: str) -> bool:
    """Whether a transcript breaks off. The transcriber's final punctuation is ignored, except for
    a dash or an ellipsis."""
    words = words_of(text)
    if not words:
        return False
    trails_off = text.rstrip().endswith(("...", "…", "-", "–", "—", ","))
    return trails_off or words[-1] in _LEADING_ON or " ".join(words[-2:]) in _LEADING_ON_PAIRS


def asks(text: str) -> bool:
    """Whether a transcript is a complete question. A transcriber ends any words with a full stop,
    so that shows nothing; it writes a question mark for word order and intonation."""
    return text.rstrip().endswith("?") and len(words_of(text)) >= FEWEST_ASKED
