"""What a body can follow: told in order and in time, and computed for listeners only."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.answering import Announcement
from companion.clock import SystemClock
from companion.config import Config
from companion.daemon.body import MOST, PER_SECOND, Body
from companion.daemon.client import Client
from companion.daemon.control import Control
from companion.daemon.listeners import MOST_WAITING, Listener
from companion.daemon.mood import mood_of
from companion.daemon.parents import Parents
from companion.daemon.requests import Requests
from companion.engines.sound.protocols import FRAME_S, SPEAKER_FRAME, Samples, Transcript
from companion.errors import DaemonError
from companion.voice.speech.playback import Spoken
from companion.voice.turns.watched import FrameWatcher, Moment
from tests.voice.a_voice import REPLY, Room, Voice, a_voice

Event = dict[str, Any]
SILENCE: Samples = np.zeros(SPEAKER_FRAME, np.int16)
TONE: Samples = (8000 * np.sin(np.arange(SPEAKER_FRAME) * 0.3)).astype(np.int16)
AT_REST = Moment(hears=False, thinks=False, speaks=False, spoken=None)


def saying(clause: str, word: str, by: str = "model") -> Moment:
    return Moment(hears=False, thinks=False, speaks=True, spoken=Spoken(clause, by, word))


class Reader:
    """Reads a body's events beside the test."""

    def __init__(self, body: Body) -> None:
        self.events: list[Event] = []
        self._task = asyncio.create_task(self._read(body))

    async def _read(self, body: Body) -> None:
        async with aclosing(body.listen()) as events:
            async for event in events:
                self.events.append(event)

    async def settled(self) -> list[Event]:
        """All events, once nothing more comes."""
        before = -1
        while before != len(self.events):
            before = len(self.events)
            await asyncio.sleep(0.02)
        return self.events

    async def leave(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


@asynccontextmanager
async def reading(body: Body) -> AsyncIterator[Reader]:
    reader = Reader(body)
    await reader.settled()
    yield reader
    await reader.leave()


class Following:
    """A voice that can be followed."""

    watcher: FrameWatcher | None = None


# ---- what is told


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


# ---- who listens


async def test_nothing_is_computed_while_nobody_listens() -> None:
    asked = 0

    def resting() -> str:
        nonlocal asked
        asked += 1
        return "asleep"

    body, voice = Body(resting), Following()
    body.follow(voice)
    body.wrote("Hello!", "model")
    await asyncio.sleep(0.2)
    assert (voice.watcher, asked) == (None, 0)
    async with reading(body), reading(body):
        assert voice.watcher is body
    assert voice.watcher is None
    asked = 0
    await asyncio.sleep(0.2)
    assert asked == 0


async def test_a_voice_that_opens_later_is_followed() -> None:
    body, voice = Body(lambda: "starting"), Following()
    async with reading(body):
        body.follow(voice)
        assert voice.watcher is body


async def test_one_too_many_is_told_so() -> None:
    body = Body(lambda: "asleep")
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(MOST):
            await stack.enter_async_context(reading(body))
        with pytest.raises(DaemonError, match="listen already"):
            await anext(body.listen())


async def test_a_slow_listener_is_dropped_and_the_others_miss_nothing() -> None:
    body = Body(lambda: "awake")
    slow = body.listen()
    assert await anext(slow) == {"state": "awake"}
    async with reading(body) as reader:
        for number in range(MOST_WAITING + 5):
            body.frame(TONE, saying("La.", f"{number}"))
            body.frame(TONE, saying("La.", f"{number}"))
            await asyncio.sleep(0)
        with pytest.raises(DaemonError, match="too slow"):
            await anext(slow)
        words = [event["word"] for event in await reader.settled() if "loudness" in event]
        assert len(words) > MOST_WAITING
        assert len(body._listeners) == 1


async def test_a_listener_hears_everything_in_order() -> None:
    listener = Listener()
    for number in range(5):
        listener.tell({"n": number})
    assert [await listener.next(1) for _ in range(5)] == [{"n": number} for number in range(5)]
    assert await listener.next(0.01) is None


# ---- through the socket


class Running:
    """Of a daemon, what the socket's requests need to follow it."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.voice = None
        self.parents = Parents(Config(), SystemClock())

    async def status(self) -> dict[str, Any]:
        return {}

    async def opened(self) -> Any:
        raise AssertionError("nobody chats here")


@asynccontextmanager
async def socket_of(body: Body, directory: Path) -> AsyncIterator[Client]:
    control = Control(directory / "s", directory, Requests(Running(body)).answer)
    await control.open()
    try:
        yield Client(directory / "s", 1)
    finally:
        await control.close()


async def until(true: Any, seconds: float = 10.0) -> None:
    for _ in range(int(seconds * 100)):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came true")


async def test_events_come_through_the_control_socket(tmp_path: Path) -> None:
    body = Body(lambda: "awake")
    async with socket_of(body, tmp_path) as client:
        async with aclosing(client.events("events")) as events:
            assert await anext(events) == {"state": "awake"}
            body.frame(TONE, saying("Hi there.", "Hi"))
            assert [await anext(events) for _ in range(2)] == [
                {"state": "speaking"},
                {"mood": "glad"},
            ]
        await until(lambda: not body._listeners)


async def test_a_reader_that_vanishes_is_forgotten(tmp_path: Path) -> None:
    body, voice = Body(lambda: "awake"), Following()
    body.follow(voice)
    async with socket_of(body, tmp_path) as client:
        events = client.events("events")
        await anext(events)
        assert voice.watcher is body
        await events.aclose()
        await until(lambda: voice.watcher is None)


async def test_a_reader_that_does_not_read_is_let_go_and_nothing_waits(tmp_path: Path) -> None:
    body, voice = Body(lambda: "awake"), Following()
    body.follow(voice)
    async with socket_of(body, tmp_path) as client:
        from companion.daemon.protocol import encode, short

        with short(client.path) as name:
            _, writer = await asyncio.open_unix_connection(name, limit=64)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        writer.write(encode({"do": "events"}))
        await until(lambda: bool(body._listeners))
        longest = 0.0
        loop = asyncio.get_running_loop()
        for number in range(20_000):
            before = loop.time()
            body.frame(TONE, saying("La la la.", "la" * 200 + str(number)))
            longest = max(longest, loop.time() - before)
            if number % 10 == 0:
                await asyncio.sleep(0.001)
            if not body._listeners:
                break
        assert not body._listeners
        assert voice.watcher is None
        assert longest < 0.5, "a frame never waits for a reader"
        writer.transport.abort()


async def test_the_daemon_stops_while_somebody_listens(tmp_path: Path) -> None:
    body = Body(lambda: "awake")
    async with socket_of(body, tmp_path) as client:
        events = client.events("events")
        await anext(events)
    with pytest.raises(DaemonError, match="the daemon has gone"):
        await anext(events)


# ---- over a voice


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
