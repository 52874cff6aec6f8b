"""Negation, and phrases that only look like it."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()

DENIAL_STEMS = _TABLE.words("denial_words")
"""Stems by which a negated statement differs from the plain one."""


def negated(text: str) -> bool:
    """Whether a text negates something: "not", "never", "hates", "any more". A "no" that only
    answers what was said before negates nothing of what follows it."""
    plain = _RE.answering.sub("", text)
    return _RE.denial.search(_RE.no_denial.sub("", plain)) is not None


def answers_no(text: str) -> bool:
    """Whether a text begins with "no" as an answer, alone or before what it goes on to say."""
    return _RE.answer.match(text) is not None


def takes_back(sentence: str) -> bool:
    """Whether a sentence takes back the one before it: "I fell in. No I didn't." """
    return _RE.takes_back.match(sentence) is not None
