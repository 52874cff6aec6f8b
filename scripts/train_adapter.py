"""Trains the adapter of a small model: to talk, to read notes, to note what is told, to whisper.

    VENV/bin/pip install torch transformers gguf    (besides what scripts/setup --dev installs)
    VENV/bin/python scripts/train_adapter.py BASE.gguf OUT.gguf [--leave FILE.jsonl ...]

It learns from lines that people wrote by hand (scripts/adapter, with the how-to that each had), in
the very prompts of the program, without their examples. The weights are those of the GGUF,
de-quantized; a low-rank update of every matrix of the upper layers is trained (LoRA, Hu et al.
2021). About an hour on two cores that have bfloat16 instructions, where these are the quicker
ones (measure a product of each kind: of two Xeons one was six times as quick with them, one half).
--leave: files that are not learnt, whose loss is told before and after.

The shipped one was trained in two parts, for want of time: 200 packs of all but the whispers,
notes-2 and memory-2 (shuffled; rate 4e-4, not lowered to its end), then, with --begin, 840 lines at
3.5e-4: 360 of whispers, 165 of notes-2, 160 of memory-2, 155 of the others. Of adapter/reading it
has learnt nothing: trained further on these lines (--data), it reads worse (docs/experiments.md).
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from adapter_file import MATRICES, begin_with, write
from adapter_samples import Sample, heads, samples
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from companion.engines.protocols import ChatMessage

DATA = Path(__file__).resolve().parent / "adapter"

LOWEST = 10
"""Layers below it stay as they are: nothing flows back through them."""

RANK, ALPHA = 8, 16.0
RATE = 4e-4
TOGETHER = 10
"""Exchanges behind one head, none of which sees another."""

STALE = 12
"""Packs after which the keys and values of a head are computed again."""


class Update(nn.Module):  # type: ignore[misc]  # torch is not among the dependencies
    """A frozen matrix with a low-rank update."""

    def __init__(self, frozen: nn.Linear) -> None:
        super().__init__()
        self.frozen = frozen
        self.a = nn.Parameter(torch.randn(RANK, frozen.in_features) / math.sqrt(frozen.in_features))
        self.b = nn.Parameter(torch.zeros(frozen.out_features, RANK))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: shape (..., in); returns (..., out)."""
        low = x @ self.a.to(x.dtype).T
        return self.frozen(x) + (ALPHA / RANK) * (low @ self.b.to(x.dtype).T)


Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor, Any]
"""See `Packs.tensors`."""


class Packs:
    """Samples behind their heads, as one sequence with a mask in which none sees another."""

    def __init__(self, tokenizer: Any, made: dict[str, tuple[ChatMessage, ...]]) -> None:
        self._tokenizer = tokenizer
        self._heads = {name: self._ids(_format(messages)) for name, messages in made.items()}
        self._keys: dict[str, tuple[int, object]] = {}
        self._step = 0

    def _ids(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def of(self, several: Sequence[Sample], chance: random.Random | None) -> list[list[Sample]]:
        """Samples of one head each, in random order."""
        by_head: dict[str, list[Sample]] = {}
        for each in several:
            by_head.setdefault(each.head, []).append(each)
        packs = []
        for same in by_head.values():
            if chance:
                chance.shuffle(same)
            packs += [same[at : at + TOGETHER] for at in range(0, len(same), TOGETHER)]
        if chance:
            chance.shuffle(packs)
        return packs

    def tensors(self, model: Any, pack: Sequence[Sample]) -> Batch:
        """ids (1, n), mask (1, 1, n, h + n), positions (1, n), targets (n,): -100 where nothing is
        learnt; and keys and values of the head, h tokens."""
        head = self._heads[pack[0].head]
        owners = [0] * len(head)
        ids, positions, targets = list[int](), list[int](), list[int]()
        for number, sample in enumerate(pack, start=1):
            asked = self._ids(_format(sample.messages) + "<|im_start|>assistant\n")
            answer = self._ids(f"{sample.answer}<|im_end|>")
            own = [*asked, *answer]
            ids += own
            owners += [number] * len(own)
            positions += range(len(head), len(head) + len(own))
            targets += [-100] * (len(asked) - 1) + answer + [-100]
        owner = torch.tensor(owners)
        sees = (owner[None, :] == owner[:, None]) | (owner == 0)[None, :]
        sees = (sees & torch.ones_like(sees).tril())[len(head) :]
        mask = torch.zeros(sees.shape, dtype=model.dtype)
        mask.masked_fill_(~sees, torch.finfo(model.dtype).min)
        return (
            torch.tensor([ids]),
            mask[None, None],
            torch.tensor([positions]),
            torch.tensor(targets),
            DynamicCache.from_legacy_cache(self._kept(model, pack[0].head)),
        )

    def _kept(self, model: Any, head: str) -> Any:
        """Keys and values of a head, computed anew every STALE packs: nothing flows back there."""
        self._step += 1
        step, kept = self._keys.get(head, (-STALE, None))
        if self._step - step >= STALE:
            with torch.no_grad():
                found = model.model(input_ids=torch.tensor([self._heads[head]]), use_cache=True)
            kept = found.past_key_values.to_legacy_cache()
            self._keys[head] = (self._step, kept)
        return kept


def _format(messages: Sequence[ChatMessage]) -> str:
    return "".join(f"<|im_start|>{m.role}\n{m.text}<|im_end|>\n" for m in messages)


def loss_of(model: Any, batch: Batch) -> tuple[torch.Tensor, int]:
    """The mean loss of the answers' tokens, and how many they are."""
    ids, mask, positions, targets, kept = batch
    hidden = model.model(
        input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=kept
    )[0][0]
    learnt = targets != -100
    logits = model.lm_head(hidden[learnt]).float()
    return nn.functional.cross_entropy(logits, targets[learnt]), int(learnt.sum())


def mean_loss(model: Any, packs: Packs, several: Sequence[Sample]) -> float:
    total = count = 0.0
    with torch.no_grad():
        for pack in packs.of(several, None):
            loss, tokens = loss_of(model, packs.tensors(model, pack))
            total, count = total + float(loss) * tokens, count + tokens
    return total / max(count, 1)


def loaded(base: Path, dtype: torch.dtype) -> tuple[Any, Any]:
    """Model and tokenizer of a GGUF, with updates over the matrices of the upper layers."""
    folder, name = base.parent, base.name
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=dtype)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    model.requires_grad_(False)
    for layer in range(LOWEST, model.config.num_hidden_layers):
        for path in MATRICES:
            parent, _, last = path.rpartition(".")
            owner = model.model.layers[layer].get_submodule(parent)
            setattr(owner, last, Update(getattr(owner, last)))
    return model, tokenizer


def learn(model: Any, packs: Packs, order: Sequence[Sequence[Sample]], most: float) -> None:
    """One step for each pack. most: the highest rate."""
    own = [p for p in model.parameters() if p.requires_grad]
    size = sum(p.numel() for p in own) / 1e6
    print(f"{len(order)} packs, {size:.1f} million numbers", flush=True)
    optimizer = torch.optim.AdamW(own, lr=most, betas=(0.9, 0.98), weight_decay=0.0)
    began, tokens, running = time.monotonic(), 0, 0.0
    for step, pack in enumerate(order):
        warm, done = min(1.0, (step + 1) / 12), step / len(order)
        for group in optimizer.param_groups:
            group["lr"] = most * warm * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done)))
        batch = packs.tensors(model, pack)
        loss, _ = loss_of(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(own, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += batch[0].shape[1]
        value = float(loss.detach())
        running = value if not step else 0.95 * running + 0.05 * value
        if step % 5 == 0:
            rate = tokens / (time.monotonic() - began)
            print(f"{step}/{len(order)} loss {running:.3f}, {rate:.0f} tokens a second", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--leave", nargs="*", default=[], help="files that are not learnt")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with what is learnt")
    parser.add_argument("--begin", type=Path, help="an adapter that is trained further")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--float32", action="store_true", help="where it is the quicker one")
    chosen = parser.parse_args()
    chance = random.Random(1)
    torch.manual_seed(1)
    dtype = torch.float32 if chosen.float32 else torch.bfloat16
    model, tokenizer = loaded(chosen.base, dtype)
    if chosen.begin is not None:
        begin_with(model, chosen.begin)
    files = sorted(chosen.data.glob("*.jsonl"))
    left = [file for file in files if file.name in chosen.leave]
    learnt = list(samples([file for file in files if file not in left], chance))
    kept_out = list(samples(left, chance))
    ages = (int(each.head[4:]) for each in (*learnt, *kept_out) if each.head.startswith("age "))
    packs = Packs(tokenizer, heads(ages, chance))
    if kept_out:
        print(f"kept out, before: {mean_loss(model, packs, kept_out):.3f}", flush=True)
    learn(model, packs, packs.of(learnt, chance), chosen.rate)
    write(model, chosen.out, LOWEST, model.config.num_hidden_layers, ALPHA)
    if kept_out:
        print(f"kept out, after: {mean_loss(model, packs, kept_out):.3f}", flush=True)


if __name__ == "__main__":
    main()
