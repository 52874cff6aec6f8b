"""What was put right later is shown in place of what it was, also within one talk."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from companion.language.en import question
from companion.recall.candidates import Candidate
from companion.recall.newer import newer_first
from companion.records import Message, Turn

NOON = datetime(2026, 10, 7, 12, tzinfo=timezone.utc)


def said(number: int, words: str, score: float, before: str = "") -> Candidate:
    """A message of the person, in the order of its number."""
    time = NOON + timedelta(minutes=number)
    message = Message(2 * number, "talk", number, "user", words, time)
    turn = Turn("talk", number, message, None)
    return Candidate(turn, score, frozenset({("talk", number, "user")}), before)


def shown(*candidates: Candidate) -> list[str]:
    found = newer_first(sorted(candidates, key=lambda each: -each.score))
    turns = [each.found for each in found if isinstance(each.found, Turn)]
    return [each.user.text for each in turns if each.user]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My coat is yellow.", "No, my coat is orange."),
        ("The chess match is on Friday.", "They moved the chess match, it's on Sunday."),
        ("I love paprika crisps.", "I've gone right off paprika crisps."),
    ],
)
def test_what_is_put_right_is_not_shown(old: str, new: str) -> None:
    assert shown(said(1, old, 0.9), said(2, new, 0.5)) == [new]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My coat is yellow.", "My hat is orange."),
        ("I have a red kite.", "I have a blue kite."),
        ("I'm allergic to plum jam.", "I don't eat plum jam any more."),
        ("No, my coat is orange.", "I like my orange coat."),
    ],
)
def test_what_does_not_contradict_stands_side_by_side(old: str, new: str) -> None:
    assert shown(said(1, old, 0.9), said(2, new, 0.5)) == [old, new]


def test_what_says_other_things_besides_comes_after_what_puts_it_right() -> None:
    old = "My coat is yellow. I have a drum at my gran's."
    new = "No, my coat is orange."
    assert shown(said(1, old, 0.9), said(2, new, 0.5)) == [new, old]


def test_an_older_message_takes_no_place() -> None:
    new, old = "My coat is yellow.", "My coat is orange."
    assert shown(said(2, new, 0.5), said(1, old, 0.9)) == [new]


def test_who_asks_how_it_was_is_told() -> None:
    assert question.of_what_was("what colour was my coat at first?")
    assert not question.of_what_was("what colour is my coat?")
