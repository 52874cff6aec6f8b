"""What a body can follow: told in order and in time."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from companion.answering import Announcement
from companion.daemon.body import PER_SECOND, Body
from companion.daemon.mood import mood_of
from companion.engines.sound.protocols import FRAME_S
from tests.daemon.a_body import AT_REST, SILENCE, TONE, reading, saying


async def test_the_first_line_tells_what_it_does_now_and_then_every_change() -> None:
    now = ["asleep"]
    body = Body(lambda: now[0])
    async with reading(body) as reader:
        for now[0] in ("awake", "consolidating", "consolidating", "asleep"):
            await asyncio.sleep(0.15)
        assert await reader.settled() == [
            {"state": "asleep"},
            {"state": "awake"},
            {"state": "consolidating"},
            {"state": "asleep"},
        ]


async def test_loudness_comes_twenty_times_a_second_and_ends_with_a_closed_mouth() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        for _ in range(round(1.0 / FRAME_S)):
            body.frame(TONE, saying("A whale sings.", "whale"))
            await asyncio.sleep(0)
        for _ in range(10):
            body.frame(SILENCE, AT_REST)
            await asyncio.sleep(0)
        levels = [event for event in await reader.settled() if "loudness" in event]
    loud = [event for event in levels if event["loudness"] > 0]
    assert PER_SECOND - 1 <= len(loud) <= PER_SECOND + 1
    assert {event["word"] for event in loud[:-1]} == {"whale"}
    assert levels[len(loud) :] == [{"loudness": 0.0, "word": None}]


async def test_louder_sound_is_louder_and_within_bounds() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        for gain in (0.001, 0.05, 0.3, 4.0):
            sound = np.clip(TONE * gain, -32768, 32767).astype(np.int16)
            for _ in range(3):
                body.frame(sound, saying("Oh.", "Oh"))
        found = [event["loudness"] for event in await reader.settled() if "loudness" in event]
    assert found == sorted(found)
    assert found[0] == 0.0
    assert 0.9 < found[-1] <= 1.0


async def test_a_mood_comes_before_the_sound_of_its_clause_and_on_change() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        for clause in ("Wow, a dinosaur!", "Wow, a dinosaur!", "It was a T. rex.", "Was it big?"):
            for _ in range(2):
                body.frame(TONE, saying(clause, "x"))
        told = [e for e in await reader.settled() if "loudness" not in e]
        first = next(n for n, event in enumerate(reader.events) if "loudness" in event)
        assert {"mood": "glad"} in reader.events[:first]
    assert told[1:] == [
        {"state": "speaking"},
        {"mood": "glad"},
        {"mood": "calm"},
        {"mood": "curious"},
    ]


async def test_every_answer_tells_its_mood_anew() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        for _ in range(2):
            body.frame(TONE, saying("It rains.", "rains"))
            body.frame(SILENCE, AT_REST)
        moods = [event for event in await reader.settled() if "mood" in event]
    assert moods == [{"mood": "calm"}] * 2


async def test_a_timer_is_told_without_a_word_of_it() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        body.rings(Announcement(1, ("Your timer for the cake!",), ("Ding!",), "timer"))
        assert (await reader.settled())[-1] == {"timer": "timer"}


async def test_what_is_typed_shows_as_thinking_and_has_a_mood() -> None:
    body = Body(lambda: "awake")
    async with reading(body) as reader:
        with body.typed():
            await asyncio.sleep(0.15)
            body.wrote("I'm sorry.", "model")
        await asyncio.sleep(0.15)
        assert (await reader.settled())[1:] == [
            {"state": "thinking"},
            {"mood": "sorry"},
            {"state": "awake"},
        ]


@pytest.mark.parametrize(
    ("by", "clause", "mood"),
    [
        ("guard:self-harm", "You are so brave, hooray!", "serious"),
        ("guard:worry", "Do you want to tell me more?", "calm"),
        ("guard", "Let's talk of something nice.", "calm"),
        ("health", "You told me: you can't eat nuts.", "serious"),
        ("skill:jokes", "What do you call a fish with no eyes?", "glad"),
        ("skill:stories", "Oh no, the boat was gone!", "calm"),
        ("skill:timers", "Two minutes, starting now.", "calm"),
        ("skill:of_a_toy_maker", "Well done!", "glad"),
        ("repertoire", "That sounds really hard.", "sorry"),
        ("model", "Do you like whales?", "curious"),
        ("", "Please be careful.", "serious"),
    ],
)
def test_the_mood_goes_by_who_answers_and_else_by_the_words(
    by: str, clause: str, mood: str
) -> None:
    assert mood_of(by, clause) == mood
