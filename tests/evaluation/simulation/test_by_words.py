"""Counting without a judge, by hand."""

from __future__ import annotations

import pytest

from companion.evaluation.simulation import by_words
from companion.evaluation.simulation.character import shipped
from tests.evaluation.simulation.world import PERSON


def test_counting_without_a_judge_by_hand() -> None:
    old = {"lines": [["user", "I have a parrot called Rio. It hates tin."], ["assistant", "Oh."]]}
    new = {
        "lines": [
            ["user", "Let us talk about my pet."],
            ["assistant", "How is Rio?"],  # told before: a hit
            ["user", "He sings to the tin."],
            ["assistant", "Rio sings to tin, and Wanda too?"],  # Rio again; tin was just said
        ]
    }
    assert by_words.hits(PERSON, old, new) == 2
    assert by_words.told_share(PERSON, by_words.spoken([old])) == pytest.approx(2 / 10)
    jonas = shipped()[1]
    answers = [
        {"key": "jonas-brandt/raw/answer/written/grandpa", "text": "A clockmaker, I think."},
        {"key": "jonas-brandt/raw/answer/written/friend", "text": "He moved away."},
        {"key": "jonas-brandt/raw/answer/written/who-repaired", "text": "several facts"},
    ]
    assert by_words.answered_share(jonas, answers) == 0.5
    assert by_words.answered_share(jonas, answers[2:]) is None
