"""The loop over engines that do as they are told: turns, and what is none."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.config import VoiceSection
from companion.dialog.replies import LOST_THREAD
from companion.engines.sound.protocols import FRAME_S, Samples, Transcript
from companion.errors import EngineError
from companion.voice.replies import FILLERS, SORRY
from tests.fakes_voice import ScriptedTranscriber
from tests.voice.a_voice import REPLY, Room, a_voice


async def test_who_speaks_is_answered_aloud(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        await voice.loop.run()
        (turn,) = voice.turns
        assert (turn.heard, turn.said, turn.cut) == ("Tell me about whales.", REPLY, False)
        (stored,) = await voice.stored()
        assert stored.user is not None
        assert stored.reply is not None
        assert (stored.user.text, stored.user.confidence) == ("Tell me about whales.", 0.9)
        assert stored.reply.text == REPLY
        first = voice.room.sounding()[0]
        endpoint = 1.4 + VoiceSection().endpoint_ms / 1000
        assert endpoint <= first <= endpoint + 0.2
        assert turn.evaluated_tokens <= 1, "the prompt was read before the endpoint was certain"
        assert (turn.as_json()["by"], turn.as_json()["example_tokens"]) == ("model", 0)


async def test_a_pause_inside_a_sentence_is_no_end(tmp_path: Path) -> None:
    heard = ("I like", "I like whales a lot.")
    async with a_voice(tmp_path, heard, ((0.5, 1.2), (1.6, 2.6))) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["I like whales a lot."]


@pytest.mark.slow
async def test_reading_for_words_that_were_not_all_makes_way_for_the_others(tmp_path: Path) -> None:
    """By the clock on the wall: the model is slow, and speech goes on after the first pause."""
    heard = ("I like", "I like whales a lot.")
    spans = ((0.5, 1.2), (1.6, 2.6))
    async with a_voice(tmp_path, heard, spans, real_pace=True) as voice:
        model = voice.world.model
        await model.busy.acquire()

        def release(room: Room) -> None:
            if room.now > 2.6 + VoiceSection().tentative_ms / 1000 + 0.2 and model.busy.locked():
                room.on_frame = lambda room: None
                model.busy.release()

        voice.room.on_frame = release
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["I like whales a lot."]
        read = [messages[-1].text for messages in model.warmed if messages[-1].role == "user"]
        assert not any(text.endswith("I like") for text in read)
        assert any(text.endswith(heard[1]) for text in read)


async def test_a_model_that_fails_while_it_reads_ahead_loses_no_words(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        voice.world.model.closed = True  # Like a server that has gone.
        await voice.loop.run()
        (turn,) = voice.turns
        assert (turn.heard, turn.said) == ("Tell me about whales.", LOST_THREAD)
        (stored,) = await voice.stored()
        assert stored.user is not None


async def test_noise_is_neither_answered_nor_kept(tmp_path: Path) -> None:
    heard = (Transcript("Thank you.", 0.3, 0.95), Transcript("you", 0.2, 0.99))
    async with a_voice(tmp_path, heard, ((0.5, 1.0), (3.0, 3.5))) as voice:
        await voice.loop.run()
        assert voice.unanswered == ["noise", "noise"]
        assert await voice.stored() == []
        assert voice.room.sounding() == []


async def test_after_two_failures_it_says_that_it_did_not_understand(tmp_path: Path) -> None:
    heard = (Transcript("the boat of my was", 0.2, 0.1),)
    async with a_voice(tmp_path, heard, ((0.5, 2.0), (4.0, 5.5))) as voice:
        voice.room.length_s = 10
        await voice.loop.run()
        assert voice.unanswered == ["unclear", "unclear"]
        assert SORRY in voice.mouth.texts
        assert await voice.stored() == []


async def test_a_transcriber_that_fails_ends_nothing(tmp_path: Path) -> None:
    class Deaf(ScriptedTranscriber):
        async def transcribe(self, samples: Samples) -> Transcript:
            if not self.calls:
                self.calls.append(samples)
                raise EngineError("the transcriber failed: on purpose")
            return await super().transcribe(samples)

    async with a_voice(tmp_path, spans=((0.5, 1.5), (4.0, 5.5)), ears=Deaf()) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["Hello."]


async def test_ears_that_go_on_failing_are_told_of_aloud(tmp_path: Path) -> None:
    class Deaf(ScriptedTranscriber):
        async def transcribe(self, samples: Samples) -> Transcript:
            raise EngineError("the transcriber failed: on purpose")

    async with a_voice(tmp_path, spans=((0.5, 2.0), (4.0, 5.5)), ears=Deaf()) as voice:
        voice.room.length_s = 10
        await voice.loop.run()
        assert SORRY in voice.mouth.texts
        assert await voice.stored() == []


async def test_a_voice_that_fails_ends_nothing(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        await voice.mouth.close()
        await voice.loop.run()
        (turn,) = voice.turns
        assert turn.heard == "Tell me about whales."
        assert voice.room.sounding() == []


async def test_something_of_its_own_is_said_and_waited_for(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        voice.room.length_s = 5
        running = asyncio.create_task(voice.loop.run())
        await voice.loop.say("Good morning.")
        assert len(voice.room.sounding()) * FRAME_S == pytest.approx(13 * 0.06, abs=0.07)
        await running


async def test_what_it_says_of_its_own_ends_when_it_is_taken_back(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        voice.room.length_s = 5

        def take_back(room: Room) -> None:
            if len(room.sounding()) == 5:
                saying.cancel()

        voice.room.on_frame = take_back
        running = asyncio.create_task(voice.loop.run())
        saying = asyncio.create_task(voice.loop.say("This would take more than two seconds."))
        await running
        assert saying.cancelled()
        assert 5 <= len(voice.room.sounding()) <= 7


@pytest.mark.slow
@pytest.mark.parametrize("transcript_s", [0.0, 0.8], ids=["reads", "answers"])
async def test_when_the_model_is_late_something_short_is_said_meanwhile(
    tmp_path: Path, transcript_s: float
) -> None:
    """By the clock on the wall. The model is held up, while it reads ahead or once it is to
    answer (the transcript then comes after the endpoint), until the filler is heard."""
    ears = ScriptedTranscriber(seconds=transcript_s)
    async with a_voice(
        tmp_path, ears=ears, real_pace=True, reply="They sing.", filler_after_ms=700
    ) as voice:
        await voice.world.model.busy.acquire()

        def release(room: Room) -> None:
            if room.sounding() and voice.world.model.busy.locked() and not released:
                released.append(room.now)
                voice.world.model.busy.release()

        released: list[float] = []
        voice.room.on_frame = release
        await voice.loop.run()
        (turn,) = voice.turns
        assert (turn.said, turn.cut) == ("They sing.", False)
        assert voice.mouth.texts[: len(FILLERS)] == list(FILLERS)
        moments = turn.times.moments
        assert moments["filler"] - turn.times.speech_ended >= 0.7
        assert moments["filler"] < moments["first_clause"] < moments["first_sound"]
