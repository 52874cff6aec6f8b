"""Percentiles and intervals on cases worked out by hand."""

from __future__ import annotations

import pytest

from companion.evaluation.figures import bootstrap, kappa, mean, percentile, share


def test_a_percentile_is_the_smallest_value_that_so_many_do_not_exceed() -> None:
    assert percentile([4, 1, 3, 2], 0.5) == 2
    assert percentile([4, 1, 3, 2], 0.51) == 3
    assert percentile(list(range(1, 101)), 0.99) == 99
    assert percentile([7], 0.99) == 7
    assert percentile([1, 2], 0) == 1


def test_nothing_measured_is_nothing() -> None:
    assert mean([]) == 0
    assert percentile([], 0.5) == 0
    assert bootstrap([], seed=0) == (0.0, 0.0)


def test_the_interval_of_a_fair_coin_is_that_of_its_normal_approximation() -> None:
    low, high = bootstrap([0.0, 1.0] * 200, seed=1)
    # standard error 0.5 / sqrt(400) = 0.025, so 0.5 -+ 1.96 * 0.025
    assert low == pytest.approx(0.451, abs=0.01)
    assert high == pytest.approx(0.549, abs=0.01)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [number**0.5 for number in range(60)]
    assert bootstrap(values, seed=5) == bootstrap(values, seed=5)
    assert bootstrap(values, seed=5) != bootstrap(values, seed=6)


def test_what_never_varies_is_certain() -> None:
    assert bootstrap([0.5] * 9, seed=0) == (0.5, 0.5)


def test_agreement_by_hand() -> None:
    # 20 pairs: both yes 8, both no 6, yes/no 4, no/yes 2. Observed 14/20; by chance
    # 12/20 * 10/20 + 8/20 * 10/20 = 0.5; kappa (0.7 - 0.5) / 0.5.
    one = ["yes"] * 8 + ["no"] * 6 + ["yes"] * 4 + ["no"] * 2
    other = ["yes"] * 8 + ["no"] * 6 + ["no"] * 4 + ["yes"] * 2
    assert share(one, other) == pytest.approx(0.7)
    assert kappa(one, other) == pytest.approx(0.4)
    assert kappa([1, 0, 0.5], [1, 0, 0.5]) == 1.0
    assert kappa([1, 1], [1, 1]) is None, "chance alone agrees"
    assert share([], []) is None
    assert kappa([1, 0], [0, 1]) == pytest.approx(-1.0)
