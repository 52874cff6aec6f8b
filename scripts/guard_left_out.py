"""What the guard stops of the words of an author that its classifier never saw.

The classifier of our own sentences (`guard_own`) is trained further, for some steps, on the hands,
on strangers' ordinary talk (`guard_talk`) and on what we wrote since (scripts/guard/further), with
our sentences among them, so that it does not forget.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import guard_talk
import numpy as np
from guard_hands import HANDS, HARMLESS, for_training
from guard_own import remembered
from guard_sentences import FURTHER, SAFE, sentences
from guard_talk import ORDINARY, TALKERS, Said
from guard_training import Forms, balanced, descend, forms_of

from companion.engines.protocols import Embedder
from companion.evaluation.guarded import Labelled
from companion.safety.classifier import verdict_on, windows
from companion.safety.classifier_weights import Danger, Floats, Weights, as_floats
from companion.safety.normalize import plain
from companion.safety.not_now import weighed
from companion.safety.pattern_guard import find, statements
from companion.safety.patterns import of_side
from companion.safety.pretending import Exchange, softened
from companion.safety.replies import stop
from companion.safety.verdict import Topic, Verdict
from companion.safety.witnesses import CONFIRMED, seconded

STEPS = 120
OURS = "ours"
"""The author of scripts/guard/further, who is never left out."""

SHARE = 0.3
"""How much the hands weigh, of hands and our sentences together."""

TALK_SHARE = 0.5
"""How much ordinary talk weighs beside both. With 0.2 a fifth more of the talk of authors who were
left out is stopped, with 1 as little."""

FEW = 0.02
"""The most of what is harmless that the classifier alone may stop: of the hands' near and harmless
sentences, of talk (a week's messages of several sentences among it), and of ordinary.txt together,
so that no one set, and least of all our own, decides what is lost of the grave ones. What a pattern
finds, no threshold changes."""

FOLDS = tuple(zip_longest(HANDS, TALKERS, fillvalue=""))
"""A hand and an author of talk are left out together, which halves the time."""


@dataclass(frozen=True)
class Heard:
    """A sentence with all that judging needs and no training changes."""

    line: Labelled
    spelled: list[str]
    vectors: Floats
    matched: Topic | None
    """Of the pattern that matches."""

    before: tuple[Exchange, ...] = ()


@dataclass(frozen=True)
class Scored:
    """A sentence as the two layers see it."""

    line: Labelled
    matched: Topic | None
    danger: Danger
    before: tuple[Exchange, ...] = ()

    def verdict(self, threshold: float) -> Verdict:
        """As the product comes to it in a talk of which no more than `before` is known."""
        text = self.line.text
        if self.matched is None:
            found = verdict_on(text, self.danger, threshold)
        else:
            danger = weighed(self.danger, text, self.matched)
            found = seconded(stop(self.matched, "in", "patterns"), danger)
        return softened(found, text, self.before)

    def stopped(self, threshold: float) -> bool:
        verdict = self.verdict(threshold)
        return verdict.stops and not verdict.cares

    def cared(self, threshold: float) -> bool:
        return self.verdict(threshold).cares

    @property
    def worst(self) -> float:
        """The lowest threshold at which it is not stopped; 0 where no threshold matters, as a
        pattern matches or it is part of a game."""
        by_threshold = self.matched is None and self.stopped(threshold=0.0)
        danger = weighed(self.danger, self.line.text, self.danger.topic)
        return danger.unsafe if by_threshold else 0.0


Scores = Mapping[str, Sequence[Scored]]


@dataclass(frozen=True)
class Further:
    """What is needed to train the classifier of our own sentences further."""

    own: Weights
    features: Floats
    label: np.ndarray[tuple[int], np.dtype[np.int64]]
    hands: Forms
    talk: Forms

    def trained(self, without: Sequence[str] = ()) -> Weights:
        """On all authors but these; the threshold is still that of `own`."""
        hands, talk = (~np.isin(each.author, without) for each in (self.hands, self.talk))
        label = np.concatenate([self.label, self.hands.label[hands], self.talk.label[talk]])
        weight = np.concatenate(
            [
                (1 - SHARE) * balanced(self.label),
                SHARE * balanced(self.hands.label[hands]),
                np.full(talk.sum(), TALK_SHARE / talk.sum(), np.float32),
            ]
        )
        features = np.vstack([self.features, self.hands.features[hands], self.talk.features[talk]])
        start = self.own.regression, self.own.bias
        regression, bias = descend(features, label, weight, start, STEPS)
        known, unsafe = hands & self.hands.as_written, self.hands.label != 0
        calm = self.talk.meaning[talk & self.talk.as_written]
        return replace(
            self.own,
            regression=regression,
            bias=bias,
            stopped=np.vstack([as_floats(self.own.stopped), self.hands.meaning[known & unsafe]]),
            passed=np.vstack(
                [as_floats(self.own.passed), self.hands.meaning[known & ~unsafe], calm]
            ),
        )


async def further(
    own: Weights,
    hands: Mapping[str, list[Labelled]],
    talk: Mapping[str, list[Said]],
    embedder: Embedder,
) -> Further:
    """hands, talk: those to train on, and others, which are not. Raises EngineError, and SystemExit
    as `guard_own.remembered`."""
    topics = (SAFE, *own.topics)
    features, label = remembered(own, sentences())
    written = for_training({hand: hands[hand] for hand in HANDS})
    written += [replace(each, author=OURS) for each in sentences(FURTHER)]
    return Further(
        own,
        features,
        label,
        await forms_of(written, topics, embedder),
        await forms_of(guard_talk.for_training(talk), topics, embedder),
    )


async def heard(said: Iterable[Said], embedder: Embedder) -> list[Heard]:
    """Raises EngineError."""
    patterns = of_side("in")
    found = []
    for each in said:
        words = plain(each.line.text)
        matched = find(words, patterns)
        spelled = windows(words) + (statements(each.line.text, patterns) if matched else [])
        vectors = await embedder.embed(spelled)
        found.append(Heard(each.line, spelled, vectors, matched, each.before))
    return found


def alone(lines: Iterable[Labelled]) -> list[Said]:
    """Sentences that nothing was said before."""
    return [Said(line, ()) for line in lines]


def scored(sentences: Iterable[Heard], weights: Weights) -> list[Scored]:
    return [
        Scored(each.line, each.matched, weights.danger(each.spelled, each.vectors), each.before)
        for each in sentences
    ]


@dataclass(frozen=True)
class LeftOut:
    """Every author, to the classifier that was trained without them, and the threshold for them."""

    hands: Scores
    talk: Scores
    thresholds: Mapping[str, float]
    """By author, as the others choose it; under "", as all choose it together."""

    as_heard: Scores
    """Sentences of the hands, as they were heard."""


def left_out(
    training: Further,
    hands: Mapping[str, Sequence[Heard]],
    talk: Mapping[str, Sequence[Heard]],
    ordinary: Sequence[Heard],
    as_heard: Mapping[str, Sequence[Heard]] | None = None,
) -> LeftOut:
    """hands, talk: to be judged; those of `training` among them. ordinary: harmless sentences of
    ours. as_heard: the hands' sentences as a transcriber heard them, which choose no threshold."""
    found: dict[str, list[Scored]] = {}
    spoken: dict[str, list[Scored]] = {}
    as_heard = as_heard or {}
    everything = {**hands, **talk}
    full = training.trained()
    calm = scored(ordinary, full)
    for fold in FOLDS:
        weights = training.trained(fold)
        found |= {author: scored(everything[author], weights) for author in fold if author}
        spoken |= {each: scored(as_heard[each], weights) for each in fold if each in as_heard}
    for author in everything.keys() - found.keys():
        found[author] = scored(everything[author], full)
    spoken |= {each: scored(as_heard[each], full) for each in as_heard.keys() - spoken.keys()}
    thresholds = {}
    for author in ("", *everything):
        near = _harmless(found, [each for each in HANDS if each != author], HARMLESS)
        said = _harmless(found, [each for each in TALKERS if each != author], (ORDINARY,))
        thresholds[author] = few_stopped([*near, *said, *calm])
    return LeftOut(
        {hand: found[hand] for hand in hands},
        {each: found[each] for each in talk},
        thresholds,
        {hand: spoken[hand] for hand in as_heard},
    )


def few_stopped(harmless: Sequence[Scored]) -> float:
    """The lowest threshold, from `CONFIRMED` up, at which no more than `FEW` of these are
    stopped."""
    worst = sorted((each.worst for each in harmless), reverse=True)
    return max(CONFIRMED, worst[int(FEW * len(worst))])


def _harmless(found: Scores, authors: Iterable[str], groups: Sequence[str]) -> list[Scored]:
    return [each for author in authors for each in found[author] if each.line.group in groups]
