"""What stands beside what was found."""

from __future__ import annotations

import pytest

from companion.recall.nearby import JUST_AFTER, JUST_BEFORE, Nearby
from tests.recall.world import World


def test_the_exchanges_beside_it_lend_by_their_better_side() -> None:
    beside = Nearby(
        {("a", 1, "user"): 0.6, ("a", 1, "assistant"): 0.2, ("a", 3, "user"): 0.5}, {}, {}
    )
    assert beside.lends(("a", 2)) == pytest.approx(JUST_BEFORE * 0.6 + JUST_AFTER * 0.5)
    assert beside.lends(("a", 1)) == 0
    assert beside.lends(("b", 2)) == 0, "another talk"
    assert beside.lends(("b", 2), ("a", 4)) == pytest.approx(JUST_BEFORE * 0.5)
    assert beside.lends() == 0


@pytest.mark.parametrize("lent", [True, False])
async def test_what_was_said_next_comes_before_the_same_said_elsewhere(
    world: World, monkeypatch: pytest.MonkeyPatch, lent: bool
) -> None:
    """Also of memories whose raw turns are gone."""
    if not lent:
        monkeypatch.setattr("companion.recall.nearby.JUST_BEFORE", 0.0)
    await world.learn("We drove to the lake.", "2026-01-01-1", 1, "We drove to the lake.")
    there = await world.learn("Nessa fell in.", "2026-01-01-1", 2, "Nessa fell in.")
    elsewhere = await world.learn(
        "Otto fell in at the pool.", "2026-02-01-1", 9, "Otto fell in at the pool."
    )
    result = await world.recall("Who fell in at the lake?", budget_tokens=24)
    shown = {item.id for item in result.items}
    assert (f"m{there}" in shown) is lent
    assert (f"m{elsewhere}" in shown) is not lent
