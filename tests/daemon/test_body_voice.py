"""A body over a voice: what it is told of whole turns."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.daemon.body import PER_SECOND, Body
from companion.engines.sound.protocols import FRAME_S, Transcript
from tests.daemon.a_body import Event, reading
from tests.voice.a_voice import REPLY, Room, Voice, a_voice


async def spoken_day(voice: Voice) -> list[Event]:
    body = Body(lambda: "awake")
    body.follow(voice.loop)
    async with reading(body) as reader:
        await voice.loop.run()
        await asyncio.sleep(0.15)
        return list(await reader.settled())


async def test_a_turn_as_a_body_sees_it(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        events = await spoken_day(voice)
        sounding = len(voice.room.sounding()) * FRAME_S
    states = [event["state"] for event in events if "state" in event]
    assert states == ["awake", "listening", "thinking", "speaking", "awake"]
    assert [event["mood"] for event in events if "mood" in event] == ["calm", "curious"]
    levels = [event for event in events if "loudness" in event]
    assert len(levels) == pytest.approx(sounding * PER_SECOND, rel=0.15)
    words = [event["word"] for event in levels if event["word"]]
    in_order = [word for n, word in enumerate(words) if n == 0 or word != words[n - 1]]
    assert in_order == [word.strip(".?") for word in REPLY.split()]


async def test_who_interrupts_is_listened_to_and_nothing_sounds_meanwhile(tmp_path: Path) -> None:
    heard = ("Tell me about whales.", "Stop, what about cats?")
    async with a_voice(tmp_path, heard, ((0.5, 1.4), (3.0, 4.2))) as voice:
        events = await spoken_day(voice)
    states = [event["state"] for event in events if "state" in event]
    assert states[:5] == ["awake", "listening", "thinking", "speaking", "listening"]
    assert states.count("speaking") == 2
    at = [n for n, event in enumerate(events) if event.get("state") == "listening"][1]
    after = events[at + 1 :]
    thinking = next(n for n, event in enumerate(after) if "state" in event)
    assert all(event.get("word") is None for event in after[:thinking])


async def test_without_a_wake_phrase_talk_beside_it_shows_nothing(tmp_path: Path) -> None:
    heard = ("Shall we have soup today?",)
    async with a_voice(tmp_path, heard, start="wake-phrase") as voice:
        assert await spoken_day(voice) == [{"state": "awake"}]


async def test_with_a_button_it_thinks_on_after_the_button_was_let_go(tmp_path: Path) -> None:
    async with a_voice(tmp_path, start="push-to-talk") as voice:

        def hold(room: Room) -> None:
            voice.loop.attention.held = room.now < 1.5

        voice.room.on_frame = hold
        events = await spoken_day(voice)
    states = [event["state"] for event in events if "state" in event]
    assert states == ["awake", "listening", "thinking", "speaking", "awake"]


async def test_a_cough_is_heard_and_comes_to_nothing(tmp_path: Path) -> None:
    async with a_voice(tmp_path, (Transcript("you", 0.2, 0.99),)) as voice:
        events = await spoken_day(voice)
    states = [event["state"] for event in events if "state" in event]
    assert states[:2] == ["awake", "listening"]
    assert states[-1] == "awake"
    assert "speaking" not in states


async def test_what_is_said_unasked_sounds_too(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        voice.room.length_s = 4.0
        saying = asyncio.create_task(voice.loop.say("Ding! Your time is up!"))
        events = await spoken_day(voice)
        await saying
    assert [event["state"] for event in events if "state" in event] == [
        *("awake", "speaking", "awake")
    ]
    assert "time" in {event["word"] for event in events if "loudness" in event}
