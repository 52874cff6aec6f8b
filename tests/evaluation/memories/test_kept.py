"""Counting what is kept, on cases worked out by hand."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest

from companion.evaluation.lives import Gold
from companion.evaluation.memories.kept import Kept, compare
from companion.records import Memory, Profile, Source
from tests.evaluation.memories import life

NOW = datetime(2026, 10, 8, tzinfo=timezone.utc)


def memory(id: int, text: str, quote: str = "", event_time: str | None = None) -> Memory:
    sources = (Source("2026-10-05", 1, quote),)
    return Memory(id, text, "fact", NOW, NOW, 1.0, 1.0, event_time, sources=sources)


def counted(*memories: Memory, profile: Profile | None = None) -> dict[str, Any]:
    gold = Gold.model_validate(life.gold())
    return compare(gold, Kept(memories, profile or Profile()))


def test_all_groups_must_be_in_one_memory() -> None:
    apart = counted(memory(1, "The user has a parrot."), memory(2, "Rio is a name."))
    assert apart["facts"]["found"] == 0
    together = counted(memory(1, "The user's parrot is called Rio."))
    assert together["facts"]["found"] == 1
    assert together["memories"][0]["tells"] == ["f2"]


def test_a_garbled_memory_tells_nothing_but_its_quote_is_seen() -> None:
    facts = counted(memory(1, "The user is a bird.", "my parrot is called Rio"))["facts"]
    assert (facts["found"], facts["found_or_quoted"]) == (0, 1)


def test_the_profile_tells_a_name() -> None:
    document = counted(profile=Profile(name="Ana", age=7))
    assert document["facts"]["found"] == 1
    assert document["gold"][0]["told_by"] == ["profile"]
    assert document["profile"] == {"name": "Ana", "age": 7, "gender": None}


@pytest.mark.parametrize(
    ("text", "stored"),
    [("The user has a dragon.", 1), ("The user has a dragon in a game.", 0)],
)
def test_a_trap_is_stored_unless_the_memory_says_what_it_was(text: str, stored: int) -> None:
    traps = counted(memory(1, text))["traps"]
    assert (traps["n"], traps["stored"]) == (2, stored)
    assert traps["by_status"]["pretend"] == {"n": 1, "stored": stored}


def test_a_day_counts_as_said() -> None:
    document = life.gold()
    document["facts"][0] = {**document["facts"][0], "all_of": [["match"], ["2026-10-09"]]}
    kept = Kept([memory(1, "The match is soon.", event_time="2026-10-09")], Profile())
    assert compare(Gold.model_validate(document), kept)["facts"]["found"] == 1
