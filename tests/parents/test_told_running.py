"""What a parent says, sets and tries while the toy talks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config.settings import Live
from companion.errors import InputError
from companion.parents import ACCESS
from companion.store import access, memories
from tests.assembly.conftest import talks_and_learns
from tests.fakes import HashEmbedder
from tests.store.canaries import canary

from .conftest import NOW
from .house import a_house
from .test_running import REPLY, prompt, remembered


async def test_a_correction_waits_for_the_reply_and_the_next_one_knows(tmp_path: Path) -> None:
    async with a_house(tmp_path, seconds_per_token=0.03) as house:
        wrong, right = canary("wrong"), canary("right")
        turn = await house.world.say(f"Look, my hamster is {wrong}.")
        id = await remembered(house.store, wrong, (str(turn.session), 1))
        talk = asyncio.create_task(house.world.say("I like my hamster so much."))
        await asyncio.sleep(0.05)
        text = f"The hamster of the user is named {right}."
        told = (await house.ask("correct", memory=id, text=text))["memory"]
        assert talk.done()
        assert (await talk).text == REPLY
        assert (told["text"], told["told_by_parent"]) == (text, True)
        unembedded = await house.store.read(memories.unembedded_memories, HashEmbedder().name, 5)
        assert told["id"] not in [each.id for each in unembedded]
        await house.world.say(f"What is the name of my hamster, is it named {right}?")
        assert f"named {right}" in prompt(house)
        assert f"named {wrong}" not in prompt(house)


async def test_who_it_talks_to_is_known_in_the_next_prompt(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        await house.world.say("My name is Robin and I like cows.")
        assert (await house.ask("correct", field="name", value="Ottilie"))["name"]["value"] == (
            "Ottilie"
        )
        await house.world.say("Tell me something about cows.")
        assert "Ottilie" in prompt(house)


async def test_tries_of_a_pin_do_not_interrupt_the_toy(tmp_path: Path) -> None:
    async with a_house(tmp_path, seconds_per_token=0.3) as house:
        await house.ask("pin_set", pin="493817")
        talk = asyncio.create_task(house.world.say("Tell me about cows."))
        await asyncio.sleep(0.05)
        tried = await asyncio.gather(*(house.ask("pin_try", pin="000001") for _ in range(7)))
        assert not talk.done(), "nobody waits for the floor"
        assert not any(each["ok"] for each in tried)
        assert (await house.ask("pin_state"))["wait_s"] > 0
        assert not (await house.ask("pin_try", pin="493817"))["ok"]
        assert (await talk).text == REPLY
        await house.ask("audit_add", what="look", count=3)
        assert [each["what"] for each in await house.ask("audit")] == ["look", "set the pin"]
        assert [each["topic"] for each in await house.ask("notices")] == [access.TOPIC]


@pytest.mark.parametrize("name", sorted(ACCESS))
async def test_the_door_takes_what_makes_no_sense(tmp_path: Path, name: str) -> None:
    async with a_house(tmp_path) as house:
        for request in ({}, {"pin": 5, "what": 7, "count": "x"}, {"pin": "\0" * 100, "what": ""}):
            if name == "pin_try" and isinstance(request.get("pin"), str):
                json.dumps(await house.ask(name, **request))
            elif name != "pin_try":
                with pytest.raises(InputError):
                    await house.ask(name, **request)


async def test_settings_are_set_while_it_talks(tmp_path: Path) -> None:
    async with a_house(tmp_path, clock=ManualClock(NOW), script=talks_and_learns) as house:
        live = Live(house.config)
        await house.ask("set", key="service.quiet", value="20:00-07:00")
        assert live().service.quiet == "20:00-07:00"
        for key in ("safety.guard", "web.lan", "store.encrypt"):
            with pytest.raises(InputError, match="cannot be set"):
                await house.ask("set", key=key, value="x")
