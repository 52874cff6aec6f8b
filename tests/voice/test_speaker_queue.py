"""Between the loop and the speaker: neither is on time, and nobody hears it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.voice.devices.speaker_queue import SpeakerQueue

SIZE = 8
WORD = b"abcdefgh"
SILENCE = bytes(SIZE)


def filled(*frames: bytes) -> SpeakerQueue:
    queue = SpeakerQueue(SIZE)
    for frame in frames:
        queue.put(frame, silent=frame == SILENCE)
    return queue


def test_before_anything_is_brought_silence_is_no_fault() -> None:
    queue = SpeakerQueue(SIZE)
    assert queue.take(SIZE) == SILENCE
    assert queue.missing == 0


def test_it_waits_for_a_second_frame_then_flows_in_order() -> None:
    queue = filled(b"11111111")
    assert queue.take(SIZE) == SILENCE
    queue.put(b"22222222", silent=False)
    assert queue.take(SIZE) + queue.take(SIZE) == b"1111111122222222"


def test_a_device_may_take_other_sizes_than_are_brought() -> None:
    queue = filled(b"11111111", b"22222222")
    assert queue.take(5) + queue.take(5) + queue.take(6) == b"1111111122222222"
    assert queue.missing == 0


def test_what_was_missing_is_counted_in_frames() -> None:
    queue = filled(WORD, WORD)
    for _ in range(4):
        queue.take(SIZE)
    assert queue.missing == 2


def test_of_too_much_the_oldest_is_dropped() -> None:
    queue = filled(*(bytes([number]) * SIZE for number in range(1, 10)))
    assert queue.waiting == 5
    assert queue.take(SIZE)[0] == 5


def test_a_pause_is_the_time_to_catch_up() -> None:
    queue = filled(WORD, WORD, WORD, WORD)
    queue.put(SILENCE, silent=True)
    assert queue.waiting == 4


def test_silence_is_stretched_until_enough_waits_again() -> None:
    queue = filled(WORD, SILENCE)
    assert queue.take(SIZE) == WORD
    for _ in range(3):
        assert queue.take(SIZE) == SILENCE
    assert queue.missing == 0
    queue.put(WORD, silent=False)
    assert queue.take(SIZE) == SILENCE
    queue.put(WORD, silent=False)
    assert queue.take(SIZE) == WORD


@given(
    st.lists(st.tuples(st.sampled_from(["word", "silence", "take"]), st.integers(1, 20))),
)
def test_it_always_gives_what_is_asked_for_and_never_holds_much(
    steps: list[tuple[str, int]],
) -> None:
    queue = SpeakerQueue(SIZE)
    for step, size in steps:
        if step == "take":
            assert len(queue.take(size)) == size
        else:
            frame = WORD if step == "word" else SILENCE
            queue.put(frame, silent=step == "silence")
        assert queue.waiting <= 5
