"""Questions about what was said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.evaluation.simulation.asking import Parked
from companion.evaluation.simulation.questions import made, written
from tests.evaluation.simulation.world import PERSON, asker

TALKS: list[dict[str, Any]] = [
    {
        "session": 1,
        "day": 1,
        "lines": [["user", "I have a parrot called Rio."], ["assistant", "Oh."]],
    },
    {"session": 2, "day": 2, "lines": [["user", "My kite is green."], ["assistant", "Lovely."]]},
]


def test_written_questions_are_asked_once_all_they_need_was_said() -> None:
    assert [each.id for each in written(PERSON, TALKS[:1])] == ["written/parrot"]
    assert [each.id for each in written(PERSON, TALKS)] == [
        "written/parrot", "written/kite", "written/two",
    ]  # fmt: skip


async def test_a_made_question_must_rest_on_what_the_person_said() -> None:
    def answer(*lines: int) -> str:
        one = {"question": "What is green?", "answer": "the kite", "lines": list(lines)}
        return json.dumps({"questions": [one]})

    model = asker([answer(2, 4), answer(3), answer(1, 3)])
    found = await made(model, "multi-hop", TALKS, "Pip", 1, 0)
    assert found == [{"ask": "What is green?", "expected": "the kite", "lines": [1, 3]}]
    assert model.spent.calls == 3, "lines of the companion, or one line alone, are not enough"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What colour is my bike?", "blue"),  # the prompt's own example
        ("What is my parrot called?", "Polly"),
        ("What is my parrot Rio called?", "Rio"),
    ],
)
async def test_a_question_that_is_not_about_what_was_said_is_not_taken(
    question: str, answer: str
) -> None:
    one = {"question": question, "answer": answer, "lines": [1]}
    with pytest.raises(Parked, match="no question rests on what the person said"):
        await made(asker([json.dumps({"questions": [one]})]), "specific", TALKS, "Pip", 1, 0)
