"""What a parent sees."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from companion.clock import ManualClock
from companion.config import Config, ForgettingSection, SafetySection
from companion.errors import InputError
from companion.parents import READS
from companion.store import memories
from companion.store.database import Store

from .conftest import NOW, Ask


@pytest.mark.parametrize("name", sorted(READS))
async def test_each_is_a_json_document_of_a_reader_as_well(
    store: Store, config: Config, clock: ManualClock, name: str
) -> None:
    request = {"id": 3, "session": "first"}
    owners = await READS[name](store, config, clock, request)
    reader = await Store.open(config.data_dir, config.store, clock, mode="reader")
    try:
        readers = await READS[name](reader, config, clock, request)
        if name == "storage":  # others write to this disk
            owners.pop("free_bytes"), readers.pop("free_bytes")
        assert json.dumps(owners) == json.dumps(readers)
    finally:
        await reader.close()


@pytest.mark.parametrize("name", sorted(READS))
async def test_each_works_where_nothing_is_kept_yet(
    config: Config, clock: ManualClock, name: str
) -> None:
    empty = await Store.open(config.data_dir, config.store, clock)
    try:
        if name in ("memory", "transcript"):
            with pytest.raises(InputError, match="there is no"):
                await READS[name](empty, config, clock, {"id": 1, "session": "x"})
        else:
            json.dumps(await READS[name](empty, config, clock, {}))
    finally:
        await empty.close()


async def test_memories_come_in_pages_by_kind_status_and_words(ask: Ask) -> None:
    everything = await ask("memories", status="all", limit=2)
    assert everything["total"] == 3
    assert [each["id"] for each in everything["memories"]] == [3, 2]
    rest = await ask("memories", status="all", offset=2)
    assert [each["id"] for each in rest["memories"]] == [1]
    assert (await ask("memories", kind="health"))["total"] == 1
    assert (await ask("memories", query="GUIN bisc"))["memories"][0]["id"] == 3
    assert (await ask("memories", query="uinea"))["total"] == 0
    assert (await ask("memories", status="archived"))["total"] == 0
    assert [each["id"] for each in await ask("memories")] == [2, 3]


@pytest.mark.parametrize(
    "request_",
    [
        {"limit": 201},
        {"limit": True},
        {"offset": -1},
        {"offset": "1"},
        {"status": "gone"},
        {"query": 3},
        {"query": "\ud800"},
        {"query": "x" * 1_001},
    ],
)
async def test_a_request_that_makes_no_sense_is_refused(
    ask: Ask, request_: dict[str, object]
) -> None:
    with pytest.raises(InputError, match="the request needs"):
        await ask("memories", **request_)


async def test_a_memory_shows_its_words_its_curve_and_its_end(
    ask: Ask, store: Store, clock: ManualClock
) -> None:
    shown = await ask("memory", id=3)
    (source,) = shown["sources"]
    assert source == {
        "session": "second",
        "turn": 1,
        "quote": "Biscuit is a guinea pig",
        "time": NOW.isoformat(),
    }
    assert shown["replaces"] == [1]
    assert not shown["told_by_parent"]
    curve = shown["curve"]
    assert len(curve) <= 60
    assert curve[0][1] == pytest.approx(1)
    assert curve[-1][1] == pytest.approx(shown["r_min"], abs=1e-3)
    days = curve[-1][0] - shown["lived_now_days"]
    assert shown["gone_on"] == (NOW + timedelta(days=days)).date().isoformat()
    await store.write(memories.pin, 3, True)
    assert (await ask("memory", id=3))["gone_on"] is None
    assert (await ask("memory", id=1))["superseded_by"] == 3
    with pytest.raises(InputError, match="there is no memory 99"):
        await ask("memory", id=99)


async def test_the_curve_starts_anew_at_each_use_and_falls_more_slowly(
    ask: Ask, store: Store, clock: ManualClock
) -> None:
    for _ in range(3):
        clock.advance(3 * 86_400)
        await store.write(memories.touch, [3], clock.wall())
    shown = await ask("memory", id=3)
    assert shown["uses"] == pytest.approx([0, 3, 6, 9], abs=0.01)
    tops = [day for day, retention in shown["curve"] if retention == 1.0]
    assert tops == pytest.approx([0, 3, 6, 9], abs=0.01)
    lows = [retention for day, retention in shown["curve"] if day in shown["uses"][1:]]
    falls = sorted(each for each in lows if each < 1)
    assert len(falls) == 3
    assert falls == [each for each in lows if each < 1]
    assert len(shown["curve"]) <= 60
    for _ in range(100):
        await store.write(memories.touch, [3], clock.wall())
    shown = await ask("memory", id=3)
    assert len(shown["curve"]) <= 60
    assert shown["strength"] == 104
    assert len(shown["uses"]) == 20


async def test_no_date_is_told_where_no_clock_tells_the_day(ask: Ask, clock: ManualClock) -> None:
    clock.set_wall(NOW.replace(year=1970), trusted=False)
    assert (await ask("memory", id=3))["gone_on"] is None
    assert (await ask("fading", days=300))["memories"] == []
    shown = await ask("today")
    assert shown["as_of"] is None
    assert [each["id"] for each in shown["learnt"]] == [3]


async def test_today_shows_what_was_learnt_changed_and_matters_for_health(ask: Ask) -> None:
    shown = await ask("today")
    assert [each["id"] for each in shown["learnt"]] == [3]
    assert [(each["new"]["id"], each["old"]["id"]) for each in shown["changed"]] == [(3, 1)]
    assert [each["text"] for each in shown["health"]] == ["The user can't eat peanuts."]
    assert shown["last_consolidation"] == (NOW - timedelta(days=1)).isoformat()
    assert shown["next"] == "when nobody has spoken for 10 minutes"


async def test_what_falls_within_a_week_is_shown_and_nothing_that_is_kept(
    ask: Ask, store: Store, clock: ManualClock
) -> None:
    assert (await ask("fading"))["memories"] == []
    for _ in range(60):
        clock.advance(6 * 86_400)
        await store.write(memories.touch, [], clock.wall())
    near = await ask("fading")
    assert [each["id"] for each in near["memories"]] == [3]
    assert near["memories"][0]["falls_in_days"] == pytest.approx(5, abs=0.1)
    await store.write(memories.archive, 3)
    assert (await ask("fading"))["archived"]["total"] == 1
    await store.write(memories.restore, 3)
    await store.write(memories.pin, 3, True)
    assert (await ask("fading", days=366))["memories"] == []


async def test_nothing_fades_where_forgetting_is_off(
    store: Store, config: Config, clock: ManualClock
) -> None:
    off = config.model_copy(update={"forgetting": ForgettingSection(enabled=False)})
    shown = await READS["fading"](store, off, clock, {"days": 300})
    assert shown["memories"] == []


async def test_who_names_the_words_or_the_parent(ask: Ask) -> None:
    shown = await ask("who")
    assert shown["name"] == {
        "value": "Mia",
        "source": {"session": "first", "turn": 1, "quote": "I'm Mia"},
    }
    assert shown["age"] == {"value": 7, "source": "parent"}
    assert shown["gender"] == {"value": None, "source": None}
    assert shown["personality"]["text"] == "Curious."
    (row,) = shown["personality"]["evidence"]
    assert row == {"text": "curious", "quote": "Biscuit is my", "session": "first", "turn": 1}


async def test_stopped_turns_show_their_topic_and_their_words_only_when_asked_again(
    ask: Ask,
) -> None:
    talk = await ask("transcript", session="first")
    assert [each["turn"] for each in talk["turns"]] == [1, 2, 3]
    assert talk["turns"][2]["stopped"] == "self-harm"
    assert talk["turns"][2]["said"] is None
    assert talk["turns"][2]["reply"] is None
    again = await ask("transcript", session="first", unlocked=True)
    assert again["turns"][2]["said"] == "I want to hurt myself."
    assert "Somebody hurts me." not in json.dumps(again)
    assert "so sad" not in json.dumps(again)


async def test_abuse_leaves_no_trace_in_the_list_of_talks(
    ask: Ask, store: Store, config: Config, clock: ManualClock
) -> None:
    shown = await ask("sessions")
    assert shown["total"] == 2
    assert [each["id"] for each in shown["sessions"]] == ["second", "first"]
    assert shown["sessions"][1]["stopped"] == {"3": "self-harm"}
    assert shown["sessions"][1]["turns"] == 3
    chosen = config.model_copy(update={"safety": SafetySection(notice_topics=("abuse",))})
    shown = await READS["sessions"](store, chosen, clock, {})
    assert shown["sessions"][1]["stopped"] == {"4": "abuse"}


async def test_storage_counts_every_file(ask: Ask, config: Config) -> None:
    shown = await ask("storage")
    assert {"store.db", "store.db-wal"} <= {each["name"] for each in shown["files"]}
    assert shown["bytes"] == sum(each["bytes"] for each in shown["files"])
    assert shown["free_bytes"] > 0
