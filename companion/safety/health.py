"""Recognises who tells of an allergy, an illness or a diet, and who meets what was told of.

Two softmax regressions over the embedder that is loaded anyway, the n-grams of `char_ngrams`, and
what `language.health` finds by its tables. They are trained by `scripts/train_health.py` on
sentences written for it. Where the embedder fails, the tables alone decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.safety.char_ngrams import hashed_ngrams

Floats = NDArray[np.float32]
Whose = Literal["own", "other"]

FILE = Path(__file__).with_name("health.npz")
PROBE = "a cat sleeps on the warm stone"
LEAST_COSINE = 0.97
FLAG = 0.15
"""The value of a flag that is set; embedding and n-grams have norm 1."""

MOST_WORDS = 30
"""A message with more words is read sentence by sentence, each also with the next one."""


class Health:
    """Reads the words of messages; keeps no state."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        with np.load(FILE) as file:
            self._probe = file["probe"].astype(np.float32)
            self._telling = _Regression(file["telling"], file["telling_bias"])
            self._meeting = _Regression(file["meeting"], file["meeting_bias"])
            self.least_telling = float(file["least_telling"])
            self.least_meeting = float(file["least_meeting"])
        self._fits: bool | None = None

    async def tells(self, words: str) -> Whose | None:
        """Whether a message tells of something that its speaker ("own": or the child of whom a
        parent speaks) or somebody else whom they know must not have, touch or do."""
        texts = [text for text in passages(words) if language.health.may_tell(text)]
        if not texts:
            return None
        found = await self._probabilities(self._telling, texts)
        if found is None:
            return _by_tables(texts)
        _, own, other = found[int(np.argmin(found[:, 0]))]
        if own + other < self.least_telling:
            return None
        return "own" if own >= other else "other"

    async def meets(self, words: str, told: Sequence[str]) -> bool:
        """Whether, in a message, somebody eats, tastes, bakes, is given, touches or comes near a
        thing that was told of. told: in the words of those who told it."""
        said = language.health.plain(words)
        found = language.health.find(said)
        things = [language.health.find(language.health.plain(each)).named for each in told]
        forbidden = frozenset[str]().union(*map(language.health.covered, things))
        if not forbidden:  # nothing in the tables: then the words themselves
            named = {word for each in told for word in language.question.content_words(each)}
            return bool(named & set(language.question.content_words(words)))
        unknown_food = not found.food and language.health.is_food(forbidden)
        if not forbidden & found.held and not (unknown_food and language.health.eats(said)):
            return False
        judged = await self._probabilities(self._meeting, [said])
        return judged is None or float(judged[0, 1]) >= self.least_meeting

    async def _probabilities(self, regression: _Regression, texts: list[str]) -> Floats | None:
        """Shape (len(texts), classes); None when there is no embedder to ask."""
        try:
            if self._fits is None:
                probe = (await self._embedder.embed([PROBE]))[0]
                same = probe.shape == self._probe.shape
                self._fits = same and float(probe @ self._probe) >= LEAST_COSINE
            if not self._fits:
                return None
            return regression(features(texts, await self._embedder.embed(texts)))
        except EngineError:
            return None


class _Regression:
    def __init__(self, weights: Floats, bias: Floats) -> None:
        self._weights, self._bias = weights.astype(np.float32), bias.astype(np.float32)

    def __call__(self, rows: Floats) -> Floats:
        scores = rows @ self._weights + self._bias
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def features(texts: Sequence[str], vectors: Floats) -> Floats:
    """Shape (n, dimension): what the regressions see of n texts that `plain` has spelled.
    vectors: (n, d), their embeddings."""
    flags = np.array([_flags(text) for text in texts], dtype=np.float32)
    return np.hstack([vectors, hashed_ngrams(texts), FLAG * flags])


def passages(words: str) -> list[str]:
    """A message as it is read: whole; a long one by sentences, each also with the next one."""
    whole = language.health.plain(words)
    if len(whole.split()) <= MOST_WORDS:
        return [whole]
    said = [language.health.plain(each) for each in language.sentences.split(words)]
    pairs = [f"{one} {two}" for one, two in zip(said, said[1:], strict=False)]
    return [each for each in said + pairs if each] or [whole]


def _flags(text: str) -> list[bool]:
    """Cues, kinds of things that are named, and all pairs of them."""
    ways = {language.health.way(thing) for thing in language.health.find(text).named}
    single = list(language.health.flags(text).values())
    single += [way in ways for way in ("have", "touch", "near", "do", "is")]
    return single + [one and other for one, other in combinations(single, 2)]


def _by_tables(texts: Sequence[str]) -> Whose | None:
    told = [text for text in texts if language.dietary.says_cannot_eat(text)]
    return "own" if told else None
