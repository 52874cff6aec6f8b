"""The paw by voice: what is asked, when and where it is whispered, and what no touch may do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.engines.sound.protocols import Transcript
from companion.voice.speech.whisper import GAIN
from tests.voice.a_voice import Room, a_voice
from tests.voice.paws import UNKNOWN, Ear, Knows, Spans, loudest, paw


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
