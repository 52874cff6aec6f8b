"""What words tell of the end of a turn: a child that looks for the next one is not done, and one
that asked something waits.

Only words that hardly ever end a spoken sentence count, so that an answer is seldom kept waiting.
"""

from __future__ import annotations

from companion.voice.echo_words import words_of

LEADING_ON = frozenset(
    """
    a an the my your our their and but or because if when while than um uh er erm
    i'm he's she's we're they're i've gonna wanna very called named between into
    """.split()
)
"""Last words after which another must come."""

LEADING_ON_PAIRS = frozenset(
    {
        ("went", "to"), ("going", "to"), ("want", "to"), ("like", "to"), ("and", "then"),
        ("is", "like"), ("was", "like"), ("name", "is"), ("he", "is"), ("there", "is"),
        ("there", "was"), ("and", "i"), ("but", "i"), ("because", "i"), ("then", "i"),
    }
)  # fmt: skip

FEWEST_ASKED = 3
"""Words of a question: "What?" may go on."""


def unfinished(text: str) -> bool:
    """Whether a transcript breaks off; what marks a transcriber put at its end tells nothing,
    but for a dash or an ellipsis."""
    words = words_of(text)
    if not words:
        return False
    trails_off = text.rstrip().endswith(("...", "…", "-", "–", "—", ","))
    return trails_off or words[-1] in LEADING_ON or tuple(words[-2:]) in LEADING_ON_PAIRS


def asks(text: str) -> bool:
    """Whether a transcript is a whole question. The full stop that a transcriber puts under any
    words tells nothing; a question mark comes of how they are ordered and spoken."""
    return text.rstrip().endswith("?") and len(words_of(text)) >= FEWEST_ASKED
