"""The lines of an emergency, and what a child's answer means."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.safety import first_aid
from companion.safety.pattern_guard import PatternGuard
from companion.safety.replies import CARE_TOPICS, caring_replies
from companion.safety.verdict import CRISIS, PASS

KINDS = (*first_aid.kinds(), first_aid.OTHER)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_sends_for_a_grown_up_and_names_the_number(kind: str) -> None:
    said = " ".join(first_aid.first(kind, "999"))
    assert "grown-up" in said
    assert "call nine nine nine" in said.lower()
    assert len(first_aid.first(kind, "999")) <= 4
    assert "{" not in said + " ".join(first_aid.following(kind, 0, "999"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_lines_that_follow_are_short_and_begin_anew_after_the_last(kind: str) -> None:
    lines = [first_aid.following(kind, times, "112") for times in range(20)]
    assert all(1 <= len(line) <= 3 for line in lines)
    assert len(set(lines)) < 20
    assert lines[0] in lines[1:]
    assert all(one != other for one, other in pairwise(lines))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("my mum wont wake up", "unresponsive"),
        ("i took a whole bottle of tablets", "poison"),
        ("theres smoke everywhere in the kitchen", "fire"),
        ("my baby brother fell in the pool", "water"),
        ("a snake bit me", "other"),
    ],
)
def test_the_kind_is_read_from_the_words(words: str, kind: str) -> None:
    assert first_aid.kind(words) == kind


@pytest.mark.parametrize(
    ("words", "means"),
    [
        ("Mum's here now!", "help_is_there"),
        ("a grown-up came", "help_is_there"),
        ("no, my mum isn't here", "alone"),
        ("I'm all alone with him", "alone"),
        ("he isn't moving", None),
        ("I don't know what to do", None),
        ("nana is here on the floor", None),
        ("I called them", "called"),
        ("they're coming", "called"),
        ("I was only joking", "nothing_wrong"),
        ("he woke up", "nothing_wrong"),
    ],
)
def test_an_answer_is_understood(words: str, means: str | None) -> None:
    assert first_aid.answer(words, "my brother is choking") == means


async def test_lines_and_caring_replies_pass_the_guard_of_the_model() -> None:
    said = list(caring_replies())
    for kind in KINDS:
        said += first_aid.first(kind, "112")
        said += [line for times in range(6) for line in first_aid.following(kind, times, "112")]
    for line in said:
        assert await PatternGuard().judge(line, side="out") == PASS, line


def test_every_crisis_has_caring_replies() -> None:
    assert set(CARE_TOPICS) == set(CRISIS)
