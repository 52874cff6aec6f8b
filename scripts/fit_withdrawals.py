"""Fits what tells that something is to be forgotten (`companion/acts/withdrawals.npz`).

    .venv/bin/python scripts/fit_withdrawals.py [--dry] [--wrong]
    .venv/bin/python scripts/fit_withdrawals.py --test FILE... [--wrong]

Learns from talks that strangers wrote for it (scripts/acts/withdrawals, HOW.md), against all that
is told in written weeks and ordinary talk. Prints, by rules alone and by weights that saw nothing
of the author, what is taken for a wish to forget, and which exchanges go along; `--test`: the same
by the shipped weights, for sets that were not learnt. About four minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from fit_acts import NAME, Floats, vectors_of
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from withdrawal_pieces import Piece, of_hands, of_talk, of_weeks, with_before

from companion import config, language
from companion.acts.withdrawal_signs import Told, of_asking, of_places, of_text
from companion.acts.withdrawals import (
    BACK,
    MEANT,
    PERHAPS,
    SURE,
    SURE_BY_RULE,
    Weights,
    log_odds,
    read,
)
from companion.assembly.models import open_uncached_embedder
from companion.engines.embedding.probe import PROBE
from companion.safety.wording import wording

Rows = NDArray[np.bool_]

HANDS = Path(__file__).parent / "acts" / "withdrawals"

ASKING, PRIVATE, PLACE = 0.1, 0.02, 1.0
"""How far each regression is free (`C`)."""

ROUNDS = 4
"""How often the sentence of a message that asks is chosen anew."""


class Seen:
    """What the regressions see of pieces."""

    def __init__(self, pieces: Sequence[Piece], vectors: dict[str, Floats]) -> None:
        self.pieces = pieces
        self._vectors = vectors
        self._told: dict[str, Floats] = {}
        self.asks = np.array([each.asks for each in pieces])
        self.author = np.array([each.author for each in pieces])
        self.kind = np.array([each.kind for each in pieces])
        self.messages = np.stack([self._asking(each.words) for each in pieces])
        parts = [language.sentences.split(each.words) or [each.words] for each in pieces]
        self.owner = np.repeat(np.arange(len(pieces)), [len(each) for each in parts])
        self.sentences = np.stack([self._asking(part) for each in parts for part in each])

    def _asking(self, words: str) -> Floats:
        said = plain(words)
        return of_asking(words, said, self._vectors[said])

    def told(self, words: str) -> Floats:
        """Shape (f,)."""
        if words not in self._told:
            said = plain(words)
            self._told[words] = of_text(said, self._vectors[said])
        return self._told[words]

    def private(self, piece: Piece) -> Floats:
        """Of each exchange before, shape (n, f)."""
        return np.stack([self.told(words) for words, _ in piece.before])

    def places(self, piece: Piece, private: Floats) -> Floats:
        own = [self._vectors[plain(each)] for each in language.sentences.split(piece.words)]
        told = []
        for (said, reply), odds in zip(piece.before, private, strict=True):
            vector = self._vectors[plain(said)]
            near = max((float(vector @ each) for each in own), default=0.0)
            told.append(Told(said, reply, near, float(odds)))
        return of_places(piece.words, told)


def plain(words: str) -> str:
    return wording(words, NAME) or words


def texts(pieces: Sequence[Piece]) -> set[str]:
    found = set()
    for each in pieces:
        found |= {plain(said) for said, _ in each.before}
        found |= {plain(part) for part in (each.words, *language.sentences.split(each.words))}
    return found


def fit(x: Floats, wanted: Rows, freedom: float, *, evenly: bool = True) -> Floats:
    """Shape (f + 1,). evenly: what is wanted weighs as much as all else."""
    weight = "balanced" if evenly else None
    model = LogisticRegression(C=freedom, max_iter=400, class_weight=weight).fit(x, wanted)
    return np.append(model.coef_[0], model.intercept_[0]).astype(np.float32)


def fit_sentences(seen: Seen, rows: Rows) -> Floats:
    """Of a message that asks one sentence does: the likeliest, chosen in turns with the fit."""
    inside = rows[seen.owner]
    x, owner = seen.sentences[inside], seen.owner[inside]
    asks = seen.asks[owner]
    chosen = asks.copy()
    weights = np.zeros(x.shape[1] + 1, np.float32)
    for _ in range(ROUNDS):
        used = ~asks | chosen
        weights = fit(x[used], chosen[used], ASKING)
        odds = log_odds(weights, x)
        chosen = np.zeros_like(asks)
        for each in np.unique(owner[asks]):
            of_it = np.flatnonzero(owner == each)
            chosen[of_it[odds[of_it].argmax()]] = True
    return weights


def learn(seen: Seen, rows: Rows, probe: Floats) -> Weights:
    message = fit(seen.messages[rows], seen.asks[rows], ASKING)
    sentence = fit_sentences(seen, rows)
    used = [each for each, row in zip(seen.pieces, rows, strict=True) if row]
    told = in_a_week(used)
    private = fit_private(seen, used, "")
    places, wanted = [], []
    for author in sorted({each.author for each in told}):
        # What the second layer learns from saw nothing of the author.
        weights = fit_private(seen, used, author)
        for each in told:
            if each.author == author:
                places.append(seen.places(each, log_odds(weights, seen.private(each))))
                wanted.append(marks(each))
    place = fit(np.concatenate(places), np.concatenate(wanted), PLACE, evenly=False)
    return Weights(message, sentence, private, place, probe)


def in_a_week(pieces: Sequence[Piece]) -> list[Piece]:
    """All that ask and have something before them, those of hands with a week's talk ahead, since
    a day of real talk is longer and holds more that sounds private."""
    chance = random.Random(0)
    week = [(each.words, "") for each in pieces if each.kind == "a week"]
    found = []
    for each in pieces:
        if not (each.asks and each.before):
            continue
        more = BACK - len(each.before) if each.kind == "asks to forget" else 0
        more = chance.randint(0, more)
        at = chance.randrange(len(week) - more)
        meant = frozenset(number + more for number in each.meant)
        found.append(replace(each, before=(*week[at : at + more], *each.before), meant=meant))
    return found


def fit_private(seen: Seen, pieces: Sequence[Piece], without: str) -> Floats:
    """What was meant, against all else that was told. without: an author who is left out."""
    asking = [each for each in pieces if each.asks and each.before and each.author != without]
    meant = {each.before[at][0] for each in asking for at in each.meant}
    other = {words for each in asking for words, _ in each.before}
    other |= {
        each.words
        for each in pieces
        if not each.asks and each.author != without and each.kind == "a week"
    }
    told = [*sorted(meant), *sorted(other - meant)]
    x = np.stack([seen.told(each) for each in told])
    return fit(x, np.arange(len(told)) < len(meant), PRIVATE)


def marks(piece: Piece) -> Rows:
    return np.array([at in piece.meant for at in range(len(piece.before))])


def asked(seen: Seen, weights: Weights) -> Floats:
    """Log odds that each piece asks."""
    parts = log_odds(weights.sentence, seen.sentences)
    best = np.full(len(seen.pieces), -np.inf, np.float32)
    np.maximum.at(best, seen.owner, parts)
    return np.asarray((best + log_odds(weights.message, seen.messages)) / 2, np.float32)


def taken(seen: Seen, piece: Piece, weights: Weights) -> frozenset[int]:
    private = log_odds(weights.private, seen.private(piece))
    likely = 1 / (1 + np.exp(-log_odds(weights.place, seen.places(piece, private))))
    return frozenset(map(int, np.flatnonzero(likely >= MEANT)))


def by_rule(piece: Piece) -> frozenset[int]:
    before = language.correction.takes_back_the_turn_before(piece.words)
    return frozenset({len(piece.before) - 1}) if before else frozenset()


def tell(seen: Seen, odds: Floats, along: Sequence[frozenset[int]], *, wrong: bool) -> None:
    """along: of each piece that has exchanges before it and asks, in order."""
    rule = np.array([language.correction.withdraws(each.words) for each in seen.pieces])
    likely = 1 / (1 + np.exp(-odds))
    heard = likely >= np.where(rule, SURE_BY_RULE, SURE)
    asked_about = ~heard & (likely >= PERHAPS)
    print(f"{'':<18}{'':>6}{'by rule':>9}{'now':>6}{'asked about':>13}")
    for kind in sorted(set(seen.kind)):
        rows = seen.kind == kind
        counts = f"{rule[rows].sum():>9}{heard[rows].sum():>6}{asked_about[rows].sum():>13}"
        print(f"{kind:<18}{rows.sum():>6}{counts}")
    asking = with_before(seen.pieces)
    for name, found in (("by rule", [by_rule(each) for each in asking]), ("now", along)):
        for kind in sorted({each.kind for each in asking}):
            of_it = [(a, each) for a, each in zip(found, asking, strict=True) if each.kind == kind]
            exact = sum(a == each.meant for a, each in of_it)
            gone = sum(a >= each.meant for a, each in of_it)
            more = sum(len(a - each.meant) for a, each in of_it)
            print(
                f"{kind}, {name}: all that is meant goes {gone} of {len(of_it)}, just it {exact}; "
                f"{more} exchanges beside it"
            )
    if wrong:
        for at in np.flatnonzero(heard != seen.asks):
            print(f"{likely[at]:.2f} {seen.kind[at]}: {seen.pieces[int(at)].words!r}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--test", type=Path, nargs="+", help="sets for the shipped weights")
    parser.add_argument("--wrong", action="store_true", help="list what is taken for the other")
    arguments = parser.parse_args()
    if arguments.test:
        pieces = of_hands(arguments.test)
    else:
        pieces = [*of_hands(sorted(HANDS.glob("*.jsonl"))), *of_weeks(), *of_talk()]
    pieces = list({each.words.strip().lower(): each for each in reversed(pieces)}.values())[::-1]
    async with open_uncached_embedder(config.load()) as embedder:
        vectors = await vectors_of(texts(pieces), embedder)
        probe = (await embedder.embed([PROBE]))[0]
    seen = Seen(pieces, vectors)
    asking = with_before(pieces)
    if arguments.test:
        weights = read()
        along = [taken(seen, each, weights) for each in asking]
        tell(seen, asked(seen, weights), along, wrong=arguments.wrong)
        return
    odds = np.zeros(len(pieces), np.float32)
    gone: dict[int, frozenset[int]] = {}
    hands = sorted({each.author for each in asking if each.kind == "asks to forget"})
    others = np.random.default_rng(0).permutation(sorted({*seen.author} - {*hands}))
    for hand, some in zip(hands, np.array_split(others, len(hands)), strict=True):
        out = np.isin(seen.author, [hand, *some])
        weights = learn(seen, ~out, probe)
        odds[out] = asked(seen, weights)[out]
        for each in asking:
            if each.author in (hand, *some):
                gone[id(each)] = taken(seen, each, weights)
        print(f"{hand} left out", flush=True)
    tell(seen, odds, [gone[id(each)] for each in asking], wrong=arguments.wrong)
    if not arguments.dry:
        learn(seen, np.ones(len(pieces), bool), probe).write()
        print("wrote companion/acts/withdrawals.npz")


if __name__ == "__main__":
    asyncio.run(main())
