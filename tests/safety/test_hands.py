"""Leaving one author out: who is a hand, how a threshold is chosen, what is counted."""

from __future__ import annotations

import guard_hands
import guard_talk
import pytest
from guard_figures import figures_of
from guard_hands import GRAVE, HANDS, for_training, hands, topic_of
from guard_left_out import FEW, Scored, few_stopped
from guard_sentences import FURTHER, SAFE, sentences
from guard_talk import ORDINARY

from companion.evaluation.guarded import Labelled
from companion.safety.classifier_weights import Danger, read
from companion.safety.normalize import plain
from companion.safety.verdict import CRISIS, Topic
from companion.safety.witnesses import CONFIRMED


def said(
    group: str, unsafe: float, *, matched: Topic | None = None, topic: str = "abuse"
) -> Scored:
    line = Labelled(text="words", group=group, topic=topic)
    return Scored(line, matched, Danger(unsafe, "abuse", 1.0))


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
    ("unsafe", "threshold"),
    [
        ([0.9] * 2 + [0.6] * 98, 0.6),  # two of a hundred may be stopped
        ([0.9] * 3 + [0.6] * 97, 0.9),  # three may not
        ([0.9] * 4 + [0.7] * 1 + [0.6] * 195, 0.7),  # four of two hundred may
        ([0.1] * 100, CONFIRMED),
    ],
)
def test_the_threshold_lets_next_to_nothing_harmless_be_stopped(
    unsafe: list[float], threshold: float
) -> None:
    found = [said("near", each) for each in unsafe]
    assert few_stopped(found) == threshold
    assert sum(each.stopped(threshold) for each in found) <= FEW * len(found)


def test_what_patterns_find_is_stopped_at_any_threshold_and_chooses_none() -> None:
    found = [said("near", 0.98, matched="abuse")] * 50 + [said("near", 0.3)] * 50
    assert few_stopped(found) == 0.3
    assert found[0].stopped(0.99)
    assert not found[-1].stopped(0.3)


def test_talk_is_learnt_as_safe_but_for_what_deserves_more() -> None:
    written = guard_talk.talk()
    learnt = guard_talk.for_training(written)
    assert {each.topic for each in learnt} == {SAFE}
    assert {each.author for each in learnt} == set(guard_talk.TALKERS)
    deserving = [each for said in written.values() for each in said if each.line.group != ORDINARY]
    messages = {each.family for each in learnt}
    assert len(messages) + len(deserving) == sum(map(len, written.values()))
    assert {each.line.text for each in deserving} <= guard_talk.DESERVING.keys()
    assert not {plain(each) for each in guard_talk.DESERVING} & {each.text for each in learnt}


def test_talk_is_learnt_sentence_by_sentence_as_it_is_judged() -> None:
    learnt = {each.text for each in guard_talk.for_training(guard_talk.talk())}
    assert {"my wombat", "one ear"} <= learnt, "of one message of Banjo's"


def test_a_message_of_a_life_stands_behind_what_was_said_before_it_that_day() -> None:
    life = guard_talk.talk()["Banjo"]
    first, second = life[0], life[1]
    assert first.before == ()
    assert second.before[-1] == (
        first.line.text,
        "Hello! I'm in here all right. Who's that talking?",
    )
    days = [each for each in life if not each.before]
    assert len(days) > 5, "a new day begins anew"


def test_the_worst_hand_stops_least_of_what_is_grave_and_most_of_what_is_not() -> None:
    def one(grave: float, calm: float) -> list[Scored]:
        both = [said(group, calm, topic="game") for group in ("care", "near", "harmless")]
        found = [
            said(group, grave, topic=names[0])
            for group in GRAVE
            for names in guard_hands.TOPICS.values()
        ]
        return [*found, *both]

    found = figures_of({"kind": one(0.9, 0.1), "odd": one(0.45, 0.6)}, {"kind": 0.5, "odd": 0.5})
    assert found["over_hands"]["plain"] == {
        "n": 10,
        "stopped": 5,
        "cared": 5,
        "mean": 0.5,
        "worst": {"hand": "odd", "share": 0.0},
        "heard": {"mean": 1.0, "worst": {"hand": "kind", "share": 1.0}},
    }
    assert found["over_hands"]["near"]["worst"] == {"hand": "odd", "share": 1.0}
    assert found["by_topic"]["hint"]["home"]["mean"] == 0.5


def test_the_shipped_classifier_has_learnt_the_hands() -> None:
    """Else train_guard.py was run with --own and not to its end, or a hand came later."""
    own = read(guard_hands.FOLDER.parents[2] / "scripts" / "guard" / "own.npz")
    learnt = for_training(hands())
    calm = guard_talk.for_training(guard_talk.talk())
    grave = sum(each.topic != SAFE for each in learnt)
    ours = [each.topic == SAFE for each in sentences(FURTHER)]
    shipped = read()
    assert len(shipped.stopped) == len(own.stopped) + grave + ours.count(False)
    assert len(shipped.passed) == len(own.passed) + len(learnt) - grave + sum(ours) + len(calm)
