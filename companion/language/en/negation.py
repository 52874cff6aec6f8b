"""Negation, and phrases that only look like it."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()

DENIAL_STEMS = _TABLE.words("denial_words")
"""Stems by which a negated statement differs from the plain one."""


def negated(text: str) -> bool:
    """Whether a text negates something: "not", "never", "hates", "any more"."""
    return _RE.denial.search(_RE.no_denial.sub("", text)) is not None
