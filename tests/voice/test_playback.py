from __future__ import annotations

import asyncio

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import VoiceSection
from companion.engines.sound.protocols import SPEAKER_FRAME, SPEAKER_RATE, Samples
from companion.voice.speech.playback import FADE, Playback

NO_GAP = VoiceSection(pause_ms=0)


def counting(first: int, count: int) -> Samples:
    """Samples that tell their own number."""
    return np.arange(first, first + count).astype(np.int16)


def loud(count: int) -> Samples:
    return np.full(count, 9000, np.int16)


def pulled(playback: Playback, frames: int) -> Samples:
    return np.concatenate([playback.pull() for _ in range(frames)])


def test_nothing_to_play_is_silence() -> None:
    playback = Playback(NO_GAP)
    assert not playback.playing
    assert not pulled(playback, 2).any()
    assert len(playback.pull()) == SPEAKER_FRAME


def test_clips_follow_each_other_to_the_sample() -> None:
    playback = Playback(NO_GAP)
    playback.say(counting(1, 1000), "one,")
    playback.sound(counting(1001, 5))
    playback.say(counting(1006, 995), "two.")
    assert playback.queued_s == 2000 / SPEAKER_RATE
    np.testing.assert_array_equal(pulled(playback, 3)[:2000], counting(1, 2000))
    assert not playback.playing


def test_sentences_are_apart_and_clauses_are_not() -> None:
    playback = Playback(VoiceSection(pause_ms=10))
    playback.say(loud(100), "Well,")
    playback.say(loud(100), 'I said "yes."')
    playback.say(loud(100), "And you?")
    heard = pulled(playback, 1)
    assert heard[:200].all()
    assert not heard[200:440].any()
    assert heard[440:540].all()
    assert not heard[540:].any()


def test_silence_that_passed_anyway_counts_as_the_gap() -> None:
    playback = Playback(VoiceSection(pause_ms=32))
    playback.say(loud(SPEAKER_FRAME), "Yes.")
    pulled(playback, 2)
    playback.say(loud(SPEAKER_FRAME), "No.")
    assert playback.pull().all()


def test_pause_fades_and_resume_goes_on_where_it_stopped() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(5 * SPEAKER_FRAME), "Hello.")
    playback.pull()
    playback.pause("a child")
    fading = playback.pull()
    assert np.all(np.diff(fading[:FADE]) < 0)
    assert not fading[FADE:].any()
    assert not playback.pull().any()
    assert playback.playing
    assert playback.paused
    playback.resume("a child")
    rest = pulled(playback, 5)
    assert np.all(np.diff(rest[:FADE]) > 0)
    assert rest[FADE : 4 * SPEAKER_FRAME].all()
    assert not rest[4 * SPEAKER_FRAME :].any()


def test_pausing_what_has_not_begun_makes_no_sound() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(SPEAKER_FRAME), "Hello.")
    playback.pause("a child")
    assert not pulled(playback, 3).any()
    playback.resume("a child")
    assert playback.pull().all()


def test_a_filler_is_no_beginning_of_what_is_said() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(SPEAKER_FRAME), "What was said before.")
    playback.pull()
    assert playback.begun
    playback.begin()
    playback.sound(loud(2 * SPEAKER_FRAME))
    playback.say(loud(SPEAKER_FRAME), "Hello.")
    began = []
    for _ in range(3):
        playback.pull()
        began.append(playback.begun)
    assert began == [False, False, True]


def test_clear_fades_within_a_frame_and_is_silent_then() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(50 * SPEAKER_FRAME), "A long story.")
    pulled(playback, 3)
    playback.clear()
    assert not playback.playing
    fading = playback.pull()
    assert fading[0] > 8000
    assert not fading[FADE:].any()
    assert not pulled(playback, 50).any()


def test_clear_while_paused_makes_no_sound_and_what_follows_waits_too() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(50 * SPEAKER_FRAME), "A long story.")
    playback.pull()
    playback.pause("a child")
    playback.pull()
    playback.clear()
    assert not pulled(playback, 2).any()
    playback.say(loud(SPEAKER_FRAME), "Yes?")
    assert not pulled(playback, 2).any()
    playback.resume("a child")
    assert playback.pull().all()


def test_of_several_who_pause_the_last_one_lets_it_go_on() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(2 * SPEAKER_FRAME), "Hello.")
    playback.pause("a child")
    playback.pause("a brother")
    playback.resume("a child")
    playback.resume("a child")
    playback.resume("somebody else")
    assert not pulled(playback, 2).any()
    playback.resume("a brother")
    assert playback.pull().all()


def test_what_follows_a_clear_begins_after_its_fade() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(50 * SPEAKER_FRAME), "A long story.")
    playback.pull()
    playback.clear()
    playback.sound(counting(1, 100))
    np.testing.assert_array_equal(playback.pull()[FADE : FADE + 100], counting(1, 100))


def test_a_clause_cut_in_the_middle_was_heard_up_to_the_cut() -> None:
    playback = Playback(NO_GAP)
    playback.begin()
    playback.say(loud(2 * SPEAKER_FRAME), "Hello there.")
    playback.say(loud(10 * SPEAKER_FRAME), "Once upon a time there was a bear.")
    assert playback.heard() == ""
    pulled(playback, 2)
    assert playback.heard() == "Hello there."
    pulled(playback, 5)
    playback.clear()
    pulled(playback, 5)
    assert playback.heard() == "Hello there. Once upon a time"


def test_silence_around_a_voice_counts_for_no_words() -> None:
    playback = Playback(NO_GAP)
    quiet = np.zeros(10 * SPEAKER_FRAME, np.int16)
    playback.say(np.concatenate([quiet, loud(10 * SPEAKER_FRAME), quiet]), "one two three four")
    pulled(playback, 9)
    assert playback.heard() == ""
    pulled(playback, 6)
    assert playback.heard() == "one two"
    pulled(playback, 5)
    assert playback.heard() == "one two three four"


def test_a_new_reply_is_heard_from_its_own_beginning() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(2 * SPEAKER_FRAME), "Old words.")
    playback.begin()
    playback.sound(loud(SPEAKER_FRAME))
    playback.say(loud(SPEAKER_FRAME), "New words.")
    pulled(playback, 3)
    assert playback.heard() == ""
    playback.pull()
    assert playback.heard() == "New words."


def test_a_clause_without_sound_counts_as_heard_in_its_turn() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(SPEAKER_FRAME), "Wow!")
    playback.say(loud(0), "...")
    assert playback.heard() == ""
    playback.pull()
    assert playback.heard() == "Wow! ..."


async def test_drained_and_room_wait_for_what_is_played() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(4 * SPEAKER_FRAME), "Hello.")
    drained = asyncio.create_task(playback.drained())
    room = asyncio.create_task(playback.room(0.064))
    await asyncio.sleep(0)
    playback.pull()
    await asyncio.sleep(0)
    assert not room.done()
    playback.pull()
    await room
    assert not drained.done()
    pulled(playback, 2)
    await drained


async def test_clear_ends_every_wait() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(400 * SPEAKER_FRAME), "Hello.")
    waiting = [asyncio.create_task(playback.drained()) for _ in range(3)]
    await asyncio.sleep(0)
    playback.clear()
    await asyncio.gather(*waiting)


async def test_a_wait_that_is_cancelled_leaves_the_others() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(SPEAKER_FRAME), "Hello.")
    one, other = (asyncio.create_task(playback.drained()) for _ in range(2))
    await asyncio.sleep(0)
    one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await one
    playback.pull()
    await other


async def test_nothing_queued_is_nothing_to_wait_for() -> None:
    await Playback(NO_GAP).drained()


ACTIONS = st.lists(
    st.one_of(
        st.sampled_from(["pull", "pull", "pull", "pause", "resume"]),
        st.integers(0, 1600),
    ),
    max_size=24,
)


@settings(max_examples=60, deadline=None)
@given(ACTIONS, st.sampled_from([0, 10, 120]))
def test_no_sample_is_lost_or_repeated(actions: list[str | int], pause_ms: int) -> None:
    playback = Playback(VoiceSection(pause_ms=pause_ms))
    said: list[str] = []
    given_count, resumed, paused = 0, False, False
    taken: list[int] = []
    for action in [*actions, "resume", *["pull"] * 60]:
        if isinstance(action, int):
            text = f"word{len(said)} and more" + (". ,"[len(said) % 3]).strip()
            said.append(text)
            # From 400 on, so that no part of a clip is taken for silence around its voice.
            playback.say(400 + counting(given_count, action) % 30_000, text)
            given_count += action
        elif action == "pause":
            playback.pause("a child")
            paused = True
        elif action == "resume":
            resumed = resumed or paused
            playback.resume("a child")
            paused = False
        else:
            left = round(playback.queued_s * SPEAKER_RATE)
            frame = playback.pull()
            gone = left - round(playback.queued_s * SPEAKER_RATE)
            assert not (paused and gone)
            assert not frame[FADE:].any() if paused else True
            expected = (400 + np.arange(len(taken), len(taken) + gone) % 30_000).tolist()
            taken += expected
            # Fades touch but the first samples after a pause; gaps and the fade lie between.
            exact = [value for value in frame.tolist() if value]
            assert len(exact) >= gone - FADE
            untouched = 2 * FADE if resumed else 0
            assert exact[len(exact) - max(0, gone - untouched) :] == expected[untouched:]
            resumed = resumed and gone < 2 * FADE
        assert " ".join(said).startswith(playback.heard())
    assert len(taken) == given_count
    assert playback.heard() == " ".join(said)


# ---- what is said right now


def test_what_is_said_is_told_word_by_word_while_it_sounds() -> None:
    playback = Playback(NO_GAP)
    assert playback.spoken is None
    playback.sound(loud(SPEAKER_FRAME))
    playback.say(loud(30 * SPEAKER_FRAME), '"Whales sing," he said.', "model")
    words: list[str] = []
    clauses: set[tuple[str, str]] = set()
    for _ in range(32):
        playback.pull()
        if (spoken := playback.spoken) is not None:
            clauses.add((spoken.clause, spoken.by))
            words += [spoken.word] if words[-1:] != [spoken.word] else []
    assert words == ["Whales", "sing", "he", "said"]
    assert clauses == {('"Whales sing," he said.', "model")}
    assert playback.spoken is None


def test_words_are_laid_along_the_voice_and_not_along_the_silence_around_it() -> None:
    playback = Playback(NO_GAP)
    silence = np.zeros(10 * SPEAKER_FRAME, np.int16)
    playback.say(np.concatenate([silence, loud(4 * SPEAKER_FRAME), silence]), "One two.")
    words = []
    for _ in range(23):
        playback.pull()
        assert playback.spoken is not None
        words.append(playback.spoken.word)
    assert set(words[:10]) == {"One"}
    assert set(words[13:]) == {"two"}


def test_what_is_paused_is_not_said() -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(5 * SPEAKER_FRAME), "Hello.")
    playback.pull()
    playback.pause("a child")
    assert playback.spoken is None
    playback.resume("a child")
    assert playback.spoken is not None


@given(st.text(max_size=60), st.integers(1, 4000), st.integers(0, 8))
@settings(max_examples=200, deadline=None)
def test_the_word_is_one_of_the_clause_whatever_its_text(
    text: str, length: int, frames: int
) -> None:
    playback = Playback(NO_GAP)
    playback.say(loud(length), text)
    for _ in range(frames):
        playback.pull()
        if playback.spoken is not None:
            assert playback.spoken.word in text
