"""kill -9 within a turn: it is kept if and only if it was committed, once, and talk goes on."""

from __future__ import annotations

import asyncio
import os
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from companion.store import history
from companion.store.database import Store
from tests.dialog.talk import talking
from tests.store.processes import process

POINTS = ("turn:heard", "turn:words-stored", "turn:said", "turn:reply-stored")
KEPT = {"turn:heard": 0, "turn:words-stored": 1, "turn:said": 1, "turn:reply-stored": 2}
"""Messages of the second turn that a kill at this point leaves."""


def talk_until_killed(directory: Path, point: str) -> int | None:
    """A process of its own takes one turn, and is killed at the point in its second; its code."""
    with process(talk_and_die, directory) as (child, pipe):
        pipe.send(point)
        child.join()
        return child.exitcode


def talk_and_die(directory: Path, pipe: Connection) -> None:
    asyncio.run(_talk(directory, pipe.recv()))


async def _talk(directory: Path, point: str) -> None:
    async with talking(directory) as talk:
        await talk.say("The first words")
        os.environ["COMPANION_FAULT"] = f"{point}:kill"
        await talk.say("The second words")


async def violations_after(directory: Path, point: str) -> list[str]:
    """What is wrong with the log after that kill, and after one more turn."""
    async with talking(directory) as talk:
        said = await _messages(talk.store)
        wanted = ["The first words", "That is nice.", "The second words", "That is nice."]
        found = [] if said == wanted[: 2 + KEPT[point]] else [f"{point}: {len(said)} messages"]
        await talk.say("The third words")
        after = await _messages(talk.store)
        if after != [*said, "The third words", "That is nice."]:
            found.append(f"{point}: what follows is wrong")
    return found


async def _messages(store: Store) -> list[str]:
    return [
        message.text
        for session in await store.read(history.sessions)
        for turn in await store.read(history.turns, session.id)
        for message in (turn.user, turn.reply)
        if message is not None
    ]


@pytest.mark.parametrize("point", POINTS)
def test_a_turn_is_kept_exactly_as_far_as_it_was_committed(tmp_path: Path, point: str) -> None:
    assert talk_until_killed(tmp_path, point) == -9
    assert asyncio.run(violations_after(tmp_path, point)) == []
