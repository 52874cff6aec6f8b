"""What a person's words ask of memory: which words to look for, whose side, and how much.

Cheap rules, no model: they decide how much is recalled, never what is true.
"""

from __future__ import annotations

import re

from companion.language.en import sentences
from companion.language.en.words import QUERY_WORDS
from companion.language.tables import Table
from companion.language.types import Question, Side

_RE = Table.beside(__file__).patterns()

_QUOTES = " \"'“”"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def read(query: str, previous: str | None) -> Question:
    """Read a person's words. `previous` is what they said before, if anything."""
    text = query
    words = content_words(query)
    if not words and previous and _RE.asks.search(query):  # "And what did I say about it?"
        text = f"{previous} {query}"
        words = content_words(previous)
    asked = asking(query)
    by_companion = _RE.companion_said.search(query)
    by_both = _RE.both_said.search(query)
    # "What was its name?"
    points_back = _RE.points_back.search(asked) and not _RE.of_you.search(asked)
    of_me = _RE.mine.search(query if points_back else asked) and not _RE.wants_advice.search(asked)
    about_past = _RE.remembering.search(query) or (asked and (by_companion or by_both)) or of_me
    side: Side = "companion" if by_companion else "both" if by_both else "person"
    return Question(
        text=text,
        words=" ".join(words),
        side=side,
        of_asking=bool(_RE.asked.search(query)),
        asks=bool(asked or about_past),
        about_past=bool(about_past),
    )


def asking(text: str) -> str:
    """Those of the sentences that ask something; "" when none does."""
    return " ".join(each for each in sentences.split(text) if _RE.asks.search(each.strip(_QUOTES)))


def content_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in order. "teacher's" becomes "teacher":
    otherwise the search would match every "'s" in the log."""
    words = (word.replace("’", "'") for word in _WORD.findall(text))
    return [word.removesuffix("'s") for word in words if word.lower() not in QUERY_WORDS]
