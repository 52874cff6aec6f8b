"""The one spelling in which wordings and messages are compared."""

from __future__ import annotations

import re
import unicodedata

from companion.safety.word_lists import SAME_AS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")


def wording(text: str, name: str = "") -> str:
    """The words of a text in lower case and without marks, with short forms written out, and
    without the companion's name where it only calls it: at the beginning or the end. Other than the
    guard's spelling it corrects no word: a word that is not known is a name more often than a slip.

    >>> wording("Night niiight, Pip!", "Pip")
    'night night'
    >>> wording("I'm six!")
    'i am six'
    """
    words = _words(text)
    called = _words(name)
    while called and len(words) > len(called) and words[: len(called)] == called:
        words = words[len(called) :]
    while called and len(words) > len(called) and words[-len(called) :] == called:
        words = words[: -len(called)]
    return " ".join(words)


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    words: list[str] = []
    for found in _WORD.findall(folded):
        word = _DRAWN_OUT.sub(r"\1", found.replace("’", "'").replace("'", ""))
        words += SAME_AS.get(word, word).split()
    return words
