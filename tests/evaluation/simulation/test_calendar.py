"""Which day a session is on, and what it is about."""

from __future__ import annotations

from companion.evaluation.simulation.calendar import sittings
from tests.evaluation.simulation.world import PERSON


def test_sessions_go_through_topics_and_days_with_what_is_planned() -> None:
    plan = sittings(PERSON, days=3, sessions=2)
    assert [(each.number, each.day) for each in plan] == [
        (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3),
    ]  # fmt: skip
    assert [each.topic.name for each in plan[:3]] == [
        "your parrot and toys", "your treasures", "your parrot and toys",
    ]  # fmt: skip
    assert (plan[2].start - plan[0].start).days == 1
    assert [each.text for each in plan[0].plans] == [
        "Tomorrow, on Tuesday, is a picnic at the lake."
    ]
    assert [each.text for each in plan[2].plans] == ["Today is a picnic at the lake."]
    assert [each.text for each in plan[4].plans] == ["Yesterday was a picnic at the lake."]


def test_however_many_sessions_a_day_has_they_are_of_that_day_and_in_order() -> None:
    plan = sittings(PERSON, days=2, sessions=15)
    starts = [each.start for each in plan]
    assert starts == sorted(set(starts))
    assert {(each.day, each.start.day) for each in plan} == {(1, 2), (2, 3)}
    assert {each.text for sitting in plan[:15] for each in sitting.plans} == {
        "Tomorrow, on Tuesday, is a picnic at the lake."
    }
