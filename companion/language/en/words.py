"""Words of short English sentences, made comparable: stems, numbers, names.

Deliberately small: it decides whether two sentences speak of the same things, not what they
mean. Where it is unsure it says "different", which keeps a fact out or two facts apart.
"""

from __future__ import annotations

import re

from companion.language.en import sentences, verbs
from companion.language.en.kinship import ONE_PERSON
from companion.language.en.numbers import SMALL_NUMBERS
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_IRREGULAR = (
    verbs.IRREGULAR
    | _TABLE.mapping("irregular")
    | {other: first for first, *others in ONE_PERSON for other in others}
)
_ENDINGS = _TABLE.ordered("endings")
_VOWEL = re.compile(r"[aeiouy]")
_NO_NAMES = _TABLE.words("no_names")

_SMALL_WORDS = _TABLE.words("small_words")
ARTICLES = _TABLE.words("articles")
QUERY_WORDS = _SMALL_WORDS | _TABLE.words("query_words")
"""Words of a question that say nothing about what it asks for."""


def words(text: str) -> list[str]:
    """The words as they are written."""
    return _WORD.findall(text)


def stem(word: str) -> str:
    """A word's comparable form: "studies" and "studied", "two" and "2" are one."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    word = SMALL_NUMBERS.get(word, word)
    if word not in _IRREGULAR and not word.endswith("ss"):
        for ending in _ENDINGS:
            root = word.removesuffix(ending)
            least = 5 if len(ending) > 1 else 4
            if word.endswith(ending) and len(word) >= least and _VOWEL.search(root):
                word = root + ("i" if ending in ("ied", "ies") else "")
                break
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sz":
            word = word[:-1]
    word = _IRREGULAR.get(word, word)
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word


_FUNCTION = frozenset(map(stem, _SMALL_WORDS | _TABLE.words("note_words")))


def content(text: str) -> list[str]:
    """Stems of the words that carry the meaning, in order, with repetitions."""
    found = (stem(word) for word in words(text) if not word.lower().endswith(("n't", "n’t")))
    return [s for s in found if s.isdigit() or (s not in _FUNCTION and len(s) > 1)]


def stems(text: str) -> frozenset[str]:
    """Stems of all words."""
    return frozenset(stem(word) for word in words(text))


def says(text: str) -> frozenset[str]:
    """What an answer says: stems of the words that carry the meaning; where it has none, all."""
    return frozenset(content(text)) or stems(text)


def occurs(wanted: str, among: frozenset[str]) -> bool:
    """Whether a stem or another form of it ("paint" and "painter") is among the stems."""
    if wanted in among:
        return True
    return len(wanted) >= 4 and any(
        len(each) >= 4 and (each.startswith(wanted) or wanted.startswith(each)) for each in among
    )


def numbers(text: str) -> frozenset[str]:
    """The numbers in a text, as digits."""
    return frozenset(s for s in map(stem, words(text)) if any(ch.isdigit() for ch in s)) - {"1"}


def names(text: str) -> frozenset[str]:
    """Stems of the capitalised words, save the first of each sentence."""
    found = set()
    for sentence in sentences.split(text):
        for word in words(sentence)[1:]:
            if word[0].isupper() and word.lower() not in _NO_NAMES:
                found.add(stem(word))
    return frozenset(found) - _FUNCTION
