"""The estimate of a run."""

from __future__ import annotations

from companion.evaluation.simulation import cost
from tests.evaluation.simulation.world import PERSON


def test_the_estimate_counts_what_the_run_then_asks() -> None:
    plan = cost.Plan(people=2, sessions=2, turns=3, questions=1, arms=("raw", "hybrid"))
    loads = cost.estimate(plan, [PERSON])
    # A line a turn, also in the last session, and a summary of each of the others.
    assert loads["user"].calls == 2 * 2 * (3 * 3 + 2)
    twice = cost.estimate(
        cost.Plan(people=4, sessions=2, turns=3, questions=1, arms=plan.arms), [PERSON]
    )
    assert twice["judge"].calls == 2 * loads["judge"].calls
    assert cost.Speed(100, 10).seconds(cost.Load(1, 1_000, 50)) == 15
