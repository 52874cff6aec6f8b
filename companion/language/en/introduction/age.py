"""Finds the age that people tell of themselves: in figures or in words, "almost seven" too."""

from __future__ import annotations

import re

from companion.language.en.introduction.plain_words import NOT_NOW
from companion.language.en.numbers import ORDINAL_ENDINGS, VALUES, number_in
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_NOT_NOW = NOT_NOW | _TABLE.words("other_times")


def find(words: str, *, asked: bool) -> tuple[int, str] | None:
    """Age in years (1 to 120) and quote, or None. asked: the companion had just asked for it."""
    for pattern in (_RE.i_am, _RE.turned, _RE.will_be):
        for match in pattern.finditer(words):
            lead = (match.groupdict().get("lead") or "").strip().lower()
            if lead in _NOT_NOW or (pattern is _RE.turned and _is_having(match)):
                continue
            if pattern is _RE.i_am and (
                _is_place(match) or _RE.number_there.search(words[: _at(match)])
            ):
                continue
            if age := _age(match):
                return age, match.group()[len(match.groupdict().get("lead") or "") :].strip()
    answer = _RE.bare.match(words) if asked else None
    if answer is not None and (age := _age(answer)):
        return age, answer.group().strip()
    return None


def number(text: str) -> int | None:
    """An age from figures or words; None outside 1 to 120."""
    value = number_in(text)
    return value if value is not None and 1 <= value <= 120 else None


def _age(match: re.Match[str]) -> int | None:
    age = number(match["number"])
    coming = bool(match.groupdict().get("soon"))
    return age - 1 if age and coming and age > 1 else age


def _at(match: re.Match[str]) -> int:
    """Where a match begins, without the word before it."""
    return match.start() + len(match.groupdict().get("lead") or "")


def _is_place(match: re.Match[str]) -> bool:
    """ "I'm 2nd!" tells a place in a race, "I'm one too" whom one is like."""
    after = match.string[match.end("number") : match.end()].lower()
    return after.startswith(ORDINAL_ENDINGS) or (
        VALUES.get(match["number"].lower()) == 1 and not after.strip()
    )


def _is_having(match: re.Match[str]) -> bool:
    """ "I have 7 years" tells an age in the English of many; "I have 7 cats" does not."""
    return _RE.having.search(match.group()) is not None and not match["years"]
