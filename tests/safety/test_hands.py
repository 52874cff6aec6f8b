"""Leaving one author out: who is a hand, how a threshold is chosen, what is counted."""

from __future__ import annotations

import guard_hands
import pytest
from guard_figures import figures_of
from guard_hands import GRAVE, HANDS, for_training, hands, topic_of
from guard_left_out import Scored, _as_few
from guard_sentences import FURTHER, SAFE, sentences

from companion.evaluation.guarded import Labelled
from companion.safety.classifier_weights import read
from companion.safety.verdict import CRISIS


def said(
    group: str,
    danger: float,
    *,
    patterns: bool = False,
    topic: str = "abuse",
    worry: float = 0.0,
) -> Scored:
    return Scored(Labelled(text="words", group=group, topic=topic), patterns, danger, worry)


def test_every_open_set_belongs_to_one_hand() -> None:
    files = {path.stem for path in guard_hands.FOLDER.glob("*.jsonl")}
    named = [name for names in HANDS.values() for name in names]
    assert sorted(named) == sorted(files)


def test_a_hand_is_learnt_as_its_author_meant_it() -> None:
    written = hands()
    learnt = for_training(written)
    assert {each.author for each in learnt} == set(HANDS)
    lines = [line for found in written.values() for line in found]
    for line, sentence in zip(lines, learnt, strict=True):
        assert (sentence.topic in CRISIS) == (line.group in GRAVE)
        assert (sentence.topic == SAFE) == (line.group not in GRAVE)
        if line.group in GRAVE:
            assert topic_of(line) in guard_hands.TOPICS


@pytest.mark.parametrize(
    ("before", "after", "threshold"),
    [
        ([0.9, 0.2, 0.1], [0.8, 0.6, 0.3], 0.6),  # one was stopped: one may be
        ([0.2, 0.2, 0.1], [0.8, 0.6, 0.3], 0.8),  # none was
        ([0.9, 0.9, 0.1], [0.8, 0.6, 0.3], 0.3),
    ],
)
def test_the_threshold_stops_as_few_harmless_ones_as_before(
    before: list[float], after: list[float], threshold: float
) -> None:
    then, now = ([said("near", danger) for danger in each] for each in (before, after))
    chosen = _as_few(then, 0.5, now)
    assert chosen == threshold
    assert sum(each.stopped(chosen) for each in now) == sum(each.stopped(0.5) for each in then)


def test_what_patterns_stop_counts_at_any_threshold() -> None:
    then = [said("near", 0.0, patterns=True), said("near", 0.1)]
    assert _as_few(then, 0.5, [said("near", 0.0, patterns=True), said("near", 0.7)]) == 0.7


def test_the_worst_hand_stops_least_of_what_is_grave_and_most_of_what_is_not() -> None:
    def one(grave: float, calm: float) -> list[Scored]:
        both = [said(group, calm, topic="game") for group in ("care", "near", "harmless")]
        found = [
            said(group, grave, topic=names[0], worry=0.9 if topic in ("abuse", "home") else 0.0)
            for group in GRAVE
            for topic, names in guard_hands.TOPICS.items()
        ]
        return [*found, *both]

    found = figures_of({"kind": one(0.9, 0.1), "odd": one(0.4, 0.6)}, {"kind": 0.5, "odd": 0.5})
    assert found["over_hands"]["plain"] == {
        "n": 10,
        "stopped": 5,
        "cared": 2,
        "mean": 0.5,
        "worst": {"hand": "odd", "share": 0.0},
        "heard": {"mean": 0.7, "worst": {"hand": "odd", "share": 0.4}},
    }
    assert found["over_hands"]["near"]["worst"] == {"hand": "odd", "share": 1.0}
    assert found["by_topic"]["hint"]["home"]["mean"] == 0.5


def test_the_shipped_classifier_has_learnt_the_hands() -> None:
    """Else train_guard.py was run with --own and not to its end, or a hand came later."""
    own = read(guard_hands.FOLDER.parents[2] / "scripts" / "guard" / "own.npz")
    learnt = for_training(hands())
    grave = sum(each.topic != SAFE for each in learnt)
    ours = len(sentences(FURTHER))
    shipped = read()
    assert len(shipped.stopped) == len(own.stopped) + grave
    assert len(shipped.passed) == len(own.passed) + len(learnt) - grave + ours
