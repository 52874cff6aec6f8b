"""In which order the notes of a block stand."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from companion.recall.candidates import Candidate
from companion.recall.notes import Note
from companion.recall.order import Chosen, in_order
from companion.recall.protocol import Query
from companion.records import Message, Turn
from tests.recall.world import World


def said(day: int, number: int, text: str) -> Chosen:
    """A note of a message said on a day of March, in its only talk."""
    session, seq = f"2026-03-{day:02}-1", day * 100 + number
    time = datetime(2026, 3, day, 17, number, tzinfo=timezone.utc)
    message = Message(seq, session, number, "user", text, time)
    covers = frozenset({(session, number, message.role)})
    note = Note(f"{session}#{number}", "turn", text, (number, False))
    return note, Candidate(Turn(session, number, message, None), 1.0, covers, seq=seq)


BEST_FIRST = [
    said(4, 2, "thirteen hubcaps now"),
    said(2, 1, "eleven hubcaps"),
    said(4, 1, "two more off the road"),
    said(9, 1, "a castle of hubcaps"),
    said(7, 1, "wheels"),
]


def order(words: str, *, of_memory: bool) -> list[str]:
    notes = in_order(BEST_FIRST, Query(words, of_memory=of_memory))
    return [note.line for note, _ in notes]


def test_in_a_talk_the_best_session_stands_last() -> None:
    assert order("hubcaps!", of_memory=False) == [
        *("wheels", "a castle of hubcaps", "eleven hubcaps"),
        *("two more off the road", "thirteen hubcaps now"),
    ]


def test_of_the_two_best_sessions_the_newer_stands_last_for_a_question_to_memory() -> None:
    """The 1.5B read "eleven", which had fitted best and stood last."""
    older_best = [BEST_FIRST[1], BEST_FIRST[0], *BEST_FIRST[2:]]
    notes = in_order(older_best, Query("How many hubcaps have I got?", of_memory=True))
    assert [note.line for note, _ in notes] == [
        *("wheels", "a castle of hubcaps", "eleven hubcaps"),
        *("two more off the road", "thirteen hubcaps now"),
    ]


@pytest.mark.parametrize(
    "words", ["When is the race?", "what day do i have swimming", "which day is it?"]
)
def test_where_a_day_is_asked_for_all_stand_in_the_order_of_time(words: str) -> None:
    assert order(words, of_memory=True) == [
        *("eleven hubcaps", "two more off the road", "thirteen hubcaps now"),
        *("wheels", "a castle of hubcaps"),
    ]


async def test_the_block_of_a_question_to_memory_ends_with_what_was_told_last(
    world: World,
) -> None:
    await world.talked("2026-10-05-2", ("I have eleven hubcaps on my wall.", "So many!"))
    await world.talked("2026-10-07-2", ("Now there are thirteen hubcaps.", "Lucky you!"))
    result = await world.recall("How many hubcaps are on my wall?", of_memory=True)
    assert "thirteen" in result.block.splitlines()[-1]
    assert "eleven" in result.block
