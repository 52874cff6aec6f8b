"""Marking answers."""

from __future__ import annotations

from typing import Any

import pytest

from companion.evaluation.answers import Mark, mark
from companion.evaluation.sets import Question


def question(**given: Any) -> Question:
    return Question.model_validate(
        {"user": "Ana", "id": "1", "question": "?", "answer": "", "all_of": [], **given}
    )


@pytest.mark.parametrize(
    ("answer", "right", "admitted"),
    [
        ("I don't remember your aunt's name.", True, True),
        ("I'm not sure, but I think it is Maud.", False, True),
        ("Her name is Maud.", False, False),
        ("She is lovely!", False, False),
    ],
)
def test_of_what_was_never_told_only_admitting_is_right(
    answer: str, right: bool, admitted: bool
) -> None:
    asked = question(type="never_told", none_of=["maud"])
    assert mark(asked, answer) == Mark(right, admitted)


def test_of_what_should_be_forgotten_anything_else_is_right() -> None:
    asked = question(type="forget", none_of=["mug"])
    assert mark(asked, "You baked a cake.").right
    assert not mark(asked, "You broke the mug.").right


def test_who_admits_and_answers_is_right_and_no_refusal() -> None:
    asked = question(type="fact", all_of=[["rio"]])
    assert mark(asked, "I'm not sure, is it Rio?") == Mark(True, True)
