"""A parent changes what is remembered while the toy talks and learns."""

from __future__ import annotations

import asyncio
import json
import os
import random
from pathlib import Path

import pytest

from companion.daemon.client import Client
from companion.daemon.protocol import VERSION, encode
from companion.errors import CompanionError, DaemonError, InputError
from companion.parents import READS
from companion.records import Source
from companion.store import history, memories, pending_erase
from companion.store.database import Store
from tests.fakes import HashEmbedder
from tests.store.canaries import canary
from tests.store.conftest import files

from .conftest import NOW
from .house import House, a_house

ROUNDS = int(os.environ.get("COMPANION_ROUNDS", "12"))
REPLY = "That is nice. Tell me more."


async def remembered(store: Store, word: str, turn: tuple[str, int] = ("x", 1)) -> int:
    """A memory that a question about the word recalls."""
    text, embedder = f"The user has a hamster named {word}.", HashEmbedder()
    return await store.write(
        memories.add,
        text,
        kind="pet",
        sources=[Source(*turn, f"my hamster is {word}")],
        vector=(await embedder.embed([text]))[0],
        embedder=embedder.name,
        now=NOW,
    )


def prompt(house: House) -> str:
    return "\n".join(message.text for message in house.world.model.calls[-1])


@pytest.mark.parametrize("name", sorted(READS))
async def test_through_the_daemon_it_is_the_same_document(tmp_path: Path, name: str) -> None:
    async with a_house(tmp_path) as house:
        turn = await house.world.say("My hamster is called Biscuit.")
        id = await remembered(house.store, "Biscuit", (str(turn.session), 1))
        request = {"id": id, "session": turn.session, "limit": 10}
        clock = house.parents._clock
        here = await READS[name](house.store, house.config, clock, request)
        there = await house.ask(name, **request)
    if name == "storage":  # the disk goes on
        here.pop("free_bytes"), there.pop("free_bytes")
    if name == "today":
        here.pop("as_of"), there.pop("as_of")
    assert json.dumps(there) == json.dumps(here)


async def test_a_change_waits_for_the_reply_and_the_next_one_knows(tmp_path: Path) -> None:
    async with a_house(tmp_path, seconds_per_token=0.03) as house:
        word = canary("pet")
        id = await remembered(house.store, word)
        talk = asyncio.create_task(house.world.say(f"Is {word} the name of my hamster?"))
        await asyncio.sleep(0.05)
        assert await house.ask("forget", id=id) == {"forgotten": id}
        assert talk.done()
        assert (await talk).text == REPLY
        assert f"named {word}" in prompt(house)
        await house.world.say(f"What is the name of my hamster, is it {word}?")
        assert f"named {word}" not in prompt(house)


@pytest.mark.parametrize("kind", ["keep", "forget", "turn", "session", "night"])
async def test_at_any_moment_it_is_carried_out_and_no_reply_is_lost(
    tmp_path: Path, kind: str
) -> None:
    chance = random.Random(kind)
    async with a_house(tmp_path, seconds_per_token=0.004) as house:
        world, store = house.world, house.store
        for number in range(max(1, ROUNDS // 5)):
            word = canary(f"{kind}{number}")
            before = await world.say(f"Look, my hamster is {word}.")
            assert before.session is not None
            assert before.turn is not None
            key = before.session, before.turn
            id = await remembered(store, word, key)
            if kind == "keep":
                await store.write(memories.archive, id)
            talk = None
            if kind == "night":
                await world.phases.sleep()
            else:
                talk = asyncio.create_task(world.say("What shall we do today, then?"))
            await asyncio.sleep(chance.uniform(0, 0.2))
            match kind:
                case "keep":
                    kept = await house.ask("keep", id=id)
                    assert (kept["status"], kept["pinned"]) == ("active", True)
                case "forget":
                    await house.ask("forget", id=id)
                case "turn":
                    await house.ask("erase", turn=f"{key[0]}#{key[1]}")
                case "session" | "night":
                    await house.ask("erase", session=key[0], now=chance.random() < 0.5)
            if talk is not None:
                result = await talk
                assert result.text == REPLY
                assert not result.cut
                if kind != "session":
                    assert result.session is not None
                    assert result.turn is not None
                    logged = await store.read(history.turn, result.session, result.turn)
                    assert logged is not None
                    assert logged.reply is not None
                    assert logged.reply.text == REPLY
            after = await world.say(f"Is {word} the name of my hamster?")
            assert after.text == REPLY
            known = f"named {word}" in prompt(house) or f"my hamster is {word}" in prompt(house)
            assert known == (kind in ("keep", "forget"))  # there, at least the turn stays
            held = await store.read(memories.get, id)
            assert (held is not None) == (kind == "keep")
            assert held is not None or f"named {word}" not in prompt(house)
            if kind in ("session", "night"):
                assert (after.session, after.turn) != key
                assert word not in json.dumps((await house.ask("export"))["memories"])
        await world.phases.sleep()
        await world.phases.rested()
        assert world.witness.failures == []


async def test_what_the_running_talk_held_is_gone_from_its_prompt(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        word = canary("secret")
        first = await house.world.say(f"My secret is {word}.")
        await house.world.say("Nice, is it not?")
        assert word in prompt(house)
        done = await house.ask("erase", turn=f"{first.session}#{first.turn}")
        await house.world.say("What did I say just now?")
        assert word not in prompt(house)
        assert "is it not?" in prompt(house)
        assert word not in json.dumps(await house.ask("export"))
        assert await house.ask("undo", id=done["erasing"]) == {
            "back": f"turn {first.session}#{first.turn}"
        }
        assert (await house.ask("erasing"))["pending"] == []
        assert word in json.dumps(await house.ask("export"))
        await house.world.say("What is my secret, tell me?")
        assert word in prompt(house)


async def test_hidden_and_undone_or_gone_from_every_file_in_time(tmp_path: Path) -> None:
    async with a_house(tmp_path, undo_s=0.4) as house:
        word = canary("secret")
        first = await house.world.say(f"My secret is {word}.")
        await house.store.backup()
        turn = f"{first.session}#{first.turn}"
        done = await house.ask("erase", turn=turn)
        assert done["due_in_s"] == 0.4
        await house.ask("undo", id=done["erasing"])
        await asyncio.sleep(0.6)
        assert holding(house, word)
        done = await house.ask("erase", turn=turn)
        assert [each["shown_as"] for each in (await house.ask("erasing"))["pending"]] == [
            f"turn {turn}"
        ]
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not (await house.ask("erasing"))["pending"]:
                break
        assert holding(house, word) == []
        with pytest.raises(InputError, match="cannot be undone any more"):
            await house.ask("undo", id=done["erasing"])


async def test_erase_now_does_not_wait(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        word = canary("secret")
        first = await house.world.say(f"My secret is {word}.")
        done = await house.ask("erase", session=first.session)
        assert await house.ask("erase_now", id=done["erasing"]) == {
            "erased": f"session {first.session}"
        }
        assert holding(house, word) == []


def holding(house: House, word: str) -> list[str]:
    """The files in which a piece of the word stands."""
    found = files(house.store.directory).items()
    return [path.name for path, content in found if word[6:].encode() in content]


async def test_everything_wants_its_words_and_the_talk_begins_anew(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        word = canary("secret")
        await house.world.say(f"My secret is {word}.")
        with pytest.raises(InputError, match="typed"):
            await house.ask("erase", all=True, now=True)
        assert await house.ask("erase", all=True, typed="forget everything") == {
            "erased": "everything"
        }
        assert holding(house, word) == []
        assert (await house.ask("sessions"))["total"] == 0
        again = await house.world.say("Hello, who are you?")
        assert again.turn == 1
        assert word not in prompt(house)


async def test_two_parents_at_once_do_one_thing_after_the_other(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        id = await remembered(house.store, "Biscuit")
        done = await asyncio.gather(
            *(house.ask(do, id=id) for do in ("keep", "forget", "keep", "forget")),
            *(house.ask("erase", memory=id) for _ in range(3)),
            return_exceptions=True,
        )
        failures = [each for each in done if isinstance(each, BaseException)]
        assert all(isinstance(each, InputError) for each in failures)
        assert all("there is no memory" in str(each) for each in failures)
        gone = [each for each in done if isinstance(each, dict) and "id" not in each]
        assert len(gone) == 1
        assert await house.store.read(memories.get, id) is None


async def test_who_has_asked_and_gone_is_served_all_the_same(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        first = await house.world.say("My secret is small.")
        for delay in (0.0, 0.01, 0.03, 0.3):
            asking = asyncio.create_task(house.ask("erase", turn=f"{first.session}#1", now=True))
            await asyncio.sleep(delay)
            asking.cancel()
            await asyncio.wait([asking])
        again = await house.world.say("Are you still there?")
        assert again.text == REPLY
        for _ in range(100):
            if await house.store.read(history.turn, str(first.session), 1) is None:
                break
            await asyncio.sleep(0.05)
        assert await house.store.read(history.turn, str(first.session), 1) is None


async def test_a_long_export_comes_in_parts_and_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_house(tmp_path) as house:
        await house.world.say("My hamster is called Biscuit, and “he” is nice.")
        whole = await house.ask("export")
        monkeypatch.setattr("companion.daemon.parents.PART", 100)
        parts = [each async for each in house.client.events("export")]
        assert len(parts) > 5
        assert parts[-1] == {"done": None}
        assert await house.ask("export") == whole


async def test_an_export_that_is_cut_off_is_an_error_and_no_half_document(tmp_path: Path) -> None:
    async def half(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(encode({"companion": VERSION, "pid": 1, "data_dir": str(tmp_path)}))
        await reader.readline()
        writer.write(encode({"part": 1, "of": 2, "text": "{"}))
        writer.close()

    server = await asyncio.start_unix_server(half, tmp_path / "s")
    with pytest.raises(DaemonError, match="the daemon has gone"):
        await Client(tmp_path / "s", 1).ask("export")
    server.close()


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "erase"},
        {"do": "erase", "all": False},
        {"do": "erase", "memory": 1, "turn": "s#1"},
        {"do": "erase", "turn": "s"},
        {"do": "erase", "memory": 1.5},
        {"do": "erase", "session": "\ud800"},
        {"do": "undo"},
        {"do": "keep", "id": "1"},
        {"do": "keep", "id": 10**30},
        {"do": "keep", "id": None},
    ],
    ids=str,
)
async def test_a_request_that_makes_no_sense_changes_nothing(
    tmp_path: Path, request_: dict[str, object]
) -> None:
    async with a_house(tmp_path) as house:
        id = await remembered(house.store, "Biscuit")
        with pytest.raises(CompanionError) as refused:
            await house.ask(**request_)  # type: ignore[arg-type]
        assert isinstance(refused.value, InputError)
        assert await house.store.read(memories.get, id) is not None
        assert await house.store.read(pending_erase.all_pending) == []
