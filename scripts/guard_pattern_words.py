"""The whole words that a pattern of the guard can match.

The source of a pattern holds parts of words: of `abus(?:e|ing) me` the words are "abuse", "abusing"
and "me", and never "abus" or "ing".
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

_PARSER: Any = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

_ANY = "*"
"""Stands for any letter in a word: such a word is open, and left out."""


@dataclass(frozen=True)
class _Parts:
    """What texts of a pattern consist of: parts of words, each up to where a word ends."""

    unbroken: frozenset[str] = frozenset()
    """Whole texts in which no word ends."""

    first: frozenset[str] = frozenset()
    """What comes before the first end of a word, in the others."""

    last: frozenset[str] = frozenset()
    """What comes after the last one."""

    inner: frozenset[str] = frozenset()
    """The words between."""

    def then(self, other: _Parts) -> _Parts:
        return _Parts(
            _pairs(self.unbroken, other.unbroken),
            self.first | _pairs(self.unbroken, other.first),
            other.last | _pairs(self.last, other.unbroken),
            self.inner | other.inner | _pairs(self.last, other.first),
        )

    def __or__(self, other: _Parts) -> _Parts:
        return _Parts(
            self.unbroken | other.unbroken,
            self.first | other.first,
            self.last | other.last,
            self.inner | other.inner,
        )


_NOTHING = _Parts(unbroken=frozenset({""}))
_END = _Parts(first=frozenset({""}), last=frozenset({""}))


def whole_words(pattern: re.Pattern[str]) -> frozenset[str]:
    """The words, in small letters, that texts which match the pattern consist of. A word of which
    any letters may be part ("batter" and more) is left out.

    >>> sorted(whole_words(re.compile("abus(?:e|ing) (?:me|pills?)")))
    ['abuse', 'abusing', 'me', 'pill', 'pills']
    """
    found = _END.then(_of_all(_PARSER.parse(pattern.pattern))).then(_END)
    return frozenset(word for word in found.inner if word.isalpha() and word.isascii())


def _pairs(heads: frozenset[str], tails: frozenset[str]) -> frozenset[str]:
    joined = (head + tail for head in heads for tail in tails)
    return frozenset(_ANY if _ANY in each else each for each in joined)


def _of_all(parsed: Iterable[tuple[Any, Any]]) -> _Parts:
    parts = _NOTHING
    for operation, value in parsed:
        parts = parts.then(_of_one(str(operation), value))
    return parts


def _of_one(operation: str, value: Any) -> _Parts:
    if operation == "LITERAL":
        letter = chr(value)
        return _Parts(unbroken=frozenset({letter})) if letter.isalnum() else _END
    if operation in ("IN", "NOT_LITERAL", "ANY"):
        some = _Parts(unbroken=frozenset({_ANY}))
        return some if operation == "IN" and _only_letters(value) else some | _END
    if operation == "BRANCH":
        either = _Parts()
        for each in value[1]:
            either |= _of_all(each)
        return either
    if operation == "SUBPATTERN":
        return _of_all(value[-1])
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, body = value
        once = _of_all(body)
        repeated = once if most == 1 else once | once.then(once)
        return repeated | _NOTHING if least == 0 else repeated
    if operation == "AT":
        return _NOTHING
    if operation in ("ASSERT", "ASSERT_NOT"):
        return _NOTHING | _Parts(inner=_END.then(_of_all(value[1])).then(_END).inner)
    raise ValueError(f"a pattern holds {operation}, of which the words are not known")


def _only_letters(members: Iterable[tuple[Any, Any]]) -> bool:
    """Whether a class such as [a-z] or \\w holds nothing that ends a word."""
    return all(
        str(value) == "CATEGORY_WORD"
        if str(operation) == "CATEGORY"
        else str(operation) != "NEGATE"
        and all(chr(each).isalnum() for each in ([value] if isinstance(value, int) else value))
        for operation, value in members
    )
