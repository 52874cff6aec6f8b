"""Whether words stop in the middle of a sentence: a child that looks for the next one is not done.

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


def unfinished(text: str) -> bool:
    """Whether a transcript breaks off; what marks a transcriber put at its end tells nothing,
    but for a dash or an ellipsis."""
    words = words_of(text)
    if not words:
        return False
    trails_off = text.rstrip().endswith(("...", "…", "-", "–", "—", ","))
    return trails_off or words[-1] in LEADING_ON or tuple(words[-2:]) in LEADING_ON_PAIRS
