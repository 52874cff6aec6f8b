"""What a person says in earnest, and what in play: in a role, a made-up story, a joke.

"My leg's snapped, get the stretcher!" is no memory, and "my knee hurts, stop a sec" in the middle
of the same game is one. A head of the guard's network reads each sentence with the talk before it
(`scripts/train_play_network.py`). Where there is no network, or it cannot read, tables of words
decide (`language.pretend_play`). Health is never taken for play: a joke that is missed is the
smaller harm.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.engines.protocols import TextClassifier
from companion.errors import EngineError
from companion.records import Turn
from companion.safety.classifier_weights import log_odds
from companion.safety.pretending import Exchange

logger = logging.getLogger(__name__)

Odds = NDArray[np.float64]

Pair = tuple[str, str]
"""The talk before some words, and the words."""

KINDS = ("real", "play")
"""Of the network."""

BACK = 2
"""Exchanges before a message that are read."""

_BEFORE, _WORDS = 170, 170
"""Characters, so that both fit into what the network reads at once (`text_classifier`)."""

OF_WHOLE = 0.5
"""Share of the whole message in the log odds of a sentence of it."""

MAY_PLAY = -4.0
"""Log odds of the whole message below which its sentences are not asked about: of eight weeks' 756
messages of several sentences 127 are, and of 90 sentences in play 89 are found."""

_KEPT = 4000
"""How often what was found is kept."""

PLAYS = 1.0
"""Log odds from which a sentence is play."""


class Play:
    """Reads turns. Several steps of a night ask of the same ones: what was found is kept, under
    digests, and nothing of the words."""

    def __init__(self, network: TextClassifier | None = None) -> None:
        """network: reads a `Pair`, as one of `KINDS`; None: the tables decide."""
        self._network = network
        self._found: dict[bytes, Odds] = {}

    async def earnest(self, turns: Sequence[Turn], number: int) -> str:
        """What turn `number` says in earnest, as it stands there; "" where all of it is play.
        turns: some before it, and the one after it, which may take it back as a joke."""
        turn = next((each for each in turns if each.number == number), None)
        if turn is None or turn.user is None:
            return ""
        words = turn.user.text
        pairs = pairs_of(exchanges(turns, number), words)
        odds = await self._odds(pairs[:1])
        if odds is not None and odds[0] >= MAY_PLAY and len(pairs) > 1:
            parts = await self._odds(pairs[1:])
            odds = None if parts is None else np.concatenate([odds, parts])
        if odds is None:
            return by_tables(turns, number)
        if language.pretend_play.is_taken_back(turns, number):
            return ""
        return earnest_of(words, odds)

    async def in_earnest(self, turns: Sequence[Turn], turn: Turn) -> Turn:
        """A turn with only what it says in earnest. turns: see `earnest`."""
        if turn.user is None:
            return turn
        said = await self.earnest(turns, turn.number)
        return replace(turn, user=replace(turn.user, text=said))

    async def _odds(self, pairs: Sequence[Pair]) -> Odds | None:
        """Shape (n,): log odds of play; None where nothing can tell."""
        if self._network is None:
            return None
        read = [cut(each) for each in pairs]
        digest = hashlib.sha256(repr(read).encode()).digest()
        if digest not in self._found:
            try:
                found = await self._network.classify(read)
                if len(found) != len(read):  # of what is too long for one reading the first counts
                    found = [(await self._network.classify([each]))[0] for each in read]
            except EngineError as error:
                logger.error("what is play is read by tables alone: %s", error)
                return None
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[digest] = np.array([log_odds(each["play"]) for each in found])
        return self._found[digest]


def earnest_of(words: str, odds: Odds) -> str:
    """The longest stretch of a message that is in earnest; a memory quotes it as it stands. odds:
    of play, for each of `pairs_of`, or for the whole alone."""
    spans = [(0, len(words))]
    if len(odds) > 1:
        spans = language.sentences.spans(words)
        odds = odds[1:] * (1 - OF_WHOLE) + odds[0] * OF_WHOLE
    so = [
        play < PLAYS or language.dietary.HEALTH.search(words[start:end]) is not None
        for (start, end), play in zip(spans, odds, strict=True)
    ]
    if all(so):
        return words
    runs = [list(run) for kept, run in groupby(range(len(so)), so.__getitem__) if kept]
    stretches = [words[spans[run[0]][0] : spans[run[-1]][1]] for run in runs]
    return max(stretches, key=len, default="")


def pairs_of(before: Sequence[Exchange], words: str) -> list[Pair]:
    """What is read of a message: the whole, and where it has several sentences each of them, with
    those before it. before: exchanges, oldest first."""
    talk = " ".join(part for exchange in before[-BACK:] for part in exchange if part)
    parts = language.sentences.split(words)
    found = [(talk, words)]
    if len(parts) > 1:
        found += [(" ".join([talk, *parts[:at]]), part) for at, part in enumerate(parts)]
    return found


def cut(pair: Pair) -> Pair:
    """As it is read: the end of the talk, and the beginning of the words."""
    before, words = pair
    return before[-_BEFORE:].lower(), words[:_WORDS].lower()


def exchanges(turns: Sequence[Turn], number: int) -> list[Exchange]:
    """Those before a turn, oldest first; nothing of what a guard stopped."""
    return [
        (turn.user.text, turn.reply.text if turn.reply is not None else None)
        for turn in turns
        if turn.number < number and turn.user is not None and turn.stopped is None
    ]


def by_tables(turns: Sequence[Turn], number: int) -> str:
    """See `Play.earnest`."""
    turn = next(each for each in turns if each.number == number)
    assert turn.user is not None
    if not language.pretend_play.is_play(turns, number):
        return language.pretend_play.after_it_closes(turns, number)
    told = language.pretend_play.before_it_opens(turn.user.text)
    earlier = [each for each in turns if each.number < number]
    so_far = replace(turn, user=replace(turn.user, text=told))
    still = language.pretend_play.is_play([*earlier, so_far], number)
    return "" if still else told
