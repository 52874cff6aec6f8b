"""Whether a message asks that something be forgotten, and which of the exchanges before it hold
that.

Logistic regressions, fitted by `scripts/fit_withdrawals.py` on talks that strangers wrote: one over
the whole message and one over each of its sentences, of which the surest counts, tell whether
something is to go; one over what was told tells how private it is; and one over that, how far back
it lies and what it shares with the message tells whether it is meant. With an embedder that the
weights do not fit, rules alone do both (`language.correction`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import numpy as np

from companion import language
from companion.acts.features import Floats
from companion.acts.withdrawal_signs import Told, of_asking, of_places, of_text
from companion.engines.embedding.probe import PROBE, is_same
from companion.engines.protocols import Embedder
from companion.errors import EngineError
from companion.records import Message, Turn
from companion.safety.wording import wording
from companion.store import history, withdrawal
from companion.store.database import Store
from companion.store.withdrawal import Meant

logger = logging.getLogger(__name__)

FILE = Path(__file__).with_name("withdrawals.npz")

SURE = 0.9
"""Least probability from which something is forgotten."""

SURE_BY_RULE = 0.5
"""The same where a rule (`language.correction.withdraws`) says so, too."""

PERHAPS = 0.8
"""Least probability from which it is worth a question."""

MEANT = 0.4
"""Least probability from which an exchange goes along."""

HARDLY = -3.0
"""Log odds of the whole message below which its sentences are not looked at."""

BACK = 12
"""How many exchanges back are looked at."""

Wish = Literal["no", "perhaps", "surely"]


@dataclass(frozen=True)
class Weights:
    """Each shape (n + 1,), the bias last; probe: shape (d,), the embedder's vector of PROBE."""

    message: Floats
    sentence: Floats
    private: Floats
    place: Floats
    probe: Floats

    def suits(self, vector: Floats) -> bool:
        """Whether an embedder is the one that the weights were fitted for. vector: its of PROBE."""
        return is_same(vector, self.probe)

    def write(self, path: Path = FILE) -> None:
        """Raises OSError."""
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        np.savez_compressed(path, **{name: each.astype(np.float16) for name, each in held.items()})


def read(path: Path = FILE) -> Weights:
    """The weights of a file, by default those that are shipped. Raises OSError, ValueError."""
    with np.load(path, allow_pickle=False) as file:
        return Weights(*(file[each.name].astype(np.float32) for each in fields(Weights)))


def log_odds(weights: Floats, x: Floats) -> Floats:
    """weights: shape (n + 1,); x: shape (..., n)."""
    return np.asarray(x @ weights[:-1] + weights[-1], np.float32)


class Withdrawals:
    """One toy's."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        """name: the toy's own."""
        self._embedder = embedder
        self._name = name
        self._lock = asyncio.Lock()
        self._opened = False
        self._weights: Weights | None = None

    async def asks(self, words: str) -> Wish:
        """Whether a message asks that something be forgotten; by rules where the embedder fails."""
        ruled = language.correction.withdraws(words)
        try:
            likely = await self.probability(words)
        except EngineError as error:
            logger.error("only rules tell what is to be forgotten: %s", error)
            likely = None
        if likely is None:
            likely = float(ruled)
        if likely >= (SURE_BY_RULE if ruled else SURE):
            return "surely"
        return "perhaps" if likely >= PERHAPS else "no"

    async def probability(self, words: str) -> float | None:
        """The same, 0 to 1; None where the weights do not fit. Raises EngineError."""
        weights, said = await self._open(), wording(words, self._name)
        if weights is None or not said:
            return None
        found = float(log_odds(weights.message, of_asking(words, said, await self._vector(said))))
        if found > HARDLY:
            parts = [(each, wording(each, self._name)) for each in language.sentences.split(words)]
            seen = [
                of_asking(each, plain, await self._vector(plain)) for each, plain in parts if plain
            ]
            if seen:
                found = (found + float(log_odds(weights.sentence, np.stack(seen)).max())) / 2
        return float(1 / (1 + np.exp(-found)))

    async def meant(self, store: Store, session: str, number: int, words: str) -> Meant:
        """Which turns a message takes back that asks to forget; by rules where the embedder fails.
        number: its own turn. Raises StoreError."""
        turns = await store.read(history.turns, session)
        before = [each for each in turns if each.number < number and each.user is not None][-BACK:]
        try:
            near = await self._near(words, before)
        except EngineError:  # told by `asks`
            near = None
        return await store.read(withdrawal.meant, session, number, words, near)

    async def _near(self, words: str, before: Sequence[Turn]) -> tuple[int, ...] | None:
        """Numbers of the turns that are likely meant; None where the weights do not fit. Raises
        EngineError."""
        if await self._open() is None:
            return None
        told = [(_text(each.user), _text(each.reply)) for each in before]
        likely = await self.likely(words, told)
        return tuple(
            turn.number for turn, each in zip(before, likely, strict=True) if each >= MEANT
        )

    async def likely(self, words: str, before: Sequence[tuple[str, str]]) -> list[float]:
        """How likely each exchange before a message that asks to forget holds what is meant, 0 to
        1. before: what the person said, and the toy to it, the latest last. Raises EngineError."""
        weights = await self._open()
        if weights is None or not before:
            return [0.0] * len(before)
        parts = [wording(each, self._name) for each in language.sentences.split(words)]
        own = [await self._vector(each) for each in parts if each]
        told = []
        for said, reply in before:
            plain = wording(said, self._name) or said
            vector = await self._vector(plain)
            near = max((float(vector @ each) for each in own), default=0.0)
            private = float(log_odds(weights.private, of_text(plain, vector)))
            told.append(Told(said, reply, near, private))
        found = log_odds(weights.place, of_places(words, told))
        return [float(each) for each in 1 / (1 + np.exp(-found))]

    async def _vector(self, said: str) -> Floats:
        # Asked for as the repertoire does, so that an embedder that remembers computes it once.
        return (await self._embedder.embed_tokens([said]))[0].vector

    async def _open(self) -> Weights | None:
        """The weights, if they fit the embedder. Raises EngineError."""
        async with self._lock:
            if not self._opened:
                known = await asyncio.to_thread(read)
                vector = (await self._embedder.embed([PROBE]))[0]
                self._opened = True
                self._weights = known if known.suits(vector) else None
            return self._weights


def _text(message: Message | None) -> str:
    return message.text if message else ""
