"""Fits what a telling is taken up with (companion/repertoire/uptake.npz), or measures it.

    .venv/bin/python scripts/fit_uptake.py [--dry [--states FILE.npz]]

Learns from messages of which readers said what a good listener repeats, which of some fifty short
follow-ups fit, and whether a listener is wanted (scripts/uptake/*.jsonl, HOW.md there). Prints
what a fit that knows none of a message's author finds, three folds. Needs torch (`scripts/setup
--dev`); ten minutes on two cores, most of it for the vectors.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Sequence
from pathlib import Path

import message_states
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from uptake_echoes import echoes
from uptake_messages import Message, messages

from companion.acts.acts import ACTS
from companion.repertoire import uptake
from companion.repertoire.echoes import Echoes
from companion.repertoire.uptake import FollowUps

SCALES = {"vector": 3.0, "acts": 2.0, "words": 2.0, "state": 0.1}
"""How much these signs weigh against a penalty that is the same for all; each number of a state by
its spread."""

FOLDS = 3

Floats = NDArray[np.float32]


def signs_of(message: Message, echo: str) -> Floats:
    own = uptake.signs(message.said, message.vectors, echo, message.reading, ACTS)
    return own if message.state is None else np.concatenate([own, message.state])


def scales(learnt: Sequence[Message], seen: Floats) -> Floats:
    """Of each sign; shape (f,). seen: their signs, shape (n, f)."""
    dimension, state = len(learnt[0].vectors.vector), learnt[0].state
    found = np.full(seen.shape[1], SCALES["words"], np.float32)
    found[:dimension] = SCALES["vector"]
    found[dimension : dimension + len(ACTS)] = SCALES["acts"]
    if state is not None:
        spread = seen[:, -len(state) :].std(axis=0)
        found[-len(state) :] = SCALES["state"] / spread.clip(min=1e-3)
    return found


def follow_ups(learnt: Sequence[Message], names: Sequence[str], *, rounds: int = 25) -> FollowUps:
    """With the state of a language model, if it was read: then it is fitted less far, so that its
    certainties can be believed."""
    torch.manual_seed(0)
    rows = np.stack([signs_of(each, each.echo) for each in learnt])
    scale = scales(learnt, rows)
    middle = np.zeros_like(scale)
    if (state := learnt[0].state) is not None:
        middle[-len(state) :] = rows[:, -len(state) :].mean(axis=0)
    right = np.array(
        [[name in each.fits for name in names] + [each.listens] for each in learnt], np.float32
    )
    seen, wanted = torch.tensor((rows - middle) * scale), torch.tensor(right)
    fit = nn.Linear(seen.shape[1], wanted.shape[1])
    rate, decay = (3e-3, 0.01) if state is None else (1e-3, 0.1)
    optimizer = torch.optim.AdamW(fit.parameters(), lr=rate, weight_decay=decay)
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
    bias = fit.bias.detach().numpy() - middle @ weights
    return FollowUps(tuple(names), ACTS, weights, bias)


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
    parser.add_argument("--states", type=Path, help="of message_states.py; only measured")
    given = parser.parse_args()
    names = list(uptake.shipped().follow_ups)
    states = list(message_states.read(given.states, "uptake")) if given.states else []
    everything = asyncio.run(messages(states))
    if given.dry or states:
        measure(everything, names)
        return
    write(echoes(everything), follow_ups(everything, names))
    print(f"{len(everything)} messages learnt; written to {uptake.WEIGHTS}")


if __name__ == "__main__":
    main()
