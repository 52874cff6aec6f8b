"""Whether facts that somebody marked as lasting, or as not lasting, get such a lifespan.

A gold file is that of a written life (`tests/strangers/README.md`): `{profile: {name}, facts:
[{text, session, status, lasting}]}`. Current facts are read, put as a night writes them down ("The
user" in place of the name), dated, and given to the step that tells kinds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timezone
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from companion import language
from companion.consolidation.lifespan import FOR_GOOD, lifespan
from companion.consolidation.sort import KindClassifier, is_for_good, learn
from companion.engines.protocols import Embedder
from companion.errors import InputError
from companion.records import Memory, Source

_PRONOUNS = {"He": "The user", "She": "The user", "His": "The user's", "Her": "The user's"}
"""First words of a fact about the person, as a night writes them."""


class Fact(BaseModel):
    """One gold fact."""

    text: str
    session: date
    status: str
    lasting: bool


class Profile(BaseModel):
    """What is used of a gold profile."""

    name: str


class Gold(BaseModel):
    """What is used of a gold file."""

    profile: Profile
    facts: list[Fact]


def read_gold(path: Path) -> Gold:
    """Raises InputError."""
    try:
        return Gold.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(each) for each in first["loc"]) or "the file"
        raise InputError(f"{path}: {place}: {first['msg']}") from None


async def count(golds: Sequence[Gold], embedder: Embedder) -> dict[str, Any]:
    """`{lasting: {n, lifespans: {name: n}}, passing: (the same), facts: [{text, lasting, kind,
    days}]}`; null days are for good. Raises EngineError."""
    kinds = await learn(embedder)
    facts = [fact for gold in golds for fact in await _judged(gold, kinds, embedder)]
    return {
        "lasting": _counts([fact["days"] for fact in facts if fact["lasting"]]),
        "passing": _counts([fact["days"] for fact in facts if not fact["lasting"]]),
        "facts": facts,
    }


async def _judged(gold: Gold, kinds: KindClassifier, embedder: Embedder) -> list[dict[str, Any]]:
    found = []
    for fact in gold.facts:
        if fact.status != "current":
            continue
        memory = _memory(_of_the_user(fact.text, gold.profile.name), fact.session)
        if is_for_good(memory):
            memory = replace(memory, kind="profile")
        else:
            memory = replace(memory, kind=kinds.kind((await embedder.embed([memory.text]))[0]))
        days = lifespan(memory.kind, dated=memory.event_time is not None)
        found.append(
            {
                "text": memory.text,
                "lasting": fact.lasting,
                "kind": memory.kind,
                "days": None if days == FOR_GOOD else days,
            }
        )
    return found


def _memory(text: str, session: date) -> Memory:
    """The fact as a night would have stored it, with a kind by its words."""
    said = datetime.combine(session, time(12), tzinfo=timezone.utc)
    days = language.dates.in_statement(text, said)
    event_time = days[0].iso if days else None
    dated = language.dates.with_dates(text, said)
    kind = language.kinds.kind_of(dated, event_time)
    source = Source("gold", 1, text)
    return Memory(0, dated, kind, said, said, 1, 1, event_time, sources=(source,))


def _of_the_user(text: str, name: str) -> str:
    named = re.sub(rf"\b{re.escape(name)}\b", "the user", text)
    first, _, rest = named.partition(" ")
    text = f"{_PRONOUNS.get(first, first)} {rest}"
    return text[:1].upper() + text[1:]


def _counts(days: Sequence[float | None]) -> dict[str, Any]:
    lifespans = sorted(set(days), key=lambda each: math.inf if each is None else each)
    return {"n": len(days), "lifespans": {_spelled(each): days.count(each) for each in lifespans}}


def _spelled(days: float | None) -> str:
    return "for good" if days is None else f"{days:g} days"
