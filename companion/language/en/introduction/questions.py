"""What a sentence of the companion asks of the person: name, age or gender."""

from __future__ import annotations

from companion.language.tables import Table
from companion.language.types import ITEMS
from companion.records import CoreItem

_TABLE = Table.beside(__file__)
_ASKS = {item: _TABLE.pattern(item) for item in ITEMS}
_TELL_ME = _TABLE.pattern("tell_me")


def asks_for(sentence: str) -> frozenset[CoreItem]:
    """The items that a sentence of the companion asks for."""
    if "?" not in sentence and not _TELL_ME.search(sentence):
        return frozenset()
    return frozenset(item for item in ITEMS if _ASKS[item].search(sentence))
