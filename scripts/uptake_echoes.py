"""Trains what tells which words of a message are repeated (`companion.repertoire.echoes`)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from uptake_messages import Message

from companion.repertoire.echoes import BUCKETS, Echoes

AXES, UNITS = 48, 48
"""Of the token vectors; hidden units."""

HELD_BACK = 0.3
"""Share of units that is left out at each step."""


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
