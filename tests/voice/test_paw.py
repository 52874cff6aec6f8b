"""The paw by voice: what is asked, when and where it is whispered, and what no touch may do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from companion.assist.assistant import Assisted
from companion.assist.listening import Listening
from companion.clock import Clock
from companion.config import AssistSection
from companion.engines.sound.protocols import SPEAKER_FRAME, Samples, Transcript
from companion.errors import EngineError
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks
from companion.voice.devices.earpiece import TimedButton
from companion.voice.speech.whisper import GAIN
from companion.voice.turns.report import VoiceTurn
from companion.voice.turns.whispering import PawParts
from tests.assembly.conftest import World
from tests.fakes import HashEmbedder
from tests.voice.a_voice import REPLY, Room, Voice, a_voice

KNOWN = Assisted("Mr. Plum", "What is her cat called?", "cloze")
UNKNOWN = Assisted("", None, "cloze")

Spans = Sequence[tuple[float, float]]


@dataclass
class Knows:
    """Answers every request alike, through the phases' errand as the real one does."""

    world: World
    room: Room
    found: Assisted = KNOWN
    seconds: float = 0.0
    """Of simulated time that an answer takes."""
    asked: list[tuple[str | None, str]] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)
    fails: bool = False

    async def assist(
        self,
        query: str | None,
        context: str,
        at_work: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Assisted | None:
        async def work() -> Assisted:
            with at_work():
                if self.fails:
                    raise EngineError("the model is gone")
                self.asked.append((query, context))
            until = self.room.now + self.seconds
            for _ in iter(lambda: self.room.now < until, False):
                await asyncio.sleep(0)
            return self.found

        return await self.world.phases.errand(work)

    async def read_ahead(self, words: str) -> None:
        self.ahead.append(words)

    async def read_on(self) -> None:
        self.ahead.append("on")

    async def get_ready(self) -> None:
        self.ahead.append("ready")


@dataclass
class Ear:
    """A second speaker that can be pulled out."""

    out_after: int = 10**9
    """Loud frames after which it is pulled out."""
    frames: list[Samples] = field(default_factory=list)
    closed: bool = False
    trouble = "it was pulled out"

    @property
    def live(self) -> bool:
        return sum(bool(frame.any()) for frame in self.frames) < self.out_after

    @property
    def loud(self) -> int:
        return sum(bool(frame.any()) for frame in self.frames)

    def play(self, frame: Samples) -> None:
        assert frame.shape == (SPEAKER_FRAME,)
        self.frames.append(frame)

    async def close(self) -> None:
        self.closed = True


def paw(
    spans: Spans, made: list[Knows] | None = None, ear: Ear | None = None, **knows: object
) -> Callable[[World, Room], PawParts]:
    """A paw that is pressed in these spans."""

    def make(world: World, room: Room) -> PawParts:
        assists = Knows(world, room, **knows)  # type: ignore[arg-type]
        if made is not None:
            made.append(assists)
        return PawParts(TimedButton(spans, lambda: room.now), assists, ear)

    return make


def loudest(voice: Voice) -> int:
    return max(int(np.abs(frame.astype(np.int32)).max()) for frame in voice.room.played)


async def test_a_press_whispers_what_is_open_and_what_was_said_is_no_turn(tmp_path: Path) -> None:
    made: list[Knows] = []
    heard = ("I met Wanda, her cat is called",)
    making = paw([(2.0, 2.2)], made)
    async with a_voice(tmp_path, heard, ((0.5, 1.9),), paw=making) as voice:
        await voice.loop.run()
        assert made[0].asked == [(None, "I met Wanda, her cat is called")]
        [told] = voice.whispered
        assert (told.held, told.query, told.why) == (False, None, "")
        assert told.as_json()["answer"] == "Mr. Plum"
        assert voice.turns == []
        assert await voice.stored() == []
        assert voice.mouth.texts[-1] == "Mr Plum"
        assert voice.mouth.paces[-1] == pytest.approx(0.9)
        assert loudest(voice) == pytest.approx(8000 * GAIN, rel=0.02)
        assert voice.room.sounding()[0] >= 2.2


async def test_held_it_hears_a_question_that_ends_with_the_release(tmp_path: Path) -> None:
    made: list[Knows] = []
    heard = ("I met Wanda again.", "What is her cat called?")
    spans, held = ((0.5, 1.5), (2.2, 3.4)), [(1.7, 3.5)]
    async with a_voice(tmp_path, heard, spans, paw=paw(held, made)) as voice:
        await voice.loop.run()
        assert made[0].asked == [("What is her cat called?", "I met Wanda again.")]
        [told] = voice.whispered
        assert (told.held, told.query) == (True, "What is her cat called?")
        assert voice.turns == []
        first = voice.room.sounding()[0]
        assert 3.5 < first < 3.5 + 0.5, "nobody waits for an endpoint"


async def test_unknown_is_a_short_low_tone(tmp_path: Path) -> None:
    async with a_voice(tmp_path, (), (), paw=paw([(1.0, 1.2)], found=UNKNOWN)) as voice:
        voice.room.length_s = 3
        await voice.loop.run()
        assert [each.why for each in voice.whispered] == ["unknown"]
        assert 0.1 < len(voice.room.sounding()) * 0.032 < 0.25
        assert "Plum" not in "".join(voice.mouth.texts)


@pytest.mark.parametrize(
    ("spans", "heard", "why"),
    [
        ((), (), "nothing said"),
        (((1.2, 1.25),), ("hm",), "nothing said"),
        (((1.2, 2.2),), (Transcript("Thank you.", 0.3, 0.95),), "noise"),
        (((1.2, 2.2),), (Transcript("the boat of my was", 0.2, 0.1),), "unclear"),
    ],
)
async def test_held_over_no_words_nothing_is_looked_for(
    tmp_path: Path, spans: Spans, heard: Sequence[str | Transcript], why: str
) -> None:
    made: list[Knows] = []
    async with a_voice(tmp_path, heard, spans, paw=paw([(1.0, 2.4)], made)) as voice:
        voice.room.length_s = 4
        await voice.loop.run()
        assert [each.why for each in voice.whispered] == [why]
        assert made[0].asked == []
        assert voice.room.sounding(), "a tone"
        assert voice.unanswered == []


async def test_press_press_hold_within_a_second_is_answered_once(tmp_path: Path) -> None:
    made: list[Knows] = []
    touches = [(1.0, 1.1), (1.3, 1.4), (1.6, 2.8)]
    making = paw(touches, made, seconds=0.5)
    async with a_voice(tmp_path, ("Who is Bisi?",), ((1.9, 2.6),), paw=making) as voice:
        await voice.loop.run()
        assert made[0].asked[-1] == ("Who is Bisi?", "")
        assert [each.query for each in voice.whispered] == ["Who is Bisi?"]
        assert voice.mouth.texts.count("Mr Plum") == 1


async def test_a_button_that_bounces_asks_once_and_one_that_hangs_never(tmp_path: Path) -> None:
    made: list[Knows] = []
    bounce = [(1.0 + 0.064 * n, 1.032 + 0.064 * n) for n in range(4)]
    async with a_voice(tmp_path / "a", (), (), paw=paw(bounce, made)) as voice:
        voice.room.length_s = 4
        await voice.loop.run()
        assert len(made[0].asked) == 1
    made.clear()
    heard = ("Tell me about whales.",)
    making = paw([(1.0, 60.0)], made)
    async with a_voice(tmp_path / "b", heard, ((40.0, 41.0),), paw=making) as voice:
        await voice.loop.run()
        assert made[0].asked == []
        assert [turn.heard for turn in voice.turns] == ["Tell me about whales."], "it hears again"
        assert voice.loop.state()["paw"] == "hangs"


async def test_it_waits_until_nobody_speaks_two_seconds_at_most(tmp_path: Path) -> None:
    ear = Ear()
    others = ("we went to the ferry", "and then it rained", "and on and on it went")
    for directory, spans, at in (
        ("short", ((1.2, 2.0),), 2.3),
        ("long", ((1.2, 9.0),), 1.3 + 2.0),
    ):
        ear = Ear()
        making = paw([(1.0, 1.2)], ear=ear)
        async with a_voice(
            tmp_path / directory, others, spans, paw=making, start="wake-phrase"
        ) as voice:
            await voice.loop.run()
            begins = next(n for n, frame in enumerate(ear.frames) if frame.any()) * 0.032
            assert begins == pytest.approx(at, abs=0.15)
            assert voice.room.sounding() == [], "it is for one ear"


async def test_in_the_middle_of_a_reply_it_waits_for_the_end_and_cuts_nothing(
    tmp_path: Path,
) -> None:
    making = paw([(3.0, 3.2)])
    async with a_voice(tmp_path, paw=making) as voice:
        await voice.loop.run()
        [turn] = voice.turns
        assert (turn.said, turn.cut) == (REPLY, False)
        assert [each.why for each in voice.whispered] == [""]
        assert isinstance(voice.outcomes[0], VoiceTurn)
        [stored] = await voice.stored()
        assert stored.reply is not None
        assert stored.reply.text == REPLY


async def test_a_question_in_the_middle_of_a_reply_ends_the_reply(tmp_path: Path) -> None:
    heard = ("Tell me about whales.", "What is her cat called?")
    spans = ((0.5, 1.4), (3.5, 4.5))
    async with a_voice(tmp_path, heard, spans, paw=paw([(3.0, 4.6)])) as voice:
        await voice.loop.run()
        [turn] = voice.turns
        assert turn.cut
        assert [each.query for each in voice.whispered] == ["What is her cat called?"]
        held = [at for at in voice.room.sounding() if 3.6 < at < 4.6]
        assert held == [], "it is quiet while somebody asks"


async def test_held_without_a_word_the_reply_goes_on(tmp_path: Path) -> None:
    async with a_voice(tmp_path, paw=paw([(3.0, 4.0)])) as voice:
        await voice.loop.run()
        [turn] = voice.turns
        assert (turn.said, turn.cut) == (REPLY, False)
        assert [each.why for each in voice.whispered] == ["nothing said"]


async def test_who_speaks_to_it_meanwhile_is_answered_and_nobody_is_whispered_to(
    tmp_path: Path,
) -> None:
    making = paw([(0.5, 0.6)], seconds=5.0)
    async with a_voice(tmp_path, spans=((1.5, 2.4),), paw=making) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["Tell me about whales."]
        assert voice.whispered == []
        assert "Plum" not in "".join(voice.mouth.texts)


async def test_a_cough_does_not_cost_the_answer(tmp_path: Path) -> None:
    making = paw([(0.5, 0.6)], seconds=1.5)
    cough = (Transcript("", 0.0, 0.99),)
    async with a_voice(tmp_path, cough, ((1.0, 1.3),), paw=making) as voice:
        await voice.loop.run()
        assert [each.why for each in voice.whispered] == [""]


def listening(world: World, clock: Clock) -> Listening:
    on = Listening(world.store, HashEmbedder(), PatternGuard(), clock, AssistSection(listen=True))
    on.start(10)
    return on


async def test_while_others_are_overheard_their_words_take_nothing_from_a_touch(
    tmp_path: Path,
) -> None:
    made: list[Knows] = []
    heard = ("I met Wanda, her cat is called", "and then we took the ferry to Hull")
    spans = ((1.0, 1.9), (2.6, 3.5))
    making = paw([(2.0, 2.2)], made, seconds=1.5)
    async with a_voice(tmp_path, heard, spans, overhears=listening, paw=making) as voice:
        await voice.loop.run()
        [told] = voice.whispered
        assert told.why == ""
        assert len(made[0].asked) == 1, "it was not begun again"
        overheard = voice.loop.overheard
        assert isinstance(overheard, Listening)
        await overheard.stop()
        kept = " ".join(each.text for each in await voice.world.store.read(blocks.all_blocks))
        assert kept == " ".join(heard)
        assert voice.turns == []


async def test_called_by_name_it_leaves_the_touch(tmp_path: Path) -> None:
    heard = ("Hey Pip, tell me about whales.",)
    making = paw([(0.5, 0.6)], seconds=30.0)
    async with a_voice(tmp_path, heard, ((1.5, 2.4),), overhears=listening, paw=making) as voice:
        await voice.loop.run()
        assert [turn.heard for turn in voice.turns] == ["tell me about whales."]
        assert voice.whispered == []


async def test_while_others_talk_it_reads_ahead(tmp_path: Path) -> None:
    made: list[Knows] = []
    heard = ("I met Wanda, her cat is called",)
    async with a_voice(
        tmp_path, heard, ((0.5, 1.9),), overhears=listening, paw=paw([], made)
    ) as voice:
        await voice.loop.run()
        assert made[0].ahead == ["ready", heard[0], "on"]


async def test_an_earpiece_that_is_pulled_out_ends_the_whisper_and_nothing_is_said_aloud(
    tmp_path: Path,
) -> None:
    ear = Ear(out_after=4)
    touches = [(1.0, 1.2), (3.0, 3.2)]
    async with a_voice(tmp_path, (), (), paw=paw(touches, ear=ear)) as voice:
        voice.room.length_s = 6
        await voice.loop.run()
        assert [each.why for each in voice.whispered] == ["unheard", "unheard"]
        assert ear.loud == 4
        assert len(voice.room.sounding()) * 0.032 < 2 * 0.25, "two tones"
    assert ear.closed


async def test_what_fails_is_a_tone_and_the_next_touch_works(tmp_path: Path) -> None:
    made: list[Knows] = []
    async with a_voice(tmp_path, (), (), paw=paw([(1.0, 1.2), (3.0, 3.2)], made)) as voice:
        voice.room.length_s = 6
        made[0].fails = True

        def mend(room: Room) -> None:
            made[0].fails = room.now < 2.5

        voice.room.on_frame = mend
        await voice.loop.run()
        assert [each.why for each in voice.whispered] == ["failed", ""]


async def test_with_the_microphone_off_the_paw_is_off(tmp_path: Path) -> None:
    made: list[Knows] = []
    async with a_voice(tmp_path, (), (), paw=paw([(1.0, 1.2)], made)) as voice:
        voice.room.length_s = 3
        voice.loop.pause()
        await voice.loop.run()
        assert made[0].asked == []
        assert voice.room.sounding() == []


async def test_a_question_is_dropped_when_the_microphone_goes_off(tmp_path: Path) -> None:
    made: list[Knows] = []
    making = paw([(1.0, 3.0)], made)
    async with a_voice(tmp_path, ("Who is Bisi?",), ((1.2, 2.4),), paw=making) as voice:
        voice.room.on_frame = lambda room: voice.loop.pause() if room.now > 2.0 else None
        await voice.loop.run()
        assert made[0].asked == []
        assert voice.outcomes == []
        assert voice.room.sounding() == []


async def test_what_is_said_during_a_press_counts_only_where_it_is_listened_to(
    tmp_path: Path,
) -> None:
    for start, heard in (("push-to-talk", 0), ("open", 1)):
        making = paw([(1.0, 1.35)])
        async with a_voice(
            tmp_path / start, ("Whales are big.",), ((1.0, 1.9),), paw=making, start=start
        ) as voice:
            await voice.loop.run()
            assert len(voice.turns) == heard


async def test_push_to_talk_hears_the_paw_too_and_the_lamp_shines(tmp_path: Path) -> None:
    making = paw([(1.0, 2.6)])
    async with a_voice(
        tmp_path, ("Who is Bisi?",), ((1.2, 2.4),), paw=making, start="push-to-talk"
    ) as voice:
        live: list[bool] = []
        voice.room.on_frame = lambda room: live.append(voice.loop.attention.live)
        await voice.loop.run()
        assert [each.query for each in voice.whispered] == ["Who is Bisi?"]
        assert any(live)
        assert not live[-1]


async def test_ending_while_it_whispers_leaves_nothing_running(tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    making = paw([(1.0, 1.2)], seconds=60.0)
    async with a_voice(tmp_path, (), (), paw=making) as voice:
        voice.room.length_s = 2
        voice.room.linger = lambda: False
        await asyncio.wait_for(voice.loop.run(), 20)
        left = {task.get_name() for task in asyncio.all_tasks() - before}
        assert not {name for name in left if name.startswith("paw")}
