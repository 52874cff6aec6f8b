"""What a telling turns on, by its verb: something is lost, was made, is to come.

It decides what a friend asks next ("where did you have it last?", "what happened then?").
"""

from __future__ import annotations

from collections.abc import Collection

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_FOUND = {name: _TABLE.pattern(name) for name in _TABLE.entries}


def of(told: str, among: Collection[str]) -> str:
    """The first of `among` that fits what is told (in the second person, as `saying_back` turns
    it), in the order of the table; "" where none does."""
    return next(
        (name for name, found in _FOUND.items() if name in among and found.search(told)), ""
    )
