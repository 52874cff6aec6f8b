"""The paw while somebody speaks: a reply, a question, others who are overheard."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.assist.listening import Listening
from companion.clock import Clock
from companion.config import AssistSection
from companion.engines.sound.protocols import Transcript
from companion.safety.pattern_guard import PatternGuard
from companion.store import blocks
from companion.voice.turns.report import VoiceTurn
from tests.assembly.conftest import World
from tests.fakes import HashEmbedder
from tests.voice.a_voice import REPLY, a_voice
from tests.voice.paws import Ear, Knows, paw


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
