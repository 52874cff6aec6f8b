"""Agreement of two judges, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.evaluation.simulation.agreement import compare, correlation
from companion.evaluation.simulation.journal import Journal


def test_correlation_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-2, 1, 1): 3 / sqrt(2 * 6).
    assert correlation([1, 2, 3], [1, 4, 4]) == pytest.approx(3 / 12**0.5)
    assert correlation([1, 2, 3], [6, 4, 2]) == pytest.approx(-1.0)
    assert correlation([1, 2], [3, 3]) is None
    assert correlation([1], [1]) is None


def test_two_gradings_are_compared_by_dimension(tmp_path: Path) -> None:
    first, second = Journal(tmp_path / "1.jsonl"), Journal(tmp_path / "2.jsonl")
    for journal, marks in ((first, (4, [1, 0.5, 0], [3, 1])), (second, (2, [1, 0, 0], [3, 2]))):
        score, verdicts, counts = marks
        journal.put("a", dimension="naturalness", kind="scale", values=[score])
        journal.put("b", dimension="coverage", kind="verdicts", values=verdicts)
        journal.put("c", dimension="hits", kind="counts", values=counts)
    first.put("d", dimension="coverage", kind="verdicts", values=[1])
    found = compare(first, second)
    assert found["naturalness"] == {
        "n": 1, "same": 0, "mean_difference": 2, "correlation": None,
    }  # fmt: skip
    # Two of three the same; chance 1/3 * 1/3 + 1/3 * 2/3 = 1/3; kappa (2/3 - 1/3) / (2/3).
    assert found["coverage"] == {"n": 3, "same": 0.667, "kappa": 0.5}
    assert found["hits"]["same"] == 1
    assert found["misses"]["mean_difference"] == 1
