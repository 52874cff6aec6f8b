"""What the guard stops of the words of a hand that its classifier never saw.

The classifier of our own sentences (`guard_own`) is trained further, for a few steps, on the hands
and on what we wrote since (scripts/guard/further), with our sentences among them, so that it does
not forget. That takes seconds for each hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from guard_hands import HANDS, HARMLESS, for_training
from guard_own import remembered
from guard_sentences import FURTHER, SAFE, sentences
from guard_training import Forms, balanced, descend, forms_of

from companion.engines.protocols import Embedder
from companion.evaluation.guarded import Labelled
from companion.safety.classifier import CARE, windows
from companion.safety.classifier_weights import Floats, Weights
from companion.safety.normalize import plain
from companion.safety.pattern_guard import find
from companion.safety.patterns import of_side
from companion.safety.verdict import CRISIS

STEPS = 60
OURS = "ours"
"""The author of scripts/guard/further, who is never left out."""

SHARE = 0.3
"""How much the hands weigh, of all. 0.3 and 0.5, 60 and 120 steps came out within 2 % of each
other on the hands that were left out."""


@dataclass(frozen=True)
class Heard:
    """A sentence with all that judging needs and no training changes."""

    line: Labelled
    spelled: list[str]
    vectors: Floats
    by_patterns: bool


@dataclass(frozen=True)
class Scored:
    """A sentence as the two layers see it."""

    line: Labelled
    by_patterns: bool
    danger: float
    """Of the classifier, 0 to 1."""

    worry: float = 0.0
    """The same, of hints; 0 where they are of no topic that is cared about."""

    def stopped(self, threshold: float) -> bool:
        return self.by_patterns or self.danger > threshold

    def cared(self, threshold: float) -> bool:
        return not self.stopped(threshold) and self.worry > CARE

    @property
    def worst(self) -> float:
        """The lowest threshold at which it passes."""
        return 1.0 if self.by_patterns else self.danger


Hands = Mapping[str, Sequence[Scored]]


@dataclass(frozen=True)
class Further:
    """What is needed to train the classifier of our own sentences further."""

    own: Weights
    features: Floats
    label: np.ndarray[tuple[int], np.dtype[np.int64]]
    hands: Forms

    def trained(self, without: str = "") -> Weights:
        """On all hands but one; the threshold is still that of `own`."""
        keep = self.hands.author != without
        label = np.concatenate([self.label, self.hands.label[keep]])
        weight = np.concatenate(
            [(1 - SHARE) * balanced(self.label), SHARE * balanced(self.hands.label[keep])]
        )
        features = np.vstack([self.features, self.hands.features[keep]])
        start = self.own.regression, self.own.bias
        regression, bias = descend(features, label, weight, start, STEPS)
        known, unsafe = keep & self.hands.as_written, self.hands.label != 0
        return replace(
            self.own,
            regression=regression,
            bias=bias,
            stopped=np.vstack([self.own.stopped, self.hands.meaning[known & unsafe]]),
            passed=np.vstack([self.own.passed, self.hands.meaning[known & ~unsafe]]),
        )


async def further(own: Weights, hands: Mapping[str, list[Labelled]], embedder: Embedder) -> Further:
    """hands: those to train on. Raises EngineError, and SystemExit as `guard_own.remembered`."""
    found = sentences()
    features, label = remembered(own, found)
    written = for_training({hand: hands[hand] for hand in HANDS})
    written += [replace(each, author=OURS) for each in sentences(FURTHER)]
    return Further(own, features, label, await forms_of(written, (SAFE, *own.topics), embedder))


async def heard(lines: Iterable[Labelled], embedder: Embedder) -> list[Heard]:
    """Raises EngineError."""
    patterns = of_side("in")
    found = []
    for line in lines:
        words = plain(line.text)
        spelled = windows(words)
        stopped = find(words, patterns) is not None
        found.append(Heard(line, spelled, await embedder.embed(spelled), stopped))
    return found


def scored(sentences: Iterable[Heard], weights: Weights) -> list[Scored]:
    found = []
    for each in sentences:
        danger = weights.danger(each.spelled, each.vectors)
        worry = danger.worry if danger.worry_topic in CRISIS else 0.0
        found.append(Scored(each.line, each.by_patterns, danger.unsafe, worry))
    return found


@dataclass(frozen=True)
class LeftOut:
    """Every hand, to the classifier that was trained without it, and the threshold for it."""

    hands: Hands
    thresholds: Mapping[str, float]
    """By hand, as the others choose it; under "", as all hands choose it together."""


def left_out(
    training: Further, hands: Mapping[str, Sequence[Heard]], ordinary: Sequence[Heard]
) -> LeftOut:
    """hands: to be judged; those of `training` among them. ordinary: harmless sentences of ours."""
    own = training.own
    before = {hand: scored(found, own) for hand, found in hands.items()}
    after: dict[str, list[Scored]] = {}
    talk: dict[str, list[Scored]] = {}
    for hand in ("", *hands):
        weights = training.trained(without=hand)
        talk[hand] = scored(ordinary, weights)
        if hand:
            after[hand] = scored(hands[hand], weights)
    calm = scored(ordinary, own)
    thresholds = {}
    for hand in talk:
        asked = [each for each in HANDS if each != hand]
        by_hands = _as_few(_harmless(before, asked), own.threshold, _harmless(after, asked))
        thresholds[hand] = max(0.5, by_hands, _as_few(calm, own.threshold, talk[hand]))
    return LeftOut(after, thresholds)


def _as_few(before: Sequence[Scored], stops_at: float, after: Sequence[Scored]) -> float:
    """The lowest threshold at which no more are stopped than before."""
    allowed = sum(each.stopped(stops_at) for each in before)
    return sorted((each.worst for each in after), reverse=True)[allowed]


def _harmless(hands: Hands, asked: Sequence[str]) -> list[Scored]:
    return [each for hand in asked for each in hands[hand] if each.line.group in HARMLESS]
