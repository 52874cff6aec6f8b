"""Kinship: family, and the other people whom somebody has."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)

RELATION = _TABLE.pattern("relation")
"""Somebody whom a person has, a relative or another."""

ONE_PERSON = tuple(
    _TABLE.ordered(name) for name in ("mother", "father", "grandmother", "grandfather")
)
"""Words for the same person, the plainest first."""
