"""Takes up what a child tells: two or three of its own words, and one short thing that fits.

"yesterday we went to sea scouts and ..." is answered "Sea scouts! Are you looking forward to it?".
Which words are repeated, `companion.repertoire.echoes` tells; what fits after them is told by a
logistic regression for each of about fifty follow-ups, over what the embedder sees of the message,
of the sentence with these words and of the last one, the message's n-grams, and what it does
(`companion.acts`). One more tells whether a listener is wanted at all. `scripts/fit_uptake.py` fits
them to what readers chose (`scripts/uptake`). Where no follow-up is certain, what is said after the
words fits whatever was told.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import NDArray

from companion import language
from companion.answering import Heard, Reading
from companion.engines.protocols import TextVectors
from companion.repertoire.echoes import Echoes, runs
from companion.repertoire.replies import fresh
from companion.safety.char_ngrams import hashed_ngrams

FILE = Path(__file__).with_name("uptake.yaml")
WEIGHTS = Path(__file__).with_name("uptake.npz")

LISTENS = 0.5
"""Least probability that a listener is wanted: what is not taken up is left to the model, whose
replies readers find worse than one that has missed a wish."""

SURELY_LISTENS = 0.6
"""The same where the message also asks something, or may want something else."""

LEAST_ECHO = 0.15
"""Least certainty of the words that are repeated: below it none are."""

TROUBLED = 0.4
"""Certainty of any follow-up for something sad or annoying from which nothing glad is said."""

ECHO = "{Echo}"

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class FollowUp:
    """One meaning, in several wordings."""

    mood: str
    least: float
    """Certainty from which it is said."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Written:
    """What people wrote."""

    before: Mapping[str, tuple[str, ...]]
    """How words are repeated, by mood."""

    bare: Mapping[str, tuple[str, ...]]
    """What stands there where none are."""

    whatever: tuple[str, ...]
    """Right after repeated words, whatever was told."""

    calmly: tuple[str, ...]
    """The same where the guard is not quite easy."""

    listened: tuple[str, ...]
    """Where nothing is repeated."""

    follow_ups: Mapping[str, FollowUp]


def shipped(path: Path = FILE) -> Written:
    """Raises OSError, yaml.YAMLError, KeyError, TypeError."""
    with path.open(encoding="utf-8") as file:
        tree = yaml.load(file, _LOADER)
    follow_ups = {
        name: FollowUp(each["mood"], float(each["least"]), tuple(each["lines"]))
        for name, each in tree["follow_ups"].items()
    }
    before, bare = (
        {mood: tuple(each) for mood, each in tree[key].items()} for key in ("before", "bare")
    )
    whatever, calmly, listened = (tuple(tree[key]) for key in ("whatever", "calmly", "listened"))
    return Written(before, bare, whatever, calmly, listened, follow_ups)


@dataclass(frozen=True)
class FollowUps:
    """Which follow-up fits. f: signs; u: follow-ups."""

    names: tuple[str, ...]
    acts: tuple[str, ...]
    weights: Floats
    """Shape (f, u + 1), the last: a listener is wanted."""

    bias: Floats
    """Shape (u + 1,)."""

    def certainties(self, signs: Floats) -> tuple[dict[str, float], float]:
        """How likely each follow-up fits, and how likely a listener is wanted. signs: see
        `signs`."""
        likely = 1 / (1 + np.exp(-(signs @ self.weights + self.bias)))
        return dict(zip(self.names, map(float, likely), strict=False)), float(likely[-1])


def signs(
    text: str, vectors: TextVectors, echo: str, reading: Reading, acts: Sequence[str]
) -> Floats:
    """Shape (f,). echo: the words that are repeated, "" for none."""
    at = text.find(echo) if echo else -1
    sentences = _sentences(text)
    inside = next((s for s in sentences if s[0] <= at < s[1]), (0, len(text)))
    echoed = (at, at + len(echo)) if at >= 0 else (0, 0)
    places = [_mean(vectors, span) for span in (echoed, inside, sentences[-1])]
    done = np.sqrt(np.array([reading.of(act) for act in acts], np.float32))
    words = hashed_ngrams([text.lower()])[0]
    return np.concatenate([vectors.vector, done, *places, words]).astype(np.float32)


def _sentences(text: str) -> list[tuple[int, int]]:
    """Where each begins and ends, the space after it included."""
    found, at = [], 0
    for sentence in language.sentences.split(text):
        begin = text.find(sentence, at)
        at = max(at, begin) + len(sentence)
        found.append((max(begin, 0), at))
    return found or [(0, len(text))]


def _mean(vectors: TextVectors, span: tuple[int, int]) -> Floats:
    """Of the tokens within some characters; shape (d,)."""
    within = (vectors.spans[:, 0] < span[1]) & (vectors.spans[:, 1] > span[0])
    if not within.any():
        return np.zeros(vectors.tokens.shape[1], np.float32)
    return np.asarray(vectors.tokens[within].mean(axis=0))


@dataclass(frozen=True)
class Uptake:
    """One toy's."""

    echoes: Echoes
    follow_ups: FollowUps
    written: Written
    chance: random.Random

    def reply(
        self,
        heard: Heard,
        vectors: TextVectors,
        lately: Sequence[str],
        *,
        least: float = LISTENS,
        calm: bool = False,
        troubled: bool = False,
        repeats: bool = True,
    ) -> tuple[str, ...] | None:
        """What is said to a child that tells something; None: it wants something else. vectors: of
        its words as they are. lately: what was said within a week. least: certainty that a
        listener is wanted. calm: the guard is not quite easy, so that no mood is shown.
        troubled: something may be amiss. repeats: whether words of the message may be."""
        message = runs(heard.words, vectors)
        echo, certain = self.echoes.best(message, vectors.vector) if message else ("", 0.0)
        may_be = repeats and certain >= LEAST_ECHO and not _addressed(echo)
        echo = echo if may_be else ""
        seen = signs(heard.words, vectors, echo, heard.reading, self.follow_ups.acts)
        fits, listens = self.follow_ups.certainties(seen)
        if listens < least:
            return None
        troubled = troubled or max(self._of_mood("sorry", fits)) >= TROUBLED
        chosen = None if calm else self._certain(fits, troubled=troubled)
        if chosen is not None:
            return self._said(chosen.mood, echo, chosen.lines, lately)
        if not echo:
            return self._said("calm", echo, self.written.listened, lately)
        if calm or troubled:
            return self._said("calm", echo, self.written.calmly, lately)
        return self._said("plain", echo, self.written.whatever, lately)

    def _certain(self, fits: Mapping[str, float], *, troubled: bool) -> FollowUp | None:
        """The surest of those that are certain; no glad one where something may be amiss."""
        sure = [
            (fits[name] - each.least, each)
            for name, each in self.written.follow_ups.items()
            if fits[name] >= each.least and not (troubled and each.mood == "glad")
        ]
        return max(sure, key=lambda each: each[0])[1] if sure else None

    def _of_mood(self, mood: str, fits: Mapping[str, float]) -> list[float]:
        return [fits[name] for name, each in self.written.follow_ups.items() if each.mood == mood]

    def _said(
        self, mood: str, echo: str, lines: Sequence[str], lately: Sequence[str]
    ) -> tuple[str, ...]:
        line = self.chance.choice(fresh(lines, lately))
        back = language.saying_back.phrase(echo) if echo else ""
        first = self.chance.choice(self.written.before[mood] if back else self.written.bare[mood])
        first = first.replace(ECHO, back[:1].upper() + back[1:])
        return (*language.sentences.split(first), *language.sentences.split(line))


def _addressed(words: str) -> bool:
    """Whether words speak to the toy: said back they would mean the child."""
    return bool(words) and language.saying_back.speaks_to_listener(words)


def open_shipped(chance: random.Random) -> Uptake:
    """Raises OSError, ValueError, KeyError, yaml.YAMLError."""
    return Uptake(*read(), shipped(), chance)


def read(path: Path = WEIGHTS) -> tuple[Echoes, FollowUps]:
    """Raises OSError, ValueError, KeyError."""
    with np.load(path, allow_pickle=False) as file:
        kept = {name: file[name] for name in file.files}
    arrays = {
        name: np.asarray(value, np.float32)
        for name, value in kept.items()
        if value.dtype.kind == "f"
    }
    echoes = Echoes(
        axes=arrays["axes"],
        offset=arrays["offset"],
        hidden=arrays["hidden"],
        hidden_bias=arrays["hidden_bias"],
        out=arrays["out"],
        out_bias=float(arrays["out_bias"]),
        by_sign=arrays["by_sign"],
        none=arrays["none"],
        none_bias=float(arrays["none_bias"]),
    )
    names, acts = (tuple(str(each) for each in kept[key]) for key in ("names", "acts"))
    return echoes, FollowUps(names, acts, arrays["weights"], arrays["bias"])
