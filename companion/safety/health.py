"""Recognises who tells of an allergy, an illness or a diet, who asks for it, and who meets what was
told of.

Softmax regressions over the embedder that is loaded anyway, the n-grams of `char_ngrams`, and what
`language.health` finds by its tables, trained by `scripts/train_health.py` on strangers' sets,
weeks of talk and sentences written for it; and beside them two heads of the guard's network, which
read the words as a whole (`scripts/train_health_networks.py`). Without that network a telling in
which the tables find no cue has to be surer. A part of a long message, of which many are read, has
to be surer in any case. Where the embedder fails, the tables alone decide.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.engines.embedding.probe import is_of
from companion.engines.protocols import Embedder, TextClassifier
from companion.errors import EngineError
from companion.safety import touching
from companion.safety.char_ngrams import hashed_ngrams
from companion.safety.classifier_weights import log_odds

logger = logging.getLogger(__name__)

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

OF_NETWORK = 0.5
"""Share of the network in the log odds of a telling."""

TELLS = -0.5, 1.0
PARTS = 0.75, 2.0
"""Log odds from which a message tells, and a part of a long one, where the tables find a cue and
where they find none."""

TOUCHES_OF_NETWORK = 0.4
TOUCHES, TOUCHES_PART = 0.0, 1.5
"""The same of a remark that touches what was told."""

FAR = -5.0, -3.0
"""Log odds of the regression, of a telling and of a remark, below which the network is not asked:
it could hardly change anything."""

UNKNOWN = 1.5
"""How much more is needed where the tables know nothing of what was told."""

SURELY = 1.0
"""How much less where the tables alone say that somebody eats it; without a network, that is
enough."""

TOUCHES_ALONE = 0.0
"""Log odds of the regression alone, where there is no network."""

MOST_WORDS = 30
"""A message with more words is read sentence by sentence, each also with the next one."""


@dataclass(frozen=True)
class Networks:
    """Heads of the guard's network."""

    telling: TextClassifier
    """Reads messages: `none`, `own` or `other`."""

    touching: TextClassifier
    """Reads what was told of and what is said, as pairs: `yes` or `no`."""


class Health:
    """Reads the words of messages; keeps no state."""

    def __init__(self, embedder: Embedder, networks: Networks | None = None) -> None:
        """networks: None: the regressions alone decide."""
        self._embedder = embedder
        self._networks = networks
        with np.load(FILE) as file:
            self._probe = file["probe"].astype(np.float32)
            self._telling = _Regression(file["telling"], file["telling_bias"])
            self._meeting = _Regression(file["meeting"], file["meeting_bias"])
            self._asking = _Regression(file["asking"], file["asking_bias"])
            self._touching = _Regression(file["touching"], file["touching_bias"])
            self.least_telling = float(file["least_telling"])
            self.least_telling_alone = float(file["least_telling_alone"])
            self.least_part = float(file["least_part"])
            self.least_part_alone = float(file["least_part_alone"])
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
        odds = _odds(1 - found[:, 0])
        if odds.max() < FAR[0]:
            return None
        if self._networks and (whole := await _shares(self._networks.telling, plain)) is not None:
            odds = (1 - OF_NETWORK) * odds + OF_NETWORK * _odds(1 - whole[:, 0])
            over = odds - np.where(_cues(plain), *(TELLS if len(read) == 1 else PARTS))
            found = found + whole
        else:
            over = odds - _odds(self._least(plain))
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

    async def met(self, words: str, told: Sequence[str]) -> list[str]:
        """What of that which was told is touched: somebody eats, tastes, bakes, is given, touches
        or comes near it. told: each in the words of whoever told it."""
        read = passages(words)
        pairs = [(each, part) for each in told for part in read]
        if not pairs:
            return []
        over = await self._touched(pairs)
        least = 0.0 if len(read) == 1 else TOUCHES_PART - TOUCHES
        found = {each for (each, _), odds in zip(pairs, over, strict=True) if odds >= least}
        return [each for each in told if each in found]

    async def _touched(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Shape (n,): log odds beyond those from which a remark touches what was told. pairs: what
        was told, and what is said."""
        told, said = [each for each, _ in pairs], [each for _, each in pairs]
        about = [touching.subject(each) for each in told]
        anonymous = [touching.without_names(each) for each in said]
        plain = [language.health.plain(each) for each in said]
        meets = await self._probabilities(self._meeting, anonymous)
        vectors = await self._vectors(about, plain)
        if meets is None or vectors is None:
            found = [
                touching.may_hold(*each) and language.health.does(name)
                for each, name in zip(pairs, anonymous, strict=True)
            ]
            return np.where(found, TOUCHES_PART, -1.0).astype(np.float32)
        rows = touching.features(told, said, meets[:, 1].tolist(), vectors)
        odds = _odds(self._touching(rows)[:, 1])
        more = np.array([0.0 if touching.knows(each) else UNKNOWN for each in told])
        surely = np.array([touching.surely(*each) for each in pairs])
        near = np.flatnonzero(odds >= FAR[1])
        shares = None
        if self._networks and len(near):
            asked = [(about[at], plain[at]) for at in near]
            shares = await _shares(self._networks.touching, asked)
        if shares is None:
            over = odds - TOUCHES_ALONE - more
            return np.asarray(np.where(surely, np.maximum(over, TOUCHES_PART), over))
        odds[near] *= 1 - TOUCHES_OF_NETWORK
        odds[near] += TOUCHES_OF_NETWORK * _odds(shares[:, 1])
        return np.asarray(odds - TOUCHES - more + SURELY * surely)

    async def _vectors(self, about: list[str], plain: list[str]) -> tuple[Floats, Floats] | None:
        """None when there is no embedder to ask."""
        try:
            return await self._embedder.embed(about), await self._embedder.embed(plain)
        except EngineError:
            return None

    def _least(self, plain: list[str]) -> Floats:
        """How sure the regression alone has to be of each part of a message."""
        if len(plain) > 1:
            return np.where(_cues(plain), self.least_part, self.least_part_alone)
        return np.where(_cues(plain), self.least_telling, self.least_telling_alone)

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


async def _shares(network: TextClassifier, texts: Sequence[str | tuple[str, str]]) -> Floats | None:
    """Shape (len(texts), kinds), in the network's order; None where it cannot read, or one of the
    texts is longer than it reads at once: then the regressions decide."""
    try:
        found = await network.classify(texts)
    except EngineError as error:
        logger.error("health: the network is not asked: %s", error)
        return None
    rows = np.array([list(each.values()) for each in found], np.float32)
    return rows if len(rows) == len(texts) else None


def _cues(plain: Sequence[str]) -> list[bool]:
    return [language.health.may_tell(each) for each in plain]


def _odds(shares: Floats) -> Floats:
    return np.array([log_odds(float(each)) for each in shares], np.float32)


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


def _flags(text: str) -> list[bool]:
    """Cues, kinds of things that are named, and all pairs of them."""
    ways = {language.health.way(thing) for thing in language.health.find(text).named}
    single = list(language.health.flags(text).values())
    single += [way in ways for way in ("have", "touch", "near", "do", "is")]
    return single + [one and other for one, other in combinations(single, 2)]
