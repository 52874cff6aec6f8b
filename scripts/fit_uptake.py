"""Fits what a telling is taken up with (companion/repertoire/uptake.npz), or measures it.

    .venv/bin/python scripts/fit_uptake.py [--dry]

Learns from messages of which readers said what a good listener repeats, which of some fifty short
follow-ups fit, and whether a listener is wanted (scripts/uptake/*.jsonl, HOW.md there). Prints
what a fit that knows none of a message's author finds, three folds. Needs torch (`scripts/setup
--dev`); ten minutes on two cores, most of it for the vectors.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from companion import config, language
from companion.acts.acts import ACTS
from companion.acts.reader import ActReader
from companion.answering import Reading
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import TextVectors
from companion.repertoire import uptake
from companion.repertoire.echoes import BUCKETS, Echoes, Runs, runs
from companion.repertoire.uptake import FollowUps

HERE = Path(__file__).resolve().parent / "uptake"
NAME = "Pip"

AXES, UNITS = 48, 48
"""Of the token vectors; hidden units."""

HELD_BACK = 0.3
"""Share of units that is left out at each step."""

SCALES = {"vector": 3.0, "acts": 2.0, "words": 2.0}
"""How much these signs weigh against a penalty that is the same for all."""

FOLDS = 3

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Message:
    """What a reader said of a message."""

    author: str
    said: str
    echo: str
    fits: tuple[str, ...]
    listens: bool
    vectors: TextVectors
    reading: Reading
    runs: Runs

    @property
    def run(self) -> int:
        """The run that is repeated; their number where nothing is; -1 where none is just this."""
        if not self.echo:
            return len(self.runs.runs)
        plain = self.echo.strip(" .,!?")
        begin = self.said.find(plain)
        for at, (first, last) in enumerate(self.runs.runs):
            begins, ends = self.runs.words[first, 0], self.runs.words[last, 1]
            if begins == begin and abs(ends - begin - len(plain)) <= 1:
                return at
        return -1


async def messages() -> list[Message]:
    rows = [
        json.loads(line)
        for file in sorted(HERE.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    base = config.load(profile="laptop")
    language.choose(base.language)
    found = []
    async with open_uncached_embedder(base) as embedder:
        acts = ActReader(embedder, NAME)
        for row in rows:
            vectors = (await embedder.embed_tokens([row["said"]]))[0]
            if (its := runs(row["said"], vectors)) is None:
                continue
            reading = await acts.read(row["said"], row["before"])
            fits, listens = tuple(row["fits"]), row["wants"] == "listen"
            found.append(
                Message(
                    row["author"], row["said"], row["echo"], fits, listens, vectors, reading, its
                )
            )
    return found


class Scorer(nn.Module):  # type: ignore[misc]  # torch is not installed for the checks
    """`Echoes` while it is trained."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.axes = nn.Linear(dimension, AXES)
        self.hidden = nn.Linear(6 * AXES, UNITS)
        self.out = nn.Linear(UNITS, 1)
        self.by_sign = nn.EmbeddingBag(BUCKETS, 1, mode="sum")
        nn.init.zeros_(self.by_sign.weight)
        self.none = nn.Linear(AXES, 1)
        self.drop = nn.Dropout(HELD_BACK)

    def forward(self, message: Message) -> Any:
        its = message.runs
        edges = self.drop(self.axes(torch.tensor(its.edges)))
        begins, ends = edges[:, 0], edges[:, 1]
        beyond = torch.zeros(1, AXES)
        before, after = torch.cat([beyond, ends[:-1]]), torch.cat([begins[1:], beyond])
        sums = torch.cat([beyond, edges.mean(1).cumsum(0)])
        first, last = torch.tensor(its.runs[:, 0]), torch.tensor(its.runs[:, 1])
        mean = (sums[last + 1] - sums[first]) / (last - first + 1)[:, None]
        text = self.axes(torch.tensor(message.vectors.vector))
        every = self.drop(text).expand(len(first), -1)
        parts = [before[first], begins[first], ends[last], after[last], mean, every]
        units = self.drop(torch.relu(self.hidden(torch.cat(parts, 1))))
        scores = self.out(units)[:, 0] + self.by_sign(torch.tensor(its.signs))[:, 0]
        return torch.cat([scores, self.none(text)])


def echoes(learnt: Sequence[Message], *, rounds: int = 12, rate: float = 2e-3) -> Echoes:
    torch.manual_seed(0)
    chance = random.Random(1)
    usable = [each for each in learnt if each.run >= 0]
    scorer = Scorer(len(usable[0].vectors.vector))
    optimizer = torch.optim.AdamW(scorer.parameters(), lr=rate, weight_decay=1e-3)
    scorer.train()
    for done in range(rounds):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - done / rounds)
        shuffled = chance.sample(usable, len(usable))
        for begin in range(0, len(shuffled), 16):
            batch = shuffled[begin : begin + 16]
            losses = [
                nn.functional.cross_entropy(scorer(each)[None], torch.tensor([each.run]))
                for each in batch
            ]
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()
    kept = {name: value.detach().numpy() for name, value in scorer.state_dict().items()}
    return Echoes(
        kept["axes.weight"].T,
        kept["axes.bias"],
        kept["hidden.weight"].T,
        kept["hidden.bias"],
        kept["out.weight"][0],
        float(kept["out.bias"][0]),
        kept["by_sign.weight"][:, 0],
        kept["none.weight"][0],
        float(kept["none.bias"][0]),
    )


def signs_of(message: Message, echo: str) -> Floats:
    return uptake.signs(message.said, message.vectors, echo, message.reading, ACTS)


def scales(signs: int, dimension: int) -> Floats:
    """Of each sign; shape (f,)."""
    found = np.full(signs, SCALES["words"], np.float32)
    found[:dimension] = SCALES["vector"]
    found[dimension : dimension + len(ACTS)] = SCALES["acts"]
    return found


def follow_ups(
    learnt: Sequence[Message], names: Sequence[str], *, rounds: int = 25, rate: float = 3e-3
) -> FollowUps:
    torch.manual_seed(0)
    signs = np.stack([signs_of(each, each.echo) for each in learnt])
    scale = scales(signs.shape[1], len(learnt[0].vectors.vector))
    right = np.array(
        [[name in each.fits for name in names] + [each.listens] for each in learnt], np.float32
    )
    seen, wanted = torch.tensor(signs * scale), torch.tensor(right)
    fit = nn.Linear(seen.shape[1], wanted.shape[1])
    optimizer = torch.optim.AdamW(fit.parameters(), lr=rate, weight_decay=0.01)
    for done in range(rounds):
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - done / rounds)
        for batch in torch.randperm(len(seen)).split(64):
            each = nn.functional.binary_cross_entropy_with_logits(
                fit(seen[batch]), wanted[batch], reduction="none"
            )
            optimizer.zero_grad()
            each.sum(1).mean().backward()
            optimizer.step()
    weights = fit.weight.detach().numpy().T * scale[:, None]
    return FollowUps(tuple(names), ACTS, weights, fit.bias.detach().numpy())


def measure(everything: Sequence[Message], names: Sequence[str]) -> None:
    authors = sorted({each.author for each in everything})
    random.Random(1).shuffle(authors)
    same = overlap = told = first = listens = right = 0
    sure: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        out = set(authors[fold::FOLDS])
        learnt = [each for each in everything if each.author not in out]
        picks, fits = echoes(learnt), follow_ups(learnt, names)
        for each in (one for one in everything if one.author in out):
            echo, _ = picks.best(each.runs, each.vectors.vector)
            likely, listener = fits.certainties(signs_of(each, echo))
            listens += (listener >= uptake.LISTENS) == each.listens
            if each.listens and each.fits:
                best = max(likely, key=likely.__getitem__)
                sure.append((likely[best], best in each.fits))
                first += best in each.fits
            if each.echo:
                told += 1
                same += echo == each.echo
                overlap += bool(echo) and (echo in each.echo or each.echo in echo)
        print(f"fold {fold + 1} of {FOLDS}", flush=True)
    right = len(sure)
    print(f"{len(everything)} messages of {len(authors)} authors")
    print(f"words repeated: the same {same / told:.3f}, one within the other {overlap / told:.3f}")
    print(f"likeliest follow-up fits {first / right:.3f}")
    sure.sort(reverse=True)
    for share in (0.1, 0.25, 0.5):
        part = sure[: int(len(sure) * share)]
        print(f"of the surest {share:.0%} {np.mean([ok for _, ok in part]):.3f}")
    print(f"a listener wanted or not: right {listens / len(everything):.3f}")


def write(picks: Echoes, fits: FollowUps, path: Path = uptake.WEIGHTS) -> None:
    """Two bytes a number. Raises OSError."""
    half = {
        name: getattr(picks, name).astype(np.float16)
        for name in ("axes", "offset", "hidden", "hidden_bias", "out", "by_sign", "none")
    }
    np.savez_compressed(
        path,
        names=np.array(fits.names),
        acts=np.array(fits.acts),
        weights=fits.weights.astype(np.float16),
        bias=fits.bias,
        out_bias=np.float32(picks.out_bias),
        none_bias=np.float32(picks.none_bias),
        **half,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dry", action="store_true", help="only measure")
    given = parser.parse_args()
    names = list(uptake.shipped().follow_ups)
    everything = asyncio.run(messages())
    if given.dry:
        measure(everything, names)
        return
    write(echoes(everything), follow_ups(everything, names))
    print(f"{len(everything)} messages learnt; written to {uptake.WEIGHTS}")


if __name__ == "__main__":
    main()
