"""The loop over engines that do as they are told, in simulated time: turn-taking, to the frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import numpy as np
import pytest

from companion.clock import ManualClock
from companion.config import VoiceSection
from companion.engines.sound_protocols import (
    FRAME_S,
    MIC_FRAME,
    SPEAKER_FRAME,
    Samples,
    SoundState,
    Transcript,
)
from companion.errors import EngineError
from companion.records import Turn
from companion.runtime_voice import VoiceParts
from companion.safety.replies import TO_CHILD
from companion.store import log
from companion.voice.answering import SORRY
from companion.voice.earcons import FILLERS
from companion.voice.loop import VoiceLoop
from companion.voice.pace import SimulatedPace
from companion.voice.report import Outcome, Unanswered, VoiceTurn
from companion.voice.wav_sound import Pace
from companion.voice.work import Work
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer
from tests.runtime.conftest import World, a_world

START = datetime(2026, 5, 4, 9, 0, tzinfo=timezone.utc)
REPLY = "Whales are the biggest animals there are. Do you like them?"
LOUD = (8000 * np.sin(np.arange(MIC_FRAME) * 0.3)).astype(np.int16)
QUIET = np.zeros(MIC_FRAME, np.int16)


class Room:
    """A Sound: somebody speaks in these spans, in seconds; more can be said while it runs."""

    def __init__(self, pace: SimulatedPace, spans: Sequence[tuple[float, float]]) -> None:
        self.pace: Pace = pace
        self.spans = list(spans)
        self.length_s = 0.0
        self.played: list[Samples] = []
        self.on_frame: Callable[[Room], None] = lambda room: None
        self.linger: Callable[[], bool] = lambda: False

    @property
    def now(self) -> float:
        return len(self.played) * FRAME_S

    def speak(self, begin: float, length: float) -> None:
        """Somebody speaks so many seconds from now."""
        self.spans.append((self.now + begin, self.now + begin + length))

    async def hear(self) -> Samples | None:
        last = max((end for _, end in self.spans), default=0.0)
        if self.now > max(last + 2, self.length_s) and not self.linger():
            return None
        await self.pace.tick()
        self.on_frame(self)
        return LOUD if any(begin <= self.now < end for begin, end in self.spans) else QUIET

    def play(self, frame: Samples) -> None:
        assert frame.shape == (SPEAKER_FRAME,)
        self.played.append(frame)

    @property
    def state(self) -> SoundState:
        return SoundState(microphone=True, speaker=True, names=("room", "room"))

    async def close(self) -> None:
        pass

    def sounding(self) -> list[float]:
        """The moments at which something is played."""
        return [number * FRAME_S for number, frame in enumerate(self.played) if frame.any()]


@dataclass
class Voice:
    """A companion with ears and a mouth."""

    world: World
    room: Room
    loop: VoiceLoop
    ears: ScriptedTranscriber
    mouth: ToneSynthesizer
    clock: ManualClock
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def turns(self) -> list[VoiceTurn]:
        return [each for each in self.outcomes if isinstance(each, VoiceTurn)]

    @property
    def unanswered(self) -> list[str]:
        return [each.why for each in self.outcomes if isinstance(each, Unanswered)]

    async def stored(self) -> list[Turn]:
        store = self.world.store
        return [
            turn
            for each in await store.read(log.sessions)
            for turn in await store.read(log.turns, each.id)
        ]


@asynccontextmanager
async def a_voice(
    directory: Path,
    heard: Sequence[str | Transcript] = ("Tell me about whales.",),
    spans: Sequence[tuple[float, float]] = ((0.5, 1.4),),
    *,
    reply: str = REPLY,
    **section: object,
) -> AsyncIterator[Voice]:
    clock, work = ManualClock(START), Work()
    pace = SimulatedPace(work, clock)
    room = Room(pace, spans)
    ears, mouth = ScriptedTranscriber(heard), ToneSynthesizer()
    outcomes: list[Outcome] = []
    parts = VoiceParts(ears, mouth, EnergyDetector(), None)
    async with a_world(directory, inactivity_s=600, script=[reply], clock=clock) as world:
        loop = VoiceLoop(
            room,
            parts,
            world.phases,
            VoiceSection.model_validate(section),
            persona_name="Pip",
            work=work,
            now=pace.seconds,
            on_outcome=outcomes.append,
        )
        room.linger = lambda: not loop.idle
        yield Voice(world, room, loop, ears, mouth, clock, outcomes)


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


async def test_a_pause_inside_a_sentence_is_no_end(tmp_path: Path) -> None:
    heard = ("I like", "I like whales a lot.")
    async with a_voice(tmp_path, heard, ((0.5, 1.2), (1.6, 2.6))) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["I like whales a lot."]


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
        assert len(played) >= sum(len(text) for text in voice.mouth.texts[1:]) * 1440


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


async def test_asleep_it_waits_for_its_name(tmp_path: Path) -> None:
    heard = ("what a nice day", "hey Pip, tell me a story", "and another one")
    spans = ((0.5, 1.4), (4.0, 4.9), (14.0, 14.9))
    async with a_voice(tmp_path, heard, spans, start="wake-phrase", awake_s=45) as voice:
        await voice.loop.run()
        assert voice.unanswered == ["asleep"]
        assert [turn.heard for turn in voice.turns] == ["tell me a story", "and another one"]


async def test_the_button_decides_who_is_listened_to(tmp_path: Path) -> None:
    spans = ((0.5, 1.4), (4.0, 4.9))
    async with a_voice(tmp_path, spans=spans, start="push-to-talk") as voice:

        def press(room: Room) -> None:
            voice.loop.attention.held = 3.8 < room.now < 6.0

        voice.room.on_frame = press
        await voice.loop.run()
        assert len(voice.turns) == 1
        assert len(voice.ears.calls) == 1


async def test_a_microphone_that_is_off_hears_nothing(tmp_path: Path) -> None:
    async with a_voice(tmp_path) as voice:
        voice.loop.pause()
        await voice.loop.run()
        assert voice.outcomes == []
        assert voice.loop.state()["live"] is False


class Unwaiting:
    """A pace at which time goes on while an engine works."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock

    async def tick(self) -> None:
        self._clock.advance(FRAME_S)
        await asyncio.sleep(0)


async def test_before_an_answer_that_is_late_it_is_heard_to_think(tmp_path: Path) -> None:
    async with a_voice(tmp_path, reply="Yes.", filler_after_ms=1800) as voice:
        voice.world.model.seconds_per_token = 0.3
        voice.room.pace = Unwaiting(voice.clock)
        await voice.loop.run()
        (turn,) = voice.turns
        assert voice.mouth.texts == [FILLERS[0], "Yes."]
        moments = turn.times.moments
        assert turn.times.speech_ended + 1.8 < moments["filler"] < moments["first_clause"]
        assert turn.said == "Yes."


CRISIS = "I want to kill myself."
TO_CRISIS = " ".join(TO_CHILD["self-harm"])


async def test_who_cries_into_a_crisis_reply_hears_it_again(tmp_path: Path) -> None:
    heard = (CRISIS, Transcript("the boat of my was", 0.2, 0.1))
    async with a_voice(tmp_path, heard) as voice:
        cried: list[float] = []

        def cry(room: Room) -> None:
            if not cried and room.sounding():
                cried.append(room.now)
                room.speak(1.0, 1.5)

        voice.room.on_frame = cry
        await voice.loop.run()
        assert [turn.cut for turn in voice.turns] == [True]
        assert voice.unanswered == ["unclear"]
        assert voice.mouth.texts[-2:] == list(TO_CHILD["self-harm"])
        stored = await voice.stored()
        assert [turn.stopped for turn in stored] == ["self-harm", "self-harm"]
        assert stored[-1].reply is not None
        assert (stored[-1].reply.text, stored[-1].reply.cut) == (TO_CRISIS, False)


async def test_who_speaks_into_a_crisis_reply_is_answered_with_it(tmp_path: Path) -> None:
    async with a_voice(tmp_path, (CRISIS, "And nobody likes me at all.", "Hi.")) as voice:
        spoken: list[float] = []

        def speak(room: Room) -> None:
            if not spoken and room.sounding():
                spoken.append(room.now)
                room.speak(1.0, 1.5)
                room.speak(25.0, 1.0)

        voice.room.on_frame = speak
        await voice.loop.run()
        assert [(turn.cut, turn.said == TO_CRISIS) for turn in voice.turns] == [
            (True, False),
            (False, True),
            (False, False),
        ]


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


async def test_a_transcriber_that_fails_ends_nothing(tmp_path: Path) -> None:
    class Deaf(ScriptedTranscriber):
        async def transcribe(self, samples: Samples) -> Transcript:
            if not self.calls:
                self.calls.append(samples)
                raise EngineError("the transcriber failed: on purpose")
            return await super().transcribe(samples)

    async with a_voice(tmp_path, spans=((0.5, 1.5), (4.0, 5.5))) as voice:
        voice.loop._parts = VoiceParts(Deaf(), voice.mouth, EnergyDetector(), None)
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["Hello."]


async def test_something_of_its_own_is_said_and_waited_for(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=()) as voice:
        voice.room.length_s = 5
        running = asyncio.create_task(voice.loop.run())
        await voice.loop.say("Good morning.")
        assert len(voice.room.sounding()) * FRAME_S == pytest.approx(13 * 0.06, abs=0.07)
        await running


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


async def test_turned_off_in_the_middle_of_a_word_it_answers_the_next_one(tmp_path: Path) -> None:
    async with a_voice(tmp_path, spans=((0.5, 1.4), (4.0, 4.9))) as voice:

        def switch(room: Room) -> None:
            if 1.0 < room.now < 1.1:
                voice.loop.pause()
            elif room.now > 3.0:
                voice.loop.resume()

        voice.room.on_frame = switch
        await voice.loop.run()
        assert len(voice.turns) == 1
        assert len(await voice.stored()) == 1
