"""Figures of a life from its grades, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.evaluation.simulation import scores
from companion.evaluation.simulation.journal import Journal
from tests.evaluation.simulation.world import PERSON


def test_coverage_and_completeness_by_hand(tmp_path: Path) -> None:
    talks, grades = Journal(tmp_path / "talks"), Journal(tmp_path / "grades")
    answers = Journal(tmp_path / "answers")
    key = "ana-lund/hybrid"
    said = [["user", "I have a parrot called Rio."], ["assistant", "Nice."]]
    talks.put(f"{key}/talk/1", session=1, lines=said, tokens=12, evaluated_tokens=30)
    talks.put(f"{key}/known/1", statements=["The user has a parrot called Rio."])
    # 11 items: 2 kept and 1 partly; 4 said and 2 partly. 2.5 / 11, 5 / 11, and 2.5 / 5.
    kept, told = [1, 1, 0.5, *[0] * 8], [1, 1, 1, 1, 0.5, 0.5, *[0] * 5]
    for name, marks in (("coverage", kept), ("present", told)):
        grades.put(f"{key}/{name}/1/1", dimension=name, values=marks[:8])
        grades.put(f"{key}/{name}/1/2", dimension=name, values=marks[8:])
    grades.put(f"{key}/correctness/1", dimension="correctness", values=[1, 0.5, 0, 1])
    found = scores.of_life(PERSON, "hybrid", talks, answers, grades)
    assert found["figures"]["coverage"] == pytest.approx(2.5 / 11)
    assert found["figures"]["present"] == pytest.approx(5 / 11)
    assert found["figures"]["completeness"] == pytest.approx(0.5)
    assert found["figures"]["correctness"] == pytest.approx(2.5 / 4)
    assert found["figures"]["kept_by_words"] == pytest.approx(1 / 10)
    assert found["figures"]["evaluated_tokens_per_turn"] == 30
    assert found["curve"][0]["tokens"] == 12


def test_a_list_that_was_judged_in_part_gives_no_share_of_it(tmp_path: Path) -> None:
    talks, grades = Journal(tmp_path / "talks"), Journal(tmp_path / "grades")
    key = "ana-lund/hybrid"
    talks.put(f"{key}/talk/1", session=1, lines=[], tokens=1, evaluated_tokens=1)
    grades.put(f"{key}/coverage/1/1", dimension="coverage", values=[1] * 8)
    found = scores.of_life(PERSON, "hybrid", talks, Journal(tmp_path / "none"), grades)
    assert found["figures"]["coverage"] is None
