"""What the store knows of the child, for the two skills that say it aloud."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import apsw

from companion import language
from companion.records import Memory
from companion.store import memories
from companion.store.database import Store

_SAID_ALOUD = ("birthday", "person", "pet", "taste")
"""Kinds of memories that a child is glad to hear again; none of health, fear or mood."""

_WORDS = range(3, 16)
"""How many words a sentence may have that is said back."""


class Known:
    """Reads memories, on demand."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def birthday(self, today: date) -> date | None:
        """The next birthday, if somebody told its day and month. Raises StoreFailing."""
        for memory in await self._store.read(_of_kinds, ("birthday", "profile")):
            quotes = () if memory.told_by_parent else memory.sources
            for text in (memory.text, *(source.quote for source in quotes)):
                day: date | None = language.skills.next_birthday(text, today)
                if day is not None:
                    return day
        return None

    async def sentences(self, most: int) -> list[str]:
        """What the child has told of itself, its people, animals and tastes, in the second person
        and in its own words, newest first. Raises StoreFailing."""
        found = []
        for memory in reversed(await self._store.read(_of_kinds, _SAID_ALOUD)):
            own = memory.sources and not memory.told_by_parent
            quote = memory.sources[0].quote if own else ""
            if len(quote.split()) in _WORDS and language.skills.asks("device", "of_oneself", quote):
                said = language.second_person.in_second_person(quote.strip(" .,;:!?"))
                found.append(f"{said}.")
        return list(dict.fromkeys(found))[:most]


def _of_kinds(c: apsw.Connection, kinds: Sequence[str]) -> list[Memory]:
    return [memory for memory in memories.list_memories(c) if memory.kind in kinds]
