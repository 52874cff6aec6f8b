r"""Trains models/guards/minilm-guard.onnx: what whole messages are about, if anything grave.

    VENV/bin/pip install torch transformers onnx    (besides what scripts/setup --dev installs)
    VENV/bin/python scripts/train_message_guard.py OUT.onnx [--heads-of FILE.onnx]
        [--held-out PREDICTIONS.npz]

all-MiniLM-L6-v2 with a linear layer over the mean and the maximum of its tokens; its three upper
layers are trained, on what `guard_messages` has; what other heads (`network_heads`) FILE has, OUT
gets too. With --held-out some authors (`held_out`) are not
learnt, and how likely each of their messages is of each kind goes to that file, from which
`fit_message_guard.py` chooses how this classifier and that of sentences are weighed. 12 minutes
on two cores.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from guard_messages import KINDS, examples, held_out, joined, messages, spelled
from onnx_branches import copy_heads
from shrink_onnx import shrink
from torch import nn
from transformers import AutoModel, AutoTokenizer

from companion import config, language
from companion.engines.text_classifier import MOST_TOKENS
from companion.weights.manifest import Manifest

UPPER = 3
"""Layers that are trained; of those below the output is computed once."""

ROUNDS = 4
RATE = 1e-4
BATCH = 2500
"""Tokens."""

WEIGHT = {"talk": 1.0, "own": 0.7, "hand": 1.5, "message": 1.5, "among": 1.0}
"""How much an example counts, by its source."""

GRAVE = 0.8
"""How much all that is grave counts beside all that is not."""

SMOOTHING = 0.02
WIDTH = 384

Texts = Sequence[str]
States = list[Any]
"""For each text a tensor of shape (tokens, `WIDTH`)."""


class Guard(nn.Module):  # type: ignore[misc]  # torch is not installed for the checks
    def __init__(self, folder: Path, kinds: Sequence[str] = KINDS) -> None:
        super().__init__()
        self.kinds = tuple(kinds)
        self.encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
        self.head = nn.Linear(2 * WIDTH, len(kinds))

    def forward(self, input_ids: Any, attention_mask: Any) -> Any:
        read = self.encoder(input_ids=input_ids, attention_mask=attention_mask)
        return self._of(read.last_hidden_state, attention_mask)

    def upper(self, states: Any, mask: Any) -> Any:
        """The logits, from the output of the lower layers."""
        hidden = (1 - mask[:, None, None, :].float()) * -1e4
        for layer in self.encoder.encoder.layer[-UPPER:]:
            found = layer(states, hidden)
            states = found[0] if isinstance(found, tuple) else found
        return self._of(states, mask)

    def _of(self, states: Any, mask: Any) -> Any:
        seen = mask[..., None].float()
        mean = (states * seen).sum(1) / seen.sum(1)
        most = (states + (1 - seen) * -1e4).max(1).values
        return self.head(torch.cat([mean, most], -1))

    def trained(self) -> list[Any]:
        layers = self.encoder.encoder.layer[-UPPER:]
        return [*layers.parameters(), *self.head.parameters()]


def lower(model: Guard, tokenizer: Any, texts: Texts) -> States:
    """What comes out of the lower layers, as float16."""
    ids = [tokenizer(each, truncation=True, max_length=MOST_TOKENS)["input_ids"] for each in texts]
    found: States = [None] * len(ids)
    for batch in of_like_length(range(len(ids)), ids, 2 * BATCH):
        rows = torch.zeros(len(batch), max(len(ids[at]) for at in batch), dtype=torch.long)
        mask = torch.zeros_like(rows)
        for row, at in enumerate(batch):
            rows[row, : len(ids[at])] = torch.tensor(ids[at])
            mask[row, : len(ids[at])] = 1
        with torch.no_grad():
            read = model.encoder(input_ids=rows, attention_mask=mask, output_hidden_states=True)
        states = read.hidden_states[-1 - UPPER]
        for row, at in enumerate(batch):
            found[at] = states[row, : len(ids[at])].half()
    return found


def of_like_length(
    which: Sequence[int], rows: Sequence[Sequence[Any]], most: int
) -> Iterator[list[int]]:
    """Batches of at most so many tokens."""
    batch: list[int] = []
    for at in sorted(which, key=lambda each: len(rows[each])):
        if batch and (len(batch) + 1) * len(rows[at]) > most:
            yield batch
            batch = []
        batch.append(at)
    yield batch


def padded(states: Sequence[Any]) -> tuple[Any, Any]:
    longest = max(len(each) for each in states)
    rows = torch.zeros(len(states), longest, WIDTH)
    mask = torch.zeros(len(states), longest)
    for at, each in enumerate(states):
        rows[at, : len(each)] = each.float()
        mask[at, : len(each)] = 1
    return rows, mask


def train(model: Guard, states: States, kinds: Any, counts: Any) -> None:
    """kinds: index into `KINDS` of each; counts: how much each counts."""
    chance = random.Random(1)
    plan: list[list[int]] = []
    for _ in range(ROUNDS):
        shuffled = chance.sample(range(len(states)), len(states))
        batches = [
            batch
            for begin in range(0, len(shuffled), 800)
            for batch in of_like_length(shuffled[begin : begin + 800], states, BATCH)
        ]
        plan += chance.sample(batches, len(batches))
    optimizer = torch.optim.AdamW(model.trained(), lr=RATE, weight_decay=0.01)
    began, losses = time.monotonic(), []
    model.train()
    for step, batch in enumerate(plan):
        share = step / len(plan)
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (share + 1e-3) / 0.06) * (1 - share)
        logits = model.upper(*padded([states[at] for at in batch]))
        each = nn.functional.cross_entropy(
            logits, kinds[batch], reduction="none", label_smoothing=SMOOTHING
        )
        loss = (each * counts[batch]).mean()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.trained(), 1.0)
        optimizer.step()
        losses.append(loss.item())
        if step % 50 == 49:
            seconds = time.monotonic() - began
            print(f"{step + 1}/{len(plan)} {np.mean(losses[-50:]):.3f} {seconds:.0f} s", flush=True)
    model.eval()


def export(model: Guard, tokenizer: Any, out: Path) -> None:
    pair = tokenizer(["what is it", "it is a dog"], padding=True, return_tensors="pt")
    names = ["input_ids", "attention_mask"]
    axes = {name: {0: "texts", 1: "tokens"} for name in names} | {"logits": {0: "texts"}}
    torch.onnx.export(
        model.eval(), tuple(pair[name] for name in names), str(out), input_names=names,
        output_names=["logits"], dynamic_axes=axes, opset_version=14, dynamo=False,
    )  # fmt: skip
    whole = onnx.load(str(out))
    shrink(whole.graph)
    onnx.helper.set_model_props(whole, {"kinds": " ".join(model.kinds)})
    onnx.checker.check_model(whole)
    onnx.save(whole, str(out))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--heads-of", type=Path, metavar="FILE")
    parser.add_argument("--held-out", type=Path, metavar="PREDICTIONS")
    given = parser.parse_args()
    torch.manual_seed(0)
    language.choose(config.load().language)
    folder = Manifest.load().path("all-minilm-l6-v2", config.load().models_dir)
    tokenizer, model = AutoTokenizer.from_pretrained(folder), Guard(folder).eval()
    found, out = messages(), set(held_out()) if given.held_out else set()
    learnt = examples([each for each in found if each.author not in out])
    kinds = np.array([KINDS.index(kind) for _, kind, _ in learnt])
    counts = np.array([WEIGHT[source] for _, _, source in learnt], np.float32)
    grave = kinds > 0
    counts[grave] *= GRAVE * counts[~grave].sum() / counts[grave].sum()
    counts /= counts.mean()
    print(f"{len(learnt)} examples, {grave.sum()} of them grave", flush=True)
    states = lower(model, tokenizer, [text for text, _, _ in learnt])
    train(model, states, torch.tensor(kinds), torch.tensor(counts))
    export(model, tokenizer, given.out)
    if given.heads_of:
        whole = onnx.load(str(given.out))
        copy_heads(onnx.load(str(given.heads_of)), whole)
        onnx.checker.check_model(whole)
        onnx.save(whole, str(given.out))
    if given.held_out:
        unseen = [joined(spelled(each.text)) for each in found if each.author in out]
        states = lower(model.eval(), tokenizer, unseen)
        logits = np.zeros((len(unseen), len(KINDS)), np.float32)
        for batch in of_like_length(range(len(unseen)), states, BATCH):
            with torch.no_grad():
                logits[batch] = model.upper(*padded([states[at] for at in batch])).numpy()
        np.savez(given.held_out, logits=logits)


if __name__ == "__main__":
    main()
