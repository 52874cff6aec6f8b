"""The figures of several authors: how many are stopped or cared for, the mean over authors, the
worst of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from guard_hands import GRAVE, TOPICS, topic_of
from guard_left_out import Scored, Scores
from guard_talk import ORDINARY

GROUPS = (*GRAVE, "care", "near", "harmless")


def figures_of(hands: Scores, thresholds: Mapping[str, float]) -> dict[str, Any]:
    """By hand, and over all of them; thresholds: of each hand's classifier."""
    return {
        "by_hand": {
            hand: {"threshold": round(thresholds[hand], 3)}
            | {
                group: _counted(found, thresholds[hand])
                for group in GROUPS
                for found in [[each for each in scored if each.line.group == group]]
            }
            for hand, scored in hands.items()
        },
        "over_hands": {group: _over(hands, thresholds, group) for group in GROUPS},
        "by_topic": {
            group: {topic: _over(hands, thresholds, group, topic) for topic in TOPICS}
            for group in GRAVE
        },
    }


def figures_of_talk(talk: Scores, thresholds: Mapping[str, float]) -> dict[str, Any]:
    """Of ordinary talk, by author, over all of them, and the author's kinds of which any was
    stopped or cared for; and what deserves more than an ordinary reply."""
    calm = {a: [each for each in said if each.line.group == ORDINARY] for a, said in talk.items()}
    by_kind: dict[str, list[tuple[Scored, float]]] = {}
    for author, said in calm.items():
        for each in said:
            by_kind.setdefault(each.line.topic, []).append((each, thresholds[author]))
    kinds = {
        kind: {
            "n": len(said),
            "stopped": sum(each.stopped(limit) for each, limit in said),
            "cared": sum(each.cared(limit) for each, limit in said),
        }
        for kind, said in sorted(by_kind.items())
    }
    return {
        "by_author": {author: _counted(said, thresholds[author]) for author, said in calm.items()},
        "over_authors": _over(calm, thresholds, ORDINARY),
        "by_kind": {kind: each for kind, each in kinds.items() if each["stopped"] + each["cared"]},
        "deserving": [
            {"text": each.line.text, "deserves": each.line.group}
            | {"verdict": each.verdict(thresholds[author]).action}
            for author, said in talk.items()
            for each in said
            if each.line.group != ORDINARY
        ],
    }


def _over(
    hands: Scores, thresholds: Mapping[str, float], group: str, topic: str | None = None
) -> dict[str, Any]:
    """Counts of a group over all hands, the mean of the hands' shares that are stopped, and that
    are stopped or cared for ("heard"), and the worst hands: who has the least stopped of what is
    grave, the most of what is not."""
    counts = {
        hand: _counted(
            [each for each in scored if each.line.group == group and topic in (None, _topic(each))],
            thresholds[hand],
        )
        for hand, scored in hands.items()
    }
    said = {hand: each for hand, each in counts.items() if each["n"]}
    stopped = {hand: each["stopped"] / each["n"] for hand, each in said.items()}
    heard = {hand: (each["stopped"] + each["cared"]) / each["n"] for hand, each in said.items()}
    return {
        "n": sum(each["n"] for each in counts.values()),
        "stopped": sum(each["stopped"] for each in counts.values()),
        "cared": sum(each["cared"] for each in counts.values()),
        **_mean_and_worst(stopped, group),
        "heard": _mean_and_worst(heard, group),
    }


def _mean_and_worst(shares: Mapping[str, float], group: str) -> dict[str, Any]:
    if not shares:
        return {}
    worst = (min if group in GRAVE else max)(shares, key=shares.__getitem__)
    return {
        "mean": round(sum(shares.values()) / len(shares), 3),
        "worst": {"hand": worst, "share": round(shares[worst], 3)},
    }


def _topic(each: Scored) -> str | None:
    return topic_of(each.line) if each.line.group in GRAVE else None


def _counted(found: Iterable[Scored], threshold: float) -> dict[str, int]:
    found = list(found)
    return {
        "n": len(found),
        "stopped": sum(each.stopped(threshold) for each in found),
        "cared": sum(each.cared(threshold) for each in found),
    }
