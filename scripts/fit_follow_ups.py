"""How surely a remark goes on with a memory, learnt from what readers found to be so no longer.

    .venv/bin/python scripts/fit_follow_ups.py

Each week of scripts/weeks/labels is lived again, without a language model; then every remark is
compared with the memories near it, as the step `follow` does it. What a reader says is so no longer
because of a remark, goes on with it. Prints the weights for `consolidation/follow_up.py`, and, with
weeks left out in turn, of how many memories that hold such a thing the surest later remarks tell
it. Needs the extra sentence-transformers, which brings scikit-learn.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from eval_asked import life_of
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from companion import config, language
from companion.acts.play import Play
from companion.assembly.models import Models, absent_model, open_uncached_embedder
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.consolidation.follow_up import FollowingUp, remark_of
from companion.engines.embedding.cached import CachedEmbedder
from companion.engines.protocols import Embedder
from companion.evaluation.arms import for_arm
from companion.evaluation.qa import days
from companion.store import follow_ups, history

LABELS = Path(__file__).resolve().parent / "weeks" / "labels"
FOLDS = 6
STRENGTH = 0.03
"""C of the regression, on signs of mean 0 and deviation 1."""


class Pair(NamedTuple):
    """A remark and a memory that was told before it."""

    week: str
    memory: int
    signs: dict[str, float]
    gone: bool
    """Whether something that the memory says is so no longer because of the remark."""


async def pairs_of(name: str, embedder: Embedder) -> list[Pair]:
    """Of one week."""
    life, found = life_of(name), []
    labels = [json.loads(line) for line in (LABELS / f"{name}.jsonl").open(encoding="utf-8")]
    changes = [(each["new"], _plain(each["words"])) for each in labels if "old" in each]
    with tempfile.TemporaryDirectory() as folder:
        base = for_arm(config.load(profile="laptop"), "hybrid")
        base = base.model_copy(update={"data_dir": Path(folder)})
        clock = ManualClock(days.first_moment(life.sessions))
        engines = Models(absent_model(base), absent_model(base), CachedEmbedder(embedder))
        async with open_store(base, clock, mode="owner") as store:
            await days.live(base, engines, store, clock, life.sessions, Path(folder), _quiet)
            step = FollowingUp(engines.embedder, store, Play(), base.consolidation.min_confidence)
            lines = [
                text for rows in life.sessions.values() for role, text, _ in rows if role == "user"
            ]
            line = 0
            for session in await store.read(history.sessions):
                turns = await store.read(history.turns, session.id)
                for turn in turns:
                    said = await Play().earnest(turns, turn.number)
                    remark = remark_of(turns, turn.number, said)
                    if remark is None:
                        continue
                    assert turn.user is not None
                    line = lines.index(turn.user.text, line) + 1  # what was taken back is gone
                    gone = [words for new, words in changes if new == line]
                    for each in await step.candidates(turn, remark):
                        text = _plain(each.memory.text)
                        untrue = any(words in text for words in gone)
                        found.append(Pair(name, each.memory.id, dict(each.signs), untrue))
    return found


def _plain(text: str) -> str:
    return " ".join(language.words.words(text.lower()))


def _quiet(line: str) -> None:
    pass


def fitted(x: NDArray[np.float64], gone: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights of the signs as they are, and the bias last."""
    mean, deviation = x.mean(axis=0), x.std(axis=0) + 1e-9
    model = LogisticRegression(C=STRENGTH, max_iter=1000).fit((x - mean) / deviation, gone)
    weights = model.coef_[0] / deviation
    return np.append(weights, model.intercept_[0] - weights @ mean)


def told(pairs: list[Pair], odds: NDArray[np.float64]) -> None:
    """Print how many changes the surest remarks tell, by the share of memories that have any."""
    by_memory: dict[tuple[str, int], list[tuple[float, bool]]] = {}
    for pair, each in zip(pairs, odds, strict=True):
        by_memory.setdefault((pair.week, pair.memory), []).append((float(each), pair.gone))
    surest = [sorted(each, reverse=True)[: follow_ups.MOST] for each in by_memory.values()]
    untrue = sum(any(gone for _, gone in each) for each in by_memory.values())
    for share in (0.1, 0.2, 0.3, 0.4, 0.5):
        least = sorted((each[0][0] for each in surest), reverse=True)[int(share * len(surest))]
        shown = [(odds, gone) for each in surest for odds, gone in each if odds >= least]
        right = sum(any(g and odds >= least for odds, g in each) for each in surest)
        print(f"{share:.0%} of memories (log odds {least:.2f}): {right} of {untrue} changes told, "
              f"{len(shown)} remarks for {len(surest)} memories")  # fmt: skip


async def main() -> None:
    language.choose("en")
    names = sorted(each.stem for each in LABELS.glob("*.jsonl"))
    pairs: list[Pair] = []
    async with open_uncached_embedder(config.load()) as embedder:
        for name in names:
            pairs += await pairs_of(name, embedder)
            print(f"{name}: {len(pairs)} pairs", file=sys.stderr)
    signs = sorted(pairs[0].signs)
    x = np.array([[pair.signs[each] for each in signs] for pair in pairs])
    gone, weeks = np.array([pair.gone for pair in pairs]), np.array([pair.week for pair in pairs])
    odds = np.zeros(len(pairs))
    for left_out in (names[number::FOLDS] for number in range(FOLDS)):
        out = np.isin(weeks, left_out)
        weights = fitted(x[~out], gone[~out])
        odds[out] = x[out] @ weights[:-1] + weights[-1]
    told(pairs, odds)
    weights = fitted(x, gone)
    for each, weight in zip((*signs, "bias"), weights, strict=True):
        print(f'    "{each}": {weight:.3f},')


if __name__ == "__main__":
    asyncio.run(main())
