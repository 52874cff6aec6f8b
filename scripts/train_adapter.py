"""Trains the adapter of a small model: how it talks, reads notes, and notes what is told.

    VENV/bin/pip install torch transformers gguf pydantic pyyaml apsw-sqlite3mc
    VENV/bin/python scripts/train_adapter.py BASE.gguf OUT.gguf [--most 200] [--leave f.jsonl ...]

It learns from exchanges that people wrote (scripts/adapter/*.jsonl, scripts/adapter/HOW.md), in
the very prompts of `companion.dialog` and `companion.consolidation`, without their examples. The
weights are those of the GGUF, de-quantized; a low-rank update of every matrix of the upper layers
is trained (LoRA, Hu et al. 2021) and written as llama.cpp loads it. Forty minutes on two cores with
bfloat16 instructions. --leave: files that are not learnt, whose loss is told before and after.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from adapter_file import MATRICES, begin_with, write
from torch import nn
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache

from companion.assist import answer
from companion.config import PersonaSection
from companion.consolidation import prompts
from companion.dialog.abilities import Abilities
from companion.dialog.persona import head_of
from companion.dialog.prompt import now_line, user_text
from companion.engines.protocols import ChatMessage
from companion.records import Profile

DATA = Path(__file__).resolve().parent / "adapter"

LOWEST = 10
"""Layers below it stay as they are: nothing flows back through them."""

RANK, ALPHA = 8, 16.0
RATE = 4e-4
TOGETHER = 10
"""Exchanges behind one head, none of which sees another."""

STALE = 12
"""Packs after which the keys and values of a head are computed again."""

WITH_DAY, WITH_NOTES = 0.35, 0.1
"""How often a talk's first message begins with the day, and any with notes beside the point."""

MOMENTS = ("morning", "afternoon", "evening", "night")
NAMES = ("Ida", "Sam", "Noor", "Luca", "Wren", "Tariq", "Mei", "Jonas", "Ada", "Kofi")


@dataclass(frozen=True)
class Sample:
    """What stands behind the head, and the answer that is learnt."""

    head: str
    """Which head: samples of one head are packed together."""

    messages: tuple[ChatMessage, ...]
    answer: str


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


def heads(ages: Iterable[int], chance: random.Random) -> dict[str, tuple[ChatMessage, ...]]:
    """The beginnings of prompts, by name: for each age, and for notes."""
    persona = PersonaSection(examples=False)
    able = Abilities(skills=frozenset(("timers", "stories", "games")))
    made = {"unknown": head_of(persona, Profile(), 2, able)}
    for age in sorted(set(ages)):
        name = chance.choice(NAMES)
        made[f"age {age}"] = head_of(persona, Profile(name=name, age=age), 2, able)
    for name in prompts.SPEAKER_NAMES:
        text = prompts.DRAFT_INSTRUCTIONS.format(name=name)
        made[f"notes of {name}"] = (ChatMessage("system", text),)
    made["whisper"] = (ChatMessage("system", answer.SYSTEM),)
    return made


def samples(files: Sequence[Path], chance: random.Random) -> Iterator[Sample]:
    """Every line of the files, as it would be asked."""
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines() if line]
    notes = [each["notes"] for each in lines if "reply" in each and "notes" in each]
    for line in lines:
        if "reply" not in line:
            yield _drafting(line, chance) if "said" in line else _whispering(line)
            continue
        head = f"age {line['age']}" if chance.random() < 0.5 else "unknown"
        block = "\n".join(line.get("notes", ()))
        before = line.get("before", ())
        if not block and notes and chance.random() < WITH_NOTES:
            block = "\n".join(chance.choice(notes)[:2])
        now = ""
        if not before and not block and "[Now" not in line["said"] and chance.random() < WITH_DAY:
            now = now_line(_day(chance), "")
        turns = [m for said, reply in before for m in _exchange(said, reply)]
        said = user_text(line["said"], block, now)
        if "[Now" in line["said"]:
            said = line["said"]
        yield Sample(head, (*turns, ChatMessage("user", said)), line["reply"])


def _drafting(line: dict[str, Any], chance: random.Random) -> Sample:
    text = json.dumps(line)
    name = chance.choice([each for each in prompts.SPEAKER_NAMES if each not in text] or ["Kim"])
    named = json.loads(text.replace("Kim", name))
    asked = prompts.talk(named["before"], named["said"], name)
    noted = "\n".join(named["notes"]) or prompts.NOTHING
    return Sample(f"notes of {name}", (ChatMessage("user", asked),), noted)


def _whispering(line: dict[str, Any]) -> Sample:
    notes = "\n".join(f"- {each}" for each in line["notes"])
    asked = answer.asked(notes, line["context"], line["question"])
    return Sample("whisper", (ChatMessage("user", asked),), line["answer"])


def _exchange(said: str, answer: str) -> tuple[ChatMessage, ChatMessage]:
    return ChatMessage("user", said), ChatMessage("assistant", answer)


def _day(chance: random.Random) -> str:
    moment = time.localtime(1_780_000_000 + chance.randrange(3 * 365) * 86_400)
    return f"{time.strftime('%A', moment)} {moment.tm_mday} {time.strftime('%B %Y', moment)}, " + (
        chance.choice(MOMENTS)
    )


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
        mask = torch.zeros(sees.shape, dtype=torch.bfloat16)
        mask.masked_fill_(~sees, torch.finfo(torch.bfloat16).min)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, help="packs that are learnt from, for a trial")
    parser.add_argument("--rounds", type=float, default=1.0, help="how often each line is seen")
    parser.add_argument("--leave", nargs="*", default=[], help="files that are not learnt")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with what is learnt")
    parser.add_argument("--begin", type=Path, help="an adapter that is trained further")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    torch.manual_seed(chosen.seed)
    folder, name = chosen.base.parent, chosen.base.name
    if (folder / "config.json").exists():
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16)
        tokenizer = AutoTokenizer.from_pretrained(folder)
    else:
        model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.bfloat16)
        tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    model.requires_grad_(False)
    layers = model.config.num_hidden_layers
    for layer in range(LOWEST, layers):
        for path in MATRICES:
            parent, _, last = path.rpartition(".")
            owner = model.model.layers[layer].get_submodule(parent)
            setattr(owner, last, Update(getattr(owner, last)))
    if chosen.begin is not None:
        begin_with(model, chosen.begin)
    files = sorted(chosen.data.glob("*.jsonl"))
    left = [file for file in files if file.name in chosen.leave]
    learnt = list(samples([file for file in files if file not in left], chance))
    kept_out = list(samples(left, chance))
    ages = (int(each.head[4:]) for each in (*learnt, *kept_out) if each.head.startswith("age "))
    packs = Packs(tokenizer, heads(ages, chance))
    order = [p for _ in range(math.ceil(chosen.rounds)) for p in packs.of(learnt, chance)]
    order = order[: int(len(order) * chosen.rounds / math.ceil(chosen.rounds))][: chosen.most]
    own = [p for p in model.parameters() if p.requires_grad]
    size = sum(p.numel() for p in own) / 1e6
    print(f"{len(learnt)} lines, {len(order)} packs, {size:.1f} million numbers", flush=True)
    if kept_out:
        print(f"kept out, before: {mean_loss(model, packs, kept_out):.3f}", flush=True)
    optimizer = torch.optim.AdamW(own, lr=RATE, betas=(0.9, 0.98), weight_decay=0.0)
    began, tokens, running = time.monotonic(), 0, 0.0
    for step, pack in enumerate(order):
        warm, done = min(1.0, (step + 1) / 12), step / len(order)
        for group in optimizer.param_groups:
            group["lr"] = chosen.rate * warm * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * done)))
        batch = packs.tensors(model, pack)
        loss, _ = loss_of(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(own, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        tokens += batch[0].shape[1]
        value = float(loss.detach())
        running = value if not step else 0.95 * running + 0.05 * value
        if step % 10 == 0:
            rate = tokens / (time.monotonic() - began)
            print(f"{step}/{len(order)} loss {running:.3f}, {rate:.0f} tokens a second", flush=True)
            if step and step % 50 == 0:
                write(model, chosen.out, LOWEST, layers, ALPHA)
    write(model, chosen.out, LOWEST, layers, ALPHA)
    if kept_out:
        print(f"kept out, after: {mean_loss(model, packs, kept_out):.3f}", flush=True)


if __name__ == "__main__":
    main()
