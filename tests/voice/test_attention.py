"""When words count: wake words, a button, a microphone that is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import VoiceSection
from companion.engines.sound.protocols import Transcript
from companion.engines.sound.wake_word import load_wake_word
from companion.voice.turns.attention import Attention
from tests.fakes_voice import ClapWakeWord
from tests.voice.a_voice import CLAP, QUIET, Room, a_voice


async def test_asleep_it_waits_for_its_name(tmp_path: Path) -> None:
    heard = ("what a nice day", "hey Pip, tell me a story", "and another one")
    spans = ((0.5, 1.4), (4.0, 4.9), (50.0, 50.9))  # the reply is over, also on a slow machine
    async with a_voice(tmp_path, heard, spans, start="wake-phrase", awake_s=90) as voice:
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


async def test_a_wake_word_in_sound_opens_the_ear_and_needs_no_phrase(tmp_path: Path) -> None:
    heard = ("what a nice day", "the rain is loud", "hey Pip, and another one")
    spans = ((0.5, 1.4), (4.0, 4.9), (20.0, 20.9))
    async with a_voice(
        tmp_path, heard, spans, start="wake-phrase", awake_s=5, wake_word=ClapWakeWord()
    ) as voice:
        voice.room.claps.append(4.2)
        await voice.loop.run()
        assert voice.unanswered == ["asleep", "asleep"], "the phrase is not looked for"
        assert [turn.heard for turn in voice.turns] == ["the rain is loud"]


@pytest.mark.parametrize(
    "heard", [Transcript("Hey, Pat.", 0.9, 0.1), Transcript("a bit", 0.2, 0.1), ""]
)
async def test_a_wake_word_alone_is_answered_by_a_tone(
    tmp_path: Path, heard: Transcript | str
) -> None:
    async with a_voice(
        tmp_path, [heard], ((1.2, 1.6),), start="wake-phrase", wake_word=ClapWakeWord()
    ) as voice:
        voice.room.claps.append(1.3)
        await voice.loop.run()
        assert voice.outcomes == []
        assert voice.loop.attention.awake
        assert voice.room.sounding()


async def test_when_the_ear_closes_a_tone_tells_so_where_tones_are_wanted(tmp_path: Path) -> None:
    sounded = {}
    for wanted in (True, False):
        async with a_voice(
            tmp_path / str(wanted),
            ["hey Pip"],
            start="wake-phrase",
            awake_s=2,
            earcons=wanted,
        ) as voice:
            voice.room.length_s = 6
            await voice.loop.run()
            sounded[wanted] = voice.room.sounding()
    assert sounded[False] == []
    opened = [at for at in sounded[True] if at < 3]
    assert opened
    closed = [at for at in sounded[True] if at >= 3]
    assert closed
    assert closed[0] - opened[0] >= 2


def called(engine: ClapWakeWord) -> Attention:
    """Asleep, then a clap."""
    section = VoiceSection(start="wake-phrase", wake_engine="any:Engine")
    attention = Attention(section, "Pip", lambda: 100.0, engine)
    for frame in (QUIET, CLAP, CLAP):
        assert attention.accept("Hey Pip, sing.") is None
        attention.detect_wake_word(frame)
    return attention


def test_the_phrase_is_taken_off_what_follows_a_wake_word_in_sound() -> None:
    attention = called(ClapWakeWord())
    assert attention.accept("Hey Pip, sing.") == "sing."
    assert attention.accept("Hey, Pat.") == ""
    assert attention.accept("Heap of things, sing.") == "Heap of things, sing."
    attention.stay()
    assert attention.accept("Hey Pip, sing.") == "Hey Pip, sing."


def test_an_engine_that_fails_is_given_up_and_transcripts_are_looked_at(
    caplog: pytest.LogCaptureFixture,
) -> None:
    section = VoiceSection(start="wake-phrase", wake_engine="tests.fakes_voice:ClapWakeWord")
    engine = load_wake_word(section.wake_engine, None)
    attention = Attention(section, "Pip", lambda: 100.0, engine)
    assert attention.accept("Hey Pip, sing.") is None
    attention.detect_wake_word(QUIET[:0])  # No frame: it raises.
    assert attention.accept("Hey Pip, sing.") == "sing."
    (line,) = caplog.messages
    assert "tests.fakes_voice:ClapWakeWord: ValueError" in line


def test_an_engine_is_not_asked_where_no_wake_phrase_is_needed() -> None:
    engine = ClapWakeWord()
    engine.broken = True
    attention = Attention(VoiceSection(), "Pip", lambda: 100.0, engine)
    attention.detect_wake_word(CLAP)
    assert attention.accept("Sing.") == "Sing."
