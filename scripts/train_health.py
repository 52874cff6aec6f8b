"""Train the regressions of `companion/safety/health.npz` from our own sentences.

Reads scripts/health/*.txt. A line with choices, "{one|other}", and slots, "<food>" (slots.txt says
what stands for them), becomes several sentences, which are one family; each is also taken as a
transcriber might write it. The figures that this prints come from families that the regression had
not seen.

    python scripts/train_health.py [--dry]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from guard_sentences import sentences
from guard_training import fit
from numpy.typing import NDArray

from companion import config, language
from companion.assembly.models import open_embedder
from companion.evaluation.extraction.gold import SHIPPED
from companion.evaluation.mangle import mangled
from companion.safety.classifier_weights import probabilities
from companion.safety.health import FILE, PROBE, Floats, features

HERE = Path(__file__).parent / "health"
TELLING = ("none", "own", "other")
MEETING = ("mention", "contact")
FORMS = 16
"""Most sentences that are made of one line."""

FOLDS = 3
LEAST_TELLING = 0.5
LEAST_MEETING = 0.35
_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Forms:
    """n sentences, as `plain` spells them."""

    texts: list[str]
    label: NDArray[np.int64]
    family: NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    asyncio.run(_train(write=not parser.parse_args().dry))


async def _train(*, write: bool) -> None:
    shipped: dict[str, Floats] = {}
    async with open_embedder(config.load()) as embedder:
        for name, classes in (("telling", TELLING), ("meeting", MEETING)):
            forms = _forms(classes)
            rows = features(forms.texts, await embedder.embed(forms.texts))
            _report(name, classes, forms, rows)
            weights, bias = fit(rows, forms.label, len(classes))
            shipped |= {name: weights.astype(np.float16), f"{name}_bias": bias}
        shipped["probe"] = (await embedder.embed([PROBE]))[0].astype(np.float16)
    if write:
        shipped["least_telling"] = np.array(LEAST_TELLING, dtype=np.float32)
        shipped["least_meeting"] = np.array(LEAST_MEETING, dtype=np.float32)
        np.savez_compressed(FILE, allow_pickle=False, **shipped)
        print(f"wrote {FILE} ({FILE.stat().st_size} bytes)")


def _report(name: str, classes: tuple[str, ...], forms: Forms, rows: Floats) -> None:
    right = np.zeros(len(rows), dtype=np.bool_)
    for fold in range(FOLDS):
        held = forms.family % FOLDS == fold
        weights, bias = fit(rows[~held], forms.label[~held], len(classes))
        right[held] = probabilities(rows[held] @ weights + bias).argmax(axis=1) == forms.label[held]
    shares = [f"{each} {right[forms.label == at].mean():.1%}" for at, each in enumerate(classes)]
    print(f"{name}: {len(rows)} sentences; right, unseen families: {', '.join(shares)}")


def _forms(classes: tuple[str, ...]) -> Forms:
    slots = dict(_read_slots())
    rows: dict[str, tuple[int, int]] = {}
    family = 0
    if classes is TELLING:
        for sentence in ordinary():
            family += 1
            rows.setdefault(language.health.plain(sentence), (0, family))
    for label, name in enumerate(classes):
        for line in _lines(name):
            family += 1
            for text in _made_of(line, slots):
                for form in (text, *mangled(text, family, 1)):
                    rows.setdefault(language.health.plain(form), (label, family))
    labels, families = zip(*rows.values(), strict=True)
    return Forms(list(rows), np.array(labels), np.array(families))


def _lines(name: str) -> list[str]:
    """The lines of every file of a class: none.txt, none_talk.txt."""
    files = sorted(HERE.glob(f"{name}*.txt"))
    found = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in found if line and not line.startswith("#")]


def ordinary() -> list[str]:
    """What children say besides: the sentences of the guard, also those that it stops (who is hurt
    by somebody tells of no allergy, and it must not stand in the profile), and the written children
    of `eval extraction`; but for what names a condition."""
    guarded = [each.text for each in sentences()]
    written = [
        line.partition("C: ")[2]
        for file in sorted(SHIPPED.glob("*.yaml"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip().startswith(("C: ", "- C: "))
    ]
    texts = [text for text in guarded + written if text]
    return [t for t in texts if not language.health.flags(language.health.plain(t))["condition"]]


def _read_slots() -> list[tuple[str, list[str]]]:
    lines = (HERE / "slots.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return [(name, words.split("|")) for name, words in pairs]


def _made_of(line: str, slots: dict[str, list[str]]) -> list[str]:
    chance = random.Random(line)
    return sorted({_made(line, slots, chance) for _ in range(FORMS)})


def _made(line: str, slots: dict[str, list[str]], chance: random.Random) -> str:
    while choice := _CHOICE.search(line):
        one = chance.choice(choice[1].split("|"))
        line = f"{line[: choice.start()]}{one}{line[choice.end() :]}"
    while slot := _SLOT.search(line):
        line = f"{line[: slot.start()]}{chance.choice(slots[slot[1]])}{line[slot.end() :]}"
    return " ".join(line.split())


if __name__ == "__main__":
    main()
