"""Changes where the disk, the clock or the store is not as it should be: nothing half done, and one
line that says so."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.errors import InputError, StoreFailing, StoreInRam
from companion.parents import CHANGES, READS
from companion.records import Memory
from companion.store import history, memories, pending_erase
from companion.store.database import Store
from tests.dialog.test_disk import _limit_pages, refuse_writes
from tests.store.canaries import canary

from .conftest import NOW, fill
from .house import a_house
from .test_running import holding, remembered


async def test_on_a_full_disk_it_says_so_and_nothing_is_half_done(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        word = canary("secret")
        first = await house.world.say(f"My secret is {word}. " + "I like the sea. " * 400)
        turn = f"{first.session}#{first.turn}"
        before = await house.ask("export")
        await house.store.maintain(_limit_pages, full=True)
        with pytest.raises(StoreFailing, match="memory is full") as refused:
            await house.ask("erase", turn=turn)
        assert "\n" not in str(refused.value)
        assert word not in str(refused.value)
        assert json.dumps(await house.ask("export")) == json.dumps(before)
        assert (await house.ask("erasing"))["pending"] == []
        await house.store.maintain(_limit_pages, full=False)
        again = await house.world.say("And you, do you like it?")
        assert again.session == first.session
        await house.ask("erase", turn=turn, now=True)
        assert holding(house, word) == []


async def test_on_a_disk_that_is_read_only_it_says_so(tmp_path: Path) -> None:
    async with a_house(tmp_path, erases=False) as house:
        id = await remembered(house.store, "Biscuit")
        for request in (
            {"do": "keep", "id": id},
            {"do": "erase", "memory": id},
            {"do": "erase", "memory": id, "now": True},
        ):
            await house.store.maintain(refuse_writes)
            with pytest.raises(StoreFailing, match="for reading only"):
                await house.ask(**request)  # type: ignore[arg-type]
        held = await house.store.read(memories.get, id)
        assert held is not None
        assert not held.pinned
        assert (await house.world.say("Hello, who are you?")).text


@pytest.mark.parametrize("name", sorted(CHANGES))
async def test_in_ram_nothing_is_changed(tmp_path: Path, name: str) -> None:
    """Also in safe mode: what is on the disk would stay, and the parent believe it gone."""
    async with a_house(tmp_path) as house:
        config, clock = house.config, house.parents._clock
        ram = await Store.in_ram(config.data_dir, config.store, clock, StoreFailing("no disk"))
        try:
            await ram.write(fill)
            request = {"id": 2, "memory": 2, "now": True}
            with pytest.raises(StoreInRam, match=r"no disk.*; nothing was changed"):
                await CHANGES[name](ram, config, clock, request)
            assert len(await READS["notices"](ram, config, clock, {})) == 1
        finally:
            await ram.close()


async def test_where_no_clock_tells_the_day_it_goes_in_time_all_the_same(tmp_path: Path) -> None:
    clock = ManualClock(datetime(1970, 1, 1, tzinfo=timezone.utc), trusted=False)
    async with a_house(tmp_path, clock=clock) as house:
        word = canary("secret")
        first = await house.world.say(f"My secret is {word}.")
        await house.ask("erase", session=first.session)
        for _ in range(20):  # the task begins to wait
            await asyncio.sleep(0.01)
        clock.advance(599)
        await asyncio.sleep(0.1)
        assert (await house.ask("erasing"))["pending"] != []
        clock.advance(2)
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not (await house.ask("erasing"))["pending"]:
                break
        assert holding(house, word) == []


async def test_what_a_stop_leaves_goes_at_the_next_start(tmp_path: Path) -> None:
    word = canary("secret")
    async with a_house(tmp_path) as house:
        first = await house.world.say(f"My secret is {word}.")
        await house.store.backup()
        await house.ask("erase", session=first.session)
        assert holding(house, word)
    async with a_house(tmp_path) as house:
        assert await house.store.read(pending_erase.all_pending) == []
        assert await house.store.read(history.sessions) == []
        assert holding(house, word) == []


async def test_the_page_left_open_and_the_back_button_change_nothing_twice(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as house:
        id = await remembered(house.store, "Biscuit")
        done = await house.ask("erase", memory=id)
        for request in (
            {"do": "erase", "memory": id},
            {"do": "keep", "id": id},
            {"do": "memory", "id": id},
            {"do": "undo", "id": done["erasing"] + 1},
        ):
            with pytest.raises(InputError, match=r"there is no memory|cannot be undone"):
                await house.ask(**request)
        await house.ask("undo", id=done["erasing"])
        with pytest.raises(InputError, match="cannot be undone any more"):
            await house.ask("undo", id=done["erasing"])
        assert (await house.ask("memory", id=id))["status"] == "active"


@pytest.mark.parametrize(
    "text",
    ["<b>x</b>", "<script>alert(1)</script>", "\u202eabc", "a\0b", "x" * 16_000, "ﷺ" * 50],
    ids=["markup", "script", "rtl", "nul", "long", "wide"],
)
async def test_whatever_a_memory_holds_comes_back_as_it_was(store: Store, text: str) -> None:
    await store.write(
        memories.add,
        text,
        kind="fact",
        sources=[],
        vector=None,
        embedder="e",
        now=NOW,
    )
    before = await held(store, 4)
    id = await store.write(pending_erase.hide, {"memory": 4}, 600, NOW)
    await store.write(pending_erase.undo, id)
    assert await held(store, 4) == before
    assert before is not None
    assert before.text == text


async def held(store: Store, id: int) -> Memory | None:
    return await store.read(memories.get, id)


async def test_words_that_wait_in_ram_are_erased_with_the_rest(tmp_path: Path) -> None:
    """They would be written after everything was erased, as if it had just been said."""
    async with a_house(tmp_path) as house:
        await house.world.say("Hello, who are you?")
        await house.store.maintain(_limit_pages, full=True)
        word = canary("secret")
        said = await house.world.say(f"My secret is {word}. " + "I like the sea. " * 400)
        assert said.turn is None
        with pytest.raises(StoreFailing, match="memory is full"):
            await house.ask("erase", all=True, typed="forget everything")
        await house.store.maintain(_limit_pages, full=False)
        await house.ask("erase", all=True, typed="forget everything")
        await house.world.say("What did I say just now?")
        assert word not in json.dumps(await house.ask("export"))
        assert holding(house, word) == []
        assert all(word not in each.text for each in house.world.model.calls[-1])
