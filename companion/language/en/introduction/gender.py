"""Finds the gender that people tell of themselves, from explicit words only."""

from __future__ import annotations

from companion.language.en.introduction.plain_words import NOT_NOW
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
WORDS = {
    word: gender
    for gender, entries in (
        ("female", ("female", "mother", "female_answers")),
        ("male", ("male", "father", "male_answers")),
        ("non-binary", ("non_binary",)),
    )
    for entry in entries
    for word in _TABLE.words(entry)
}
"""The gender that a word in small letters tells."""

_NOT_NOW = NOT_NOW | _TABLE.words("think")


def find(words: str, *, asked: bool) -> tuple[str, str] | None:
    """`female`, `male` or `non-binary`, with the quote; or None. asked: whether the companion had
    just asked for it."""
    for match in _RE.i_am.finditer(words):
        lead = match["lead"] or ""
        if lead.strip().lower() not in _NOT_NOW:
            return WORDS[match["noun"].lower()], match.group()[len(lead) :]
    answer = _RE.pronouns.search(words) or (_RE.bare.match(words) if asked else None)
    if answer is not None and answer["noun"].lower() in WORDS:
        return WORDS[answer["noun"].lower()], answer.group().strip()
    return None
