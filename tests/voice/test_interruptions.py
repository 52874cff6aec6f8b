"""Who speaks while the companion speaks: stopped, paused, or gone on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from companion.engines.sound.protocols import FRAME_S, Samples, Transcript
from companion.errors import EngineError
from companion.voice.replies import FILLERS
from tests.fakes_voice import ScriptedTranscriber
from tests.voice.a_voice import REPLY, Room, a_voice


async def test_speech_that_lasts_stops_the_companion_and_is_answered(tmp_path: Path) -> None:
    heard = ("Tell me about whales.", "No, wait, tell me about dogs now.")
    async with a_voice(tmp_path, heard) as voice:
        began: list[float] = []

        def interrupt(room: Room) -> None:
            if not began and room.sounding():
                began.append(room.now)
                room.speak(1.0, 1.5)

        voice.room.on_frame = interrupt
        await voice.loop.run()
        first, second = voice.turns
        assert first.cut
        assert REPLY.startswith(first.said)
        assert first.said != REPLY
        assert (second.heard, second.said, second.cut) == (heard[1], REPLY, False)
        spoken_at = began[0] + 1.0
        between = [at for at in voice.room.sounding() if spoken_at + 0.3 < at < spoken_at + 2.0]
        assert between == [], "it paused at the first sound, and stopped when speech lasted"
        one, two = await voice.stored()
        assert one.reply is not None
        assert (one.reply.text, one.reply.cut) == (first.said, True)
        assert two.reply is not None


@pytest.mark.parametrize("sound", ["mhm", ""])
async def test_a_nod_or_a_cough_only_makes_it_pause(tmp_path: Path, sound: str) -> None:
    async with a_voice(tmp_path, ("Tell me about whales.", sound)) as voice:
        coughed: list[float] = []

        def cough(room: Room) -> None:
            if not coughed and room.sounding():
                coughed.append(room.now)
                room.speak(0.8, 0.25)

        voice.room.on_frame = cough
        await voice.loop.run()
        (turn,) = voice.turns
        assert (turn.said, turn.cut) == (REPLY, False)
        assert voice.unanswered == ["backchannel" if sound else "noise"]
        played = np.concatenate([frame for frame in voice.room.played if frame.any()])
        assert len(played) >= sum(len(text) for text in voice.mouth.texts[len(FILLERS) :]) * 1440


async def test_a_short_stop_interrupts(tmp_path: Path) -> None:
    async with a_voice(tmp_path, ("Tell me about whales.", "Stop.")) as voice:
        said: list[float] = []

        def stop(room: Room) -> None:
            if not said and room.sounding():
                said.append(room.now)
                room.speak(0.8, 0.3)

        voice.room.on_frame = stop
        await voice.loop.run()
        assert [turn.cut for turn in voice.turns] == [True, False]
        assert voice.turns[1].heard == "Stop."


async def test_who_goes_on_as_the_answer_begins_stops_it_and_is_answered(tmp_path: Path) -> None:
    heard = ("I want to know", "why whales sing so much")
    async with a_voice(tmp_path, heard, ((0.5, 1.4), (2.1, 3.0))) as voice:
        await voice.loop.run()
        one, two = await voice.stored()
        assert one.reply is None, "not a word of it was heard"
        assert two.reply is not None
        assert two.reply.text == REPLY
        assert [at for at in voice.room.sounding() if 2.3 < at < 3.0] == []


@pytest.mark.slow
async def test_it_does_not_begin_to_answer_over_who_goes_on_speaking(tmp_path: Path) -> None:
    """In real time: what was said first is understood only while the next thing is being said."""
    ears = ScriptedTranscriber(("I have a dog.", "He is called Rex."), seconds=0.6)
    spans = ((0.5, 1.4), (2.02, 2.6))
    async with a_voice(tmp_path, ears=ears, spans=spans, real_pace=True) as voice:
        await voice.loop.run()
        assert [at for at in voice.room.sounding() if 2.2 < at < 2.6] == []
        assert voice.turns[-1].heard == "He is called Rex."
        assert voice.turns[-1].said == REPLY


@pytest.mark.parametrize("microphone", ["deaf", "off"])
async def test_what_nobody_understands_does_not_keep_it_silent(
    tmp_path: Path, microphone: str
) -> None:
    """A sound interrupts, and what it was is never known: the transcriber fails, or the microphone
    is turned off meanwhile."""

    class Failing(ScriptedTranscriber):
        async def transcribe(self, samples: Samples) -> Transcript:
            if self.calls and microphone == "deaf":
                raise EngineError("the transcriber failed: on purpose")
            return await super().transcribe(samples)

    async with a_voice(tmp_path, ears=Failing(("Tell me about whales.",))) as voice:
        coughed: list[float] = []

        def cough(room: Room) -> None:
            if not coughed and room.sounding():
                coughed.append(room.now)
                room.speak(0.8, 0.4)
            if coughed and room.now > coughed[0] + 1.0 and microphone == "off":
                voice.loop.pause()

        voice.room.on_frame = cough
        await asyncio.wait_for(voice.loop.run(), 60)
        assert [(turn.said, turn.cut) for turn in voice.turns] == [(REPLY, False)]


async def test_half_duplex_does_not_hear_itself(tmp_path: Path) -> None:
    async with a_voice(tmp_path, echo="half-duplex") as voice:
        voice.room.on_frame = lambda room: (
            room.speak(0, FRAME_S) if room.played and room.played[-1].any() else None
        )
        await voice.loop.run()
        assert [turn.cut for turn in voice.turns] == [False]
        assert len(voice.ears.calls) == 1


async def test_its_own_echo_starts_no_turn(tmp_path: Path) -> None:
    heard = ("Tell me about whales.", "whales are the biggest animals there are")
    async with a_voice(tmp_path, heard, echo="none", confirm_ms=3000) as voice:
        echoed: list[float] = []

        def echo(room: Room) -> None:
            if not echoed and room.sounding():
                echoed.append(room.now)
                room.speak(0.5, 1.5)

        voice.room.on_frame = echo
        await voice.loop.run()
        assert voice.unanswered == ["echo"]
        assert [turn.said for turn in voice.turns] == [REPLY]


async def test_cut_in_the_middle_of_a_word_what_was_heard_is_kept(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        sounding = asyncio.Event()
        voice.room.on_frame = lambda room: sounding.set() if len(room.sounding()) > 30 else None
        running = asyncio.create_task(voice.loop.run())
        await sounding.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        (stored,) = await voice.stored()
        assert stored.reply is not None
        assert stored.reply.cut
        assert REPLY.startswith(stored.reply.text)


@pytest.mark.slow
async def test_stopped_before_it_knows_what_was_said_it_keeps_the_words(tmp_path: Path) -> None:
    """In real time: the endpoint is certain, the transcript is not there yet."""
    ears = ScriptedTranscriber(("Tell me about whales.",), seconds=1.0)
    async with a_voice(tmp_path, ears=ears, real_pace=True) as voice:
        committed = asyncio.Event()
        voice.room.on_frame = lambda room: committed.set() if room.now > 2.1 else None
        running = asyncio.create_task(voice.loop.run())
        await committed.wait()
        assert not voice.turns
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(running, 60)
        (stored,) = await voice.stored()
        assert stored.user is not None
        assert stored.user.text == "Tell me about whales."
        assert stored.reply is None
