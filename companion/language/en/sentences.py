"""Where sentences and their clauses end, and which full stops do not end a sentence.

All code that splits text into sentences uses this, so that "Dr. Brown" stays whole everywhere.
The stream splitter (`dialog/sentences.py`) sees one character at a time and asks the same question
of each full stop.
"""

from __future__ import annotations

import re

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_TITLES = _TABLE.words("titles")
_SHORTENINGS = _TABLE.words("shortenings")
_BEFORE_NUMBERS = _TABLE.words("before_numbers")
_OPENERS = _TABLE.words("openers")
_CLAUSE_END = _TABLE.pattern("clause_end")
_NEXT_STATEMENT = _TABLE.pattern("next_statement")

_END = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"”’)])|(?<=[.!?…][\"”’)]{2}))\s+|\n+")
_FIRST_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_AROUND_WORD = "\"'“”‘’([*_"

Span = tuple[int, int]
"""Where a piece of a text begins and ends."""


def belongs_to_word(word: str, following: str) -> bool:
    """Whether the full stop after a word belongs to the word and does not end the sentence.

    following: the text after the space; one character is enough, more is more reliable.
    """
    bare = word.strip(_AROUND_WORD)
    low = bare.lower()
    if low in _TITLES:
        return True
    if low in _BEFORE_NUMBERS and len(following) > 1:
        return following[0].isdigit()
    if low in _SHORTENINGS:
        return not following[:1].isupper()
    initial = len(bare) == 1 and bare.isalpha() and bare.isupper() and bare != "I"
    if not (initial and following[:1].isupper()):
        return False
    first = _FIRST_WORD.match(following) if len(following) > 1 else None
    return first is None or first[0].lower().replace("’", "'") not in _OPENERS


def spans(text: str) -> list[Span]:
    """Where its sentences stand, without the space around them."""
    ends = [end for end in _END.finditer(text) if _is_end(text, end)]
    return _between(text, ends, 0, len(text))


def split(text: str) -> list[str]:
    """Its sentences, without the space around them."""
    return [text[start:end] for start, end in spans(text)]


def pieces(text: str) -> list[str]:
    """Its sentences, each with the space after it: together they are the text."""
    starts = [start for start, _ in spans(text)]
    ends = [*starts[1:], len(text)]
    return [text[a:b] for a, b in zip([0, *starts[1:]], ends, strict=True)] if starts else [text]


def clauses(text: str, start: int, end: int) -> list[Span]:
    """Where the clauses of one of its sentences stand."""
    return _between(text, list(_CLAUSE_END.finditer(text, start, end)), start, end)


def statements(text: str) -> list[str]:
    """What stands between one "and" and the next, where each begins a statement of its own.

    >>> statements("what do owls eat and also I am cold")
    ['what do owls eat', 'I am cold']
    """
    return _NEXT_STATEMENT.split(text)


def _is_end(text: str, end: re.Match[str]) -> bool:
    """False after the full stop of an abbreviation."""
    at = end.start()
    if "\n" in end[0] or text[at - 1 : at + 1].rstrip() != ".":
        return True
    start = max(text.rfind(" ", 0, at), text.rfind("\n", 0, at)) + 1
    return not belongs_to_word(text[start : at - 1], text[end.end() : end.end() + 20])


def _between(text: str, ends: list[re.Match[str]], start: int, end: int) -> list[Span]:
    pieces, at = [], start
    for match in ends:
        pieces.append((at, match.start()))
        at = match.end()
    pieces.append((at, end))
    stripped = []
    for first, last in pieces:
        piece = text[first:last]
        first += len(piece) - len(piece.lstrip())
        last -= len(piece) - len(piece.rstrip())
        if first < last:
            stripped.append((first, last))
    return stripped
