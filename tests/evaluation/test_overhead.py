"""The cost of the runtime over bare llama.cpp, on cases worked out by hand."""

from __future__ import annotations

import pytest

from companion.evaluation.bench.overhead import Cost, Pair, compare, excess
from companion.evaluation.stopwatch import Moment


def cost(first: float, rest: float, *, whole: float = 0.0, evaluated: int = 0) -> Cost:
    """Processor time is twice the wall's: two threads."""
    return Cost(
        first=Moment(first, 2 * first),
        rest=Moment(rest, 2 * rest),
        whole=Moment(whole, 2 * whole),
        evaluated_tokens=evaluated,
        written_tokens=10,
    )


TWO: list[Pair] = [
    (cost(0.30, 1.02, whole=1.40, evaluated=25), cost(0.20, 1.0, whole=1.20, evaluated=20)),
    (cost(0.50, 3.00, whole=3.60, evaluated=31), cost(0.40, 3.0, whole=3.40, evaluated=28)),
]


def test_shares_are_of_the_sums_so_that_long_turns_weigh_more() -> None:
    found = compare(TWO)
    assert found["per_token"] == 0.005  # 4.02 s over 4.00 s, not the mean of 2 % and 0
    assert found["per_token_cpu"] == 0.005
    assert found["per_token_p50"] == pytest.approx(0.01)
    assert found["whole"] == 0.087  # 5.0 over 4.6
    assert found["within_contract"]


def test_the_first_token_and_the_prompt_are_compared_turn_by_turn() -> None:
    found = compare(TWO)
    assert found["first_later_p50_ms"] == 100.0
    assert found["prompt_tokens_more_p50"] == 4
    assert found["tokens_written"] == 20
    assert found["bare_ms_per_token"] == 200.0


def test_more_than_one_percent_a_token_misses_the_contract() -> None:
    found = compare([(cost(0, 1.02), cost(0, 1.0))])
    assert found["per_token"] == 0.02
    assert not found["within_contract"]


def test_the_clock_on_the_wall_alone_does_not_decide() -> None:
    ours, bare = cost(0, 0.9), cost(0, 1.0)
    busy = Cost(ours.first, Moment(0.9, 2.1), ours.whole, 0, 10)
    found = compare([(busy, bare)])
    assert (found["per_token"], found["per_token_cpu"]) == (-0.1, 0.05)
    assert not found["within_contract"]


def test_a_runtime_may_be_quicker() -> None:
    assert excess([(cost(0, 0.9), cost(0, 1.0))], lambda each: each.rest.wall_s) == -0.1


def test_answers_of_one_token_cost_nothing_after_it() -> None:
    assert excess([(cost(0.1, 0), cost(0.1, 0))], lambda each: each.rest.wall_s) == 0.0
