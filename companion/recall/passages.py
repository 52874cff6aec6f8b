"""The part of a long message that its note shows: whole sentences, the best one first.

In the person's own words: a memory of such a message is shorter, but a small model has written it,
and may have left out what is asked for.
"""

from __future__ import annotations

from collections.abc import Collection

from companion import language

MOST_WORDS = 70
"""A message of more words is shown in part."""

LEFT_OUT = "..."

_QUOTED = 0.5
"""Weight of the sentence that a memory quotes, relative to one content word of the question."""


def passage(text: str, asked: Collection[str], quote: str, *, most: int = MOST_WORDS) -> str:
    """The best sentence and what fits of those after it, then of those before it.

    asked: stems of the question's content words. quote: words of the text, of the memory that
    fits the question best; "" when there is none. most: words. A sentence that alone is longer is
    shown to its end.
    """
    sentences = language.sentences.split(text)
    lengths = [len(each.split()) for each in sentences]
    if sum(lengths) <= most or len(sentences) < 2:
        return text

    def fits(sentence: str) -> float:
        found = language.words.stems(sentence)
        shared = sum(language.words.occurs(each, found) for each in asked)
        return shared + _QUOTED * (bool(quote) and (quote in sentence or sentence in quote))

    first = max(range(len(sentences)), key=lambda at: (fits(sentences[at]), -at))
    end, left = first + 1, most - lengths[first]
    while end < len(sentences) and lengths[end] <= left:
        left -= lengths[end]
        end += 1
    while first > 0 and lengths[first - 1] <= left:
        first -= 1
        left -= lengths[first]
    shown = sentences[first:end]
    before = [LEFT_OUT] if first else []
    after = [LEFT_OUT] if end < len(sentences) else []
    return " ".join([*before, *shown, *after])
