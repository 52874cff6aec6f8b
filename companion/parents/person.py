"""Whom the toy thinks it talks to, and the words on which that rests."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.parents.request import Read, Request
from companion.parents.settings import current
from companion.store import history, intermediate, profile
from companion.store.database import Store

ITEMS = ("name", "age", "gender")


async def who(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Name, age and gender with their sources; the picture of the personality with its words."""
    return await store.read(who_document, config)


def who_document(c: apsw.Connection, config: Config) -> dict[str, Any]:
    """See `who`."""
    known = profile.current(c)
    items = {item: _item(c, item, getattr(known, item)) for item in ITEMS}
    on = current(config).consolidation.personality
    return items | {
        "personality": {
            "on": on,
            "text": known.personality.summary,
            "evidence": [row for each in intermediate.evidence(c) for row in _evidence(c, each)],
        }
    }


def _item(c: apsw.Connection, item: Any, value: str | int | None) -> dict[str, Any]:
    if value is None:
        return {"value": None, "source": None}
    source = profile.source(c, item)
    return {"value": value, "source": "parent" if source is None else asdict(source)}


def _evidence(c: apsw.Connection, each: intermediate.Evidence) -> list[dict[str, Any]]:
    """One row for each example: the person's words, and the turn in which they stand."""
    chunk = intermediate.chunk(c, each.session, each.chunk)
    turns = history.turns(c, each.session) if chunk is not None else []
    rows = []
    for quote in each.examples:
        said = (turn.number for turn in turns if turn.user and quote in turn.user.text)
        first = chunk.first_turn if chunk is not None else 1
        row = {"text": each.summary, "quote": quote, "session": each.session}
        rows.append(row | {"turn": next(said, first)})
    return rows


READS: dict[str, Read] = {"who": who}
