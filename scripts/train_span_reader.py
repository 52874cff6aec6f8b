r"""Trains models/readers/minilm-reader.onnx: which words of a passage answer a question, if any.

    VENV/bin/pip install torch transformers onnx    (besides what scripts/setup --dev installs)
    .venv/bin/python scripts/adapter_prompts.py PROMPTS
    VENV/bin/python scripts/train_span_reader.py OUT.onnx --qamr CHECKOUT --friends CHECKOUT \
        --prompts PROMPTS

all-MiniLM-L6-v2 with two numbers for each token, trained as in Devlin et al. 2019 (section 4.3);
the word vectors stay as they are. First two rounds over the public sets, then three over our own
lines and a few of the public ones (`span_examples`). 45 minutes on two cores. The shipped one was
trained by these steps before they were put together here.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnx
import torch
from shrink_onnx import shrink
from span_examples import Example, aligned, friends, marked, qamr
from torch import nn
from transformers import AutoModel, AutoTokenizer

from companion import config
from companion.weights.manifest import Manifest

MOST_TOKENS = 160
BATCH = 3000
"""Tokens."""

WIDTH = 384
PUBLIC = 3000
"""Of the public lines, shown again beside our own."""


class Features(NamedTuple):
    """A pair as tokens; start, end: of the answer, 0: it is not there."""

    ids: list[int]
    kinds: list[int]
    start: int
    end: int


class Reader(nn.Module):  # type: ignore[misc]  # torch is not installed for the checks
    """Begin and end of the answer, for each token."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        self.encoder.embeddings.word_embeddings.weight.requires_grad = False
        self.head = nn.Linear(WIDTH, 2)

    def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
        read = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        )
        return self.head(read.last_hidden_state)


def features(tokenizer: Any, examples: Iterable[Example]) -> list[Features]:
    found = []
    for each in examples:
        read = tokenizer(
            each.question,
            each.passage,
            truncation="only_second",
            max_length=MOST_TOKENS,
            return_offsets_mapping=True,
        )
        kinds = read["token_type_ids"]
        inside = [
            at
            for at, (a, b) in enumerate(read["offset_mapping"])
            if kinds[at] == 1 and b > a and a < each.end and b > each.start
        ]
        if each.start < 0:
            found.append(Features(read["input_ids"], kinds, 0, 0))
        elif inside:
            found.append(Features(read["input_ids"], kinds, inside[0], inside[-1]))
    return found


def batches(rows: Sequence[Features], chance: random.Random) -> list[list[Features]]:
    """Of like length, shuffled."""
    shuffled = chance.sample(list(rows), len(rows))
    found: list[list[Features]] = []
    for begin in range(0, len(shuffled), 800):
        batch: list[Features] = []
        for each in sorted(shuffled[begin : begin + 800], key=lambda row: len(row.ids)):
            if batch and (len(batch) + 1) * len(each.ids) > BATCH:
                found.append(batch)
                batch = []
            batch.append(each)
        found.append(batch)
    chance.shuffle(found)
    return found


def loss_of(model: Reader, batch: Sequence[Features]) -> Any:
    longest = max(len(each.ids) for each in batch)
    ids, kinds, mask = (torch.zeros(len(batch), longest, dtype=torch.long) for _ in range(3))
    for row, each in enumerate(batch):
        ids[row, : len(each.ids)] = torch.tensor(each.ids)
        kinds[row, : len(each.ids)] = torch.tensor(each.kinds)
        mask[row, : len(each.ids)] = 1
    allowed = (kinds == 1) & (mask == 1)
    allowed[:, 0] = True
    logits = model(ids, mask, kinds).masked_fill(~allowed[..., None], -1e4)
    wanted = torch.tensor([[each.start, each.end] for each in batch])
    return nn.functional.cross_entropy(logits, wanted)


def train(model: Reader, rows: Sequence[Features], rounds: int, rate: float) -> None:
    chance = random.Random(1)
    weights = [each for each in model.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=rate, weight_decay=0.01)
    plan = [batch for _ in range(rounds) for batch in batches(rows, chance)]
    began, losses = time.monotonic(), []
    for step, batch in enumerate(plan):
        share = step / len(plan)
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (share + 1e-3) / 0.06) * (1 - share)
        loss = loss_of(model, batch)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 50 == 49:
            seconds = time.monotonic() - began
            print(f"{step + 1}/{len(plan)} {np.mean(losses[-50:]):.3f} {seconds:.0f} s", flush=True)


def export(model: Reader, tokenizer: Any, out: Path) -> None:
    """As float32, then with every large matrix as int8."""
    names = ["input_ids", "attention_mask", "token_type_ids"]
    pair = tokenizer("what is it", "it is a dog", return_tensors="pt")
    axes = {name: {0: "passages", 1: "tokens"} for name in [*names, "logits"]}
    torch.onnx.export(
        model.eval(), tuple(pair[name] for name in names), str(out), input_names=names,
        output_names=["logits"], dynamic_axes=axes, opset_version=14, dynamo=False,
    )  # fmt: skip
    whole = onnx.load(str(out))
    shrink(whole.graph)
    onnx.checker.check_model(whole)
    onnx.save(whole, str(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    for name in ("--qamr", "--friends", "--prompts"):
        parser.add_argument(name, type=Path, required=True)
    given = parser.parse_args()
    chance = random.Random(5)
    torch.manual_seed(0)
    folder = Manifest.load().path("all-minilm-l6-v2", config.load().models_dir)
    tokenizer, model = AutoTokenizer.from_pretrained(folder), Reader(folder)
    public = [*qamr(given.qamr, chance), *friends(given.friends, chance)]
    train(model, features(tokenizer, public), 2, 1.2e-4)
    own = [*aligned(given.prompts, chance), *marked(chance), *marked(chance)]
    train(model, features(tokenizer, own + chance.sample(public, PUBLIC)), 3, 8e-5)
    export(model, tokenizer, given.out)


if __name__ == "__main__":
    main()
