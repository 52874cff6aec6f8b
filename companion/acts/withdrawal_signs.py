"""What `companion.acts.withdrawals` sees of a message, and of what was said before it. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion import language
from companion.acts.features import VECTOR, WORDS, Floats
from companion.safety.char_ngrams import hashed_ngrams

DISTANCES = 6
"""Exchanges back that are told apart; all that lie further back count as one."""


def of_text(said: str, vector: Floats) -> Floats:
    """Of what was told. Shape (f,). said: in the spelling of `wording`; vector: of it, shape
    (d,)."""
    return np.concatenate([VECTOR * vector, WORDS * hashed_ngrams([said])[0]])


def of_asking(words: str, said: str, vector: Floats) -> Floats:
    """Of a message, or a sentence of one, that may ask to forget. Shape (f + 4,). words: as they
    were said; the rest as in `of_text`."""
    length = len(said.split())
    marks = (math.log(length + 1) / 2, length <= 3, length <= 6)
    asks = language.correction.withdraws(words)
    return np.append(of_text(said, vector), np.array([*marks, asks], np.float32))


@dataclass(frozen=True)
class Told:
    """An exchange before a message."""

    words: str
    """The person's."""

    reply: str
    """What the toy said to it, or ""."""

    near: float
    """Cosine of the person's words and the message's nearest sentence."""

    private: float
    """Log odds that words like these are what somebody wants back."""


def of_places(message: str, before: Sequence[Told]) -> Floats:
    """Of each exchange, beside the others: shape (n, DISTANCES + 12). before: the latest last."""
    parts = language.sentences.split(message) or [message]
    held = language.words.stems(message)
    weight = len(language.words.content(message)) / 10
    alone = language.correction.takes_back_the_turn_before(message)
    shared = [_common(held, each.words) for each in before]
    nearest = max(each.near for each in before)
    most, likeliest = max(shared), max(each.private for each in before)
    rows = []
    for number, each in enumerate(before):
        back = len(before) - 1 - number
        last = back == 0
        rows.append(
            [
                *(min(back, DISTANCES - 1) == distance for distance in range(DISTANCES)),
                shared[number] / 2,
                shared[number] == most > 0,
                (most - shared[number]) / 2,
                3 * each.near,
                3 * (nearest - each.near),
                bool(held & language.words.names(each.words)),
                _common(held, each.reply) / 2,
                weight,
                weight * last,
                len(parts) / 5 * last,
                alone and last,
                each.private,
                likeliest - each.private,
            ]
        )
    return np.array(rows, np.float32)


def _common(held: frozenset[str], text: str) -> int:
    return len(held & set(language.words.content(text)))
