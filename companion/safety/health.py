"""Recognises who tells of an allergy, an illness or a diet, who asks for it, and who meets what was
told of.

Three softmax regressions over the embedder that is loaded anyway, the n-grams of `char_ngrams`, and
what `language.health` finds by its tables. They are trained by `scripts/train_health.py` on
strangers' sets, weeks of talk and sentences written for it. A telling in which the tables find no
cue has to be surer, and so has a part of a long message, of which many are read. Where the embedder
fails, the tables alone decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.engines.embedding.probe import is_of
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.safety.char_ngrams import hashed_ngrams

Floats = NDArray[np.float32]
Whose = Literal["own", "other"]


@dataclass(frozen=True)
class Telling:
    """What a message tells of health."""

    words: str
    """The message, or the part of it that tells, as it was said."""

    whose: Whose
    """`own`: the speaker's, or that of the child of whom a parent speaks; `other`: somebody's whom
    they know."""


FILE = Path(__file__).with_name("health.npz")
FLAG = 0.15
"""The value of a flag that is set; embedding and n-grams have norm 1."""

LEAST_MEETING_UNKNOWN = 0.6
"""For who asks to eat something that none of the tables knows."""

LEAST_MEETING_PART = 0.9
"""For a sentence among several: a child who tells of its day names many things."""

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
            self._asking = _Regression(file["asking"], file["asking_bias"])
            self.least_telling = float(file["least_telling"])
            self.least_telling_alone = float(file["least_telling_alone"])
            self.least_part = float(file["least_part"])
            self.least_part_alone = float(file["least_part_alone"])
            self.least_meeting = float(file["least_meeting"])
            self.least_asking = float(file["least_asking"])
        self._fits: bool | None = None

    async def tells(self, words: str) -> Telling | None:
        """What a message tells of things that somebody must not have, touch or do."""
        read = passages(words)
        plain = [language.health.plain(each) for each in read]
        found = await self._probabilities(self._telling, plain)
        if found is None:
            own = [each for each in read if language.dietary.says_cannot_eat(each)]
            return Telling(own[0], "own") if own else None
        cues = np.array([language.health.may_tell(each) for each in plain])
        least, alone = self.least_telling, self.least_telling_alone
        if len(read) > 1:
            least, alone = self.least_part, self.least_part_alone
        over = 1 - found[:, 0] - np.where(cues, least, alone)
        best = int(np.argmax(over))
        if over[best] < 0:
            return None
        _, own_share, other_share = found[best]
        return Telling(read[best], "own" if own_share >= other_share else "other")

    async def asks(self, words: str) -> bool:
        """Whether somebody asks what does them harm, or what they must not have."""
        plain = language.health.plain(words)
        found = await self._probabilities(self._asking, [plain])
        if found is None:
            return language.health.asks_what_harms(plain)
        return float(found[0, 1]) >= self.least_asking

    async def meets(self, words: str, told: Sequence[str]) -> bool:
        """Whether, in a message, somebody eats, tastes, bakes, is given, touches or comes near a
        thing that was told of. told: in the words of those who told it."""
        things = [language.health.find(language.health.plain(each)).named for each in told]
        forbidden = frozenset[str]().union(*map(language.health.covered, things))
        said = _without_names(words)
        asks_leave = language.dietary.asks_leave(words)
        if not forbidden:  # nothing in the tables: then the words themselves
            return (asks_leave or language.health.eats(said)) and bool(_shared(words, told))
        general = frozenset[str]().union(*map(language.health.kinds, things))
        sentences = [_without_names(each) for each in language.sentences.split(words)] or [said]
        least = self.least_meeting if len(sentences) == 1 else LEAST_MEETING_PART
        for each in sentences:
            if not (forbidden | general) & language.health.find(each).held:
                continue
            if language.health.surely_eats(each) or await self._meets(each, least):
                return True
        unknown_food = language.health.is_food(forbidden) and not language.health.find(said).food
        return unknown_food and asks_leave and await self._meets(said, LEAST_MEETING_UNKNOWN)

    async def _meets(self, said: str, least: float) -> bool:
        judged = await self._probabilities(self._meeting, [said])
        if judged is None:
            return language.health.does(said)
        return float(judged[0, 1]) >= least

    async def _probabilities(self, regression: _Regression, texts: list[str]) -> Floats | None:
        """Shape (len(texts), classes); None when there is no embedder to ask."""
        try:
            if self._fits is None:
                self._fits = await is_of(self._embedder, self._probe)
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
    if len(words.split()) <= MOST_WORDS:
        return [words]
    said = language.sentences.split(words)
    return said + [f"{one} {two}" for one, two in pairwise(said)]


def _without_names(words: str) -> str:
    return language.health.plain(language.health.without_names(words))


def _shared(words: str, told: Sequence[str]) -> set[str]:
    """Words of what was told that are said again, but for those of eating."""
    here, *there = (
        {word.lower() for word in language.question.content_words(each)} for each in (words, *told)
    )
    return {word for word in here & set().union(*there) if not language.health.eats(word)}


def _flags(text: str) -> list[bool]:
    """Cues, kinds of things that are named, and all pairs of them."""
    ways = {language.health.way(thing) for thing in language.health.find(text).named}
    single = list(language.health.flags(text).values())
    single += [way in ways for way in ("have", "touch", "near", "do", "is")]
    return single + [one and other for one, other in combinations(single, 2)]
