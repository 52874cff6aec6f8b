from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config import VoiceSection
from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE
from companion.voice.turns.endpoint import Began, Committed, Endpointer, Event, Tentative, Withdrawn
from tests.voice.tracks import drawn, events_of, frame, sound

SECTION = VoiceSection(
    endpoint_ms=640
)  # 10 frames of pre-roll, 8 until the tentative end, 20 until the sure one
SHORT = VoiceSection(endpoint_ms=640, longest_s=2)  # 62 frames


def kinds(events: list[tuple[int, Event]]) -> list[str]:
    return [type(event).__name__ for _, event in events]


def only(events: list[tuple[int, Event]], kind: type[Event]) -> list[Event]:
    return [event for _, event in events if isinstance(event, kind)]


def test_a_sentence_begins_has_a_tentative_end_and_is_committed() -> None:
    events = events_of(drawn("20. 30# 40."), SECTION)
    assert kinds(events) == ["Began", "Tentative", "Committed"]
    assert [at for at, _ in events] == [23, 58, 70]
    began, tentative, committed = (event for _, event in events)
    assert isinstance(began, Began)
    assert isinstance(tentative, Tentative)
    assert isinstance(committed, Committed)
    assert began.at == 20 * MIC_FRAME
    assert tentative.end == committed.end == 50 * MIC_FRAME
    assert committed.revision == tentative.revision > began.revision
    assert not committed.cut
    # Ten frames of pre-roll, thirty of speech, three in which it dies away.
    np.testing.assert_array_equal(committed.samples, sound(10 * MIC_FRAME, 43 * MIC_FRAME))


def test_a_soft_first_syllable_is_kept() -> None:
    (committed,) = only(events_of(drawn("20. 6+ 20# 40."), SECTION), Committed)
    assert isinstance(committed, Committed)
    assert committed.samples[0] == sound(16 * MIC_FRAME, 1)[0]


def test_speech_at_the_very_first_frame_has_what_there_is_for_a_pre_roll() -> None:
    (committed,) = only(events_of(drawn("10# 40."), SECTION), Committed)
    assert isinstance(committed, Committed)
    np.testing.assert_array_equal(committed.samples, sound(0, 13 * MIC_FRAME))


@pytest.mark.parametrize(
    "track",
    [
        "60.",
        "20. # 30.",
        "20. 2# 30.",
        "20. 2# .. 2# .. 2# 30.",
        "# . # . # . # . # . # . # .",
        "300+",
        "10. 2# 300+ 2#",
    ],
    ids=["silence", "click", "knock", "knocks", "ticking", "television", "television with knocks"],
)
def test_what_is_too_short_or_never_surely_speech_begins_nothing(track: str) -> None:
    assert not events_of(drawn(track), SECTION)


def test_a_soft_word_with_one_weak_frame_begins() -> None:
    assert kinds(events_of(drawn("10. # + 2# 40."), SECTION))[0] == "Began"


def test_a_pause_inside_a_sentence_withdraws_the_tentative_end() -> None:
    events = events_of(drawn("10. 20# 12. 20# 40."), SECTION)
    assert kinds(events) == ["Began", "Tentative", "Withdrawn", "Tentative", "Committed"]
    first, withdrawn, second = (event.revision for _, event in events[1:4])
    assert first == withdrawn < second
    committed = events[-1][1]
    assert isinstance(committed, Committed)
    np.testing.assert_array_equal(committed.samples, sound(0, (10 + 20 + 12 + 20 + 3) * MIC_FRAME))


def test_a_short_pause_between_words_is_no_event() -> None:
    events = events_of(drawn("10. 10# 7. 10# 5. 10# 40."), SECTION)
    assert kinds(events) == ["Began", "Tentative", "Committed"]


def test_a_click_in_the_pause_neither_withdraws_nor_delays() -> None:
    quiet = events_of(drawn("10. 20# 40."), SECTION)
    clicks = events_of(drawn("10. 20# 9. # 9. # 20."), SECTION)
    assert kinds(clicks) == kinds(quiet)
    assert [at for at, _ in clicks[:2]] == [at for at, _ in quiet[:2]]
    assert clicks[-1][0] - quiet[-1][0] <= 1


def test_speech_in_the_last_moment_before_the_end_still_goes_on() -> None:
    events = events_of(drawn("10. 20# 19. 20# 40."), SECTION)
    assert kinds(events) == ["Began", "Tentative", "Withdrawn", "Tentative", "Committed"]


def test_a_word_that_dies_away_softly_is_kept_whole() -> None:
    (committed,) = only(events_of(drawn("10. 20# 6+ 40."), SECTION), Committed)
    assert isinstance(committed, Committed)
    assert committed.end == 36 * MIC_FRAME


def test_a_television_that_drones_on_does_not_hold_the_utterance() -> None:
    events = events_of(drawn("10. 20# 100+"), SECTION)
    assert kinds(events) == ["Began", "Tentative", "Committed"]
    assert events[-1][0] <= 10 + 20 + 16 + 20


def test_a_loud_television_is_cut_into_utterances_without_a_gap() -> None:
    events = events_of(drawn("200#"), SHORT)
    committed = [event for event in only(events, Committed) if isinstance(event, Committed)]
    assert len(committed) == 3
    assert all(event.cut and len(event.samples) <= 2 * 16_000 for event in committed)
    together = np.concatenate([event.samples for event in committed])
    np.testing.assert_array_equal(together, sound(0, len(together)))


def test_a_long_story_is_cut_between_words() -> None:
    track = drawn("50# 3. 40# 40.")
    first, second = (
        e for e in only(events_of(track, SHORT), Committed) if isinstance(e, Committed)
    )
    assert first.cut
    assert 50 * MIC_FRAME <= len(first.samples) <= 53 * MIC_FRAME
    assert not second.cut
    together = np.concatenate([first.samples, second.samples])
    np.testing.assert_array_equal(together, sound(0, len(together)))


def test_speech_is_counted_without_pauses_while_it_runs() -> None:
    endpointer = Endpointer(SECTION)
    events_of(drawn("10. 20# 5. 5#"), SECTION, endpointer)
    assert endpointer.speaking
    assert endpointer.speech_ms == 25 * 32
    np.testing.assert_array_equal(endpointer.so_far(), sound(0, 40 * MIC_FRAME))


def test_when_nobody_speaks_there_is_nothing_so_far() -> None:
    endpointer = Endpointer(SECTION)
    events_of(drawn("10. 20# 40."), SECTION, endpointer)
    assert not endpointer.speaking
    assert endpointer.speech_ms == 0
    assert endpointer.so_far().shape == (0,)


def test_reset_forgets_the_sound_but_not_the_time() -> None:
    endpointer = Endpointer(SECTION)
    before = events_of(drawn("10. 20#"), SECTION, endpointer)
    endpointer.reset()
    assert not endpointer.speaking
    events = [event for _ in range(3) for event in endpointer.feed(frame(0), 0.9)]
    (began,) = events
    assert isinstance(began, Began)
    assert began.at == 30 * MIC_FRAME
    assert began.revision > before[-1][1].revision
    assert len(endpointer.so_far()) == 3 * MIC_FRAME


def test_a_buffer_that_is_used_again_does_no_harm() -> None:
    endpointer = Endpointer(SECTION)
    buffer = np.zeros(MIC_FRAME, np.int16)
    for number in range(10):
        buffer[:] = frame(number)
        endpointer.feed(buffer, 0.9)
    np.testing.assert_array_equal(endpointer.so_far(), sound(0, 10 * MIC_FRAME))


def test_an_end_sooner_than_the_tentative_one_comes_with_it() -> None:
    section = VoiceSection(tentative_ms=960, endpoint_ms=640)
    events = events_of(drawn("10. 20# 60."), section)
    assert kinds(events) == ["Began", "Tentative", "Committed"]
    assert events[1][0] == events[2][0]


def test_the_next_utterance_has_its_pre_roll_out_of_the_pause_before() -> None:
    first, second = (
        event
        for _, event in events_of(drawn("10. 20# 20. 10# 40."), SECTION)
        if isinstance(event, Committed)
    )
    assert first_sample(Tentative(0, second.samples, second.end)) == 40 * MIC_FRAME
    assert first.end == 30 * MIC_FRAME


def test_half_a_sentence_is_waited_for_twice_as_long() -> None:
    endpointer = Endpointer(SECTION)
    before = events_of(drawn("10. 20# 10."), SECTION, endpointer)
    endpointer.hold(before[-1][1].revision)
    waited = events_of(drawn("60."), SECTION, endpointer)
    assert kinds(waited) == ["Committed"]
    assert waited[0][0] == 40 - 10


def test_a_question_is_answered_sooner() -> None:
    endpointer = Endpointer(SECTION)
    before = events_of(drawn("10. 20# 10."), SECTION, endpointer)
    endpointer.hurry(before[-1][1].revision)
    waited = events_of(drawn("60."), SECTION, endpointer)
    assert kinds(waited) == ["Committed"]
    assert waited[0][0] == 14 - 10


def test_a_question_that_goes_on_is_no_question_any_more() -> None:
    endpointer = Endpointer(SECTION)
    before = events_of(drawn("10. 20# 10."), SECTION, endpointer)
    stale = before[-1][1].revision
    endpointer.hurry(stale)
    events_of(drawn("5# 10."), SECTION, endpointer)
    endpointer.hurry(stale)
    waited = events_of(drawn("60."), SECTION, endpointer)
    assert waited[0][0] == 20 - 10


def test_a_hold_ends_with_the_pause_it_was_for() -> None:
    endpointer = Endpointer(SECTION)
    before = events_of(drawn("10. 20# 10."), SECTION, endpointer)
    stale = before[-1][1].revision
    endpointer.hold(stale)
    events_of(drawn("5# 10."), SECTION, endpointer)
    endpointer.hold(stale)
    waited = events_of(drawn("60."), SECTION, endpointer)
    assert kinds(waited) == ["Committed"]
    assert waited[0][0] == 20 - 10


LEVEL = st.one_of(
    st.sampled_from([0.0, 0.02, 0.34, 0.35, 0.4, 0.5, 0.95, 1.0, math.nan]),
    st.floats(0, 1, width=32),
)
RUN = st.tuples(LEVEL, st.integers(1, 40)).map(lambda run: [run[0]] * run[1])
TRACK = st.one_of(
    st.lists(LEVEL, max_size=300),
    st.lists(RUN, max_size=20).map(lambda runs: [level for run in runs for level in run]),
)
SECTIONS = st.builds(
    VoiceSection,
    speech_threshold=st.sampled_from([0.05, 0.5, 0.9]),
    pre_roll_ms=st.sampled_from([0, 32, 320, 2000]),
    tentative_ms=st.sampled_from([64, 256, 1000]),
    endpoint_ms=st.sampled_from([128, 640, 1500]),
    question_ms=st.sampled_from([128, 448, 5000]),
    longest_s=st.sampled_from([2, 3, 30]),
)


@settings(max_examples=60, deadline=None)
@given(TRACK, SECTIONS)
def test_whatever_is_heard_the_story_holds_together(
    track: list[float], section: VoiceSection
) -> None:
    running, cut_at = False, 0
    tentative: Tentative | None = None
    revision = handed_over = 0
    for fed, event in events_of([*track, *[0.0] * 80], section):
        if isinstance(event, Began):
            assert not running
            assert event.revision > revision
            assert handed_over <= event.at < fed * MIC_FRAME
            assert fed != cut_at or event.at == handed_over, "nothing is lost at a cut"
            running, revision = True, event.revision
        elif isinstance(event, Tentative):
            assert running
            assert tentative is None
            assert event.revision > revision
            assert handed_over <= first_sample(event), "nothing is heard twice"
            tentative, revision = event, event.revision
        elif isinstance(event, Withdrawn):
            assert tentative is not None
            assert event.revision == tentative.revision
            tentative = None
        else:
            assert tentative is not None
            assert (event.revision, event.end) == (tentative.revision, tentative.end)
            assert event.samples is tentative.samples
            assert len(event.samples) <= section.longest_s * MIC_RATE
            handed_over = first_sample(tentative) + len(event.samples)
            assert handed_over <= fed * MIC_FRAME
            running, tentative = False, None
            cut_at = fed if event.cut else 0
    assert not running, "silence ends every utterance"


def first_sample(event: Tentative) -> int:
    """The number of the first sample; fails unless they are the fed ones, in their order."""
    for tail in range(4):
        first = event.end + tail * MIC_FRAME - len(event.samples)
        if first >= 0 and np.array_equal(event.samples, sound(first, len(event.samples))):
            return first
    raise AssertionError("these are not the samples up to the end of the speech")
