"""Train the regressions of `companion/safety/health.npz`.

Reads scripts/health/*.txt. A line with choices, "{one|other}", and slots, "<food>" (slots.txt says
what stands for them), becomes several sentences, which are one family; each is also taken as a
transcriber might write it. What tells is learnt from strangers' sets and ordinary talk as well
(`health_sets`). Prints what is right of families that the regression had not seen, and, of
strangers, what is found by one that had seen nothing of that set (`--hands`: that only).

    python scripts/train_health.py [--dry | --hands]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
from dataclasses import dataclass
from pathlib import Path

import health_touching
import numpy as np
from guard_sentences import sentences
from guard_training import descend, fit
from health_sets import (
    NONE,
    PAIRS,
    PASSING,
    SETS,
    WEEKS,
    Message,
    asking,
    left_out,
    messages,
    remarks,
)
from numpy.typing import NDArray

from companion import config, language
from companion.assembly.models import open_embedder
from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.evaluation.extraction.gold import SHIPPED
from companion.evaluation.mangle import mangled
from companion.safety.classifier_weights import probabilities
from companion.safety.health import FILE, Floats, features
from companion.safety.touching import without_names

HERE = Path(__file__).parent / "health"
TELLING = ("none", "own", "other")
MEETING = ("mention", "contact")
FORMS = 16
"""Most sentences that are made of one line."""

FOLDS = 3
LEAST_TELLING, LEAST_TELLING_ALONE = 0.6, 0.9
"""How sure it has to be where the tables find a cue as well, and where they do not."""

LEAST_PART, LEAST_PART_ALONE = 0.7, 0.95
"""The same of each part of a long message: many are read, and one is enough."""

LEAST_ASKING = 0.8
STEPS = 300
VOICE, STRANGER, ORDINARY = 7.0, 14.0, 5.0
"""How much a message in full counts beside a sentence made of choices: one of `*_voices.txt`, one
of a stranger's set of health or that tells anywhere else, and one of ordinary talk."""

_CHOICE = re.compile(r"\{([^{}]*)\}")
_SLOT = re.compile(r"<(\w+)>")


@dataclass(frozen=True)
class Forms:
    """n sentences, as `plain` spells them."""

    texts: list[str]
    label: NDArray[np.int64]
    family: NDArray[np.int64]
    voice: NDArray[np.bool_]
    """From `*_voices.txt`."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--hands", action="store_true", help="each stranger's set left out, only")
    arguments = parser.parse_args()
    asyncio.run(_hands() if arguments.hands else _train(write=not arguments.dry))


async def _train(*, write: bool) -> None:
    shipped: dict[str, Floats] = {}
    async with open_embedder(config.load()) as embedder:
        for name, classes in (("telling", TELLING), ("meeting", MEETING)):
            forms = made_forms(classes)
            rows = features(forms.texts, await embedder.embed(forms.texts))
            if classes is TELLING:
                found = messages()
                learnt = await features_of(found, embedder)
                weights, bias = fit_telling(forms, rows, found, learnt)
                shipped |= await _asking(found, learnt, embedder)
            else:
                _report(name, classes, forms, rows)
                weights, bias = fit(rows, forms.label, len(classes))
                shipped |= await _touching(weights, bias, embedder)
            shipped |= {name: weights.astype(np.float16), f"{name}_bias": bias}
        shipped["probe"] = (await embedder.embed([PROBE]))[0].astype(np.float16)
    if write:
        shipped["least_telling"] = np.array(LEAST_TELLING, dtype=np.float32)
        shipped["least_telling_alone"] = np.array(LEAST_TELLING_ALONE, dtype=np.float32)
        shipped["least_part"] = np.array(LEAST_PART, dtype=np.float32)
        shipped["least_part_alone"] = np.array(LEAST_PART_ALONE, dtype=np.float32)
        shipped["least_asking"] = np.array(LEAST_ASKING, dtype=np.float32)
        np.savez_compressed(FILE, allow_pickle=False, **shipped)
        print(f"wrote {FILE} ({FILE.stat().st_size} bytes)")


async def _asking(found: list[Message], learnt: Floats, embedder: Embedder) -> dict[str, Floats]:
    """The regression for who asks what they must not have. found: what asks for nothing of the
    kind; learnt: its features. Prints what it finds of each author, left out in turn."""
    lines = asking()
    texts = [language.health.plain(text) for text, _, _ in lines]
    x = np.vstack([features(texts, await embedder.embed(texts)), learnt])
    label = np.array([int(asks) for _, asks, _ in lines] + [0] * len(found))
    author = np.array([name for _, _, name in lines] + [each.author for each in found])
    for name in sorted({name for _, asks, name in lines if asks}):
        seen = author != name
        weights, bias = fit(x[seen], label[seen], 2)
        likely = probabilities(x[~seen] @ weights + bias)[:, 1] >= LEAST_ASKING
        right, wrong = likely[label[~seen] == 1], likely[label[~seen] == 0]
        print(f"asking, {name} left out: {right.sum()} of {len(right)}, wrongly {wrong.sum()}")
    weights, bias = fit(x, label, 2)
    return {"asking": weights.astype(np.float16), "asking_bias": bias}


async def _touching(weights: Floats, bias: Floats, embedder: Embedder) -> dict[str, Floats]:
    """weights, bias: of the regression for who meets anything."""
    found = remarks()
    rows = await health_touching.features_of(
        found, await meeting([each.text for each in found], weights, bias, embedder), embedder
    )
    fitted, shift = health_touching.fit(found, rows)
    return {"touching": fitted.astype(np.float16), "touching_bias": shift}


async def meeting(texts: list[str], weights: Floats, bias: Floats, embedder: Embedder) -> Floats:
    """Shape (n,): how surely somebody eats, touches or does anything."""
    plain = [without_names(each) for each in texts]
    seen = features(plain, await embedder.embed(plain))
    return np.asarray(probabilities(seen @ weights + bias)[:, 1])


async def _hands() -> None:
    """Thirds of the sets of health and of the authors of ordinary talk, judged unseen."""
    forms, found = made_forms(TELLING), messages()
    async with open_embedder(config.load()) as embedder:
        rows = features(forms.texts, await embedder.embed(forms.texts))
        learnt = await features_of(found, embedder)
    for out in left_out(each.author for each in found):
        seen = np.array([each.author not in out for each in found])
        kept = [each for each in found if each.author not in out]
        weights, bias = fit_telling(forms, rows, kept, learnt[seen])
        likely = probabilities(learnt[~seen] @ weights + bias)
        _tell([each for each in found if each.author in out], likely)


def _tell(found: list[Message], likely: Floats) -> None:
    """What is found of messages, each counted once however many parts of it are read."""
    said: dict[tuple[str, str, str], bool] = {}
    for each, row in zip(found, likely, strict=True):
        told = 1 - row[0] >= least(each.text, part=each.text != (each.whole or each.text))
        own = bool(told and (each.kind != "telling" or row[1] >= row[2]))
        message = (each.author, each.kind, each.whole or each.text)
        said[message] = said.get(message, False) or own
    counts: dict[tuple[str, str], list[bool]] = {}
    for (author, kind, text), told in said.items():
        counts.setdefault((_of(author), kind), []).append(told)
        if kind == "talk" and told:
            print(f"  {author}: {text}")
    for (author, kind), taken in sorted(counts.items()):
        print(f"{author:<9} {kind:<9} found {sum(taken):>3} of {len(taken)}")


def least(text: str, *, part: bool) -> float:
    """How sure it has to be that a text tells. part: of a message that is read in parts."""
    cue = language.health.may_tell(language.health.plain(text))
    if part:
        return LEAST_PART if cue else LEAST_PART_ALONE
    return LEAST_TELLING if cue else LEAST_TELLING_ALONE


def _of(author: str) -> str:
    if author in {*SETS, *PAIRS}:
        return author
    return "weeks" if author in WEEKS else "passing" if author in PASSING else "ordinary"


async def features_of(found: list[Message], embedder: Embedder) -> Floats:
    texts = [language.health.plain(each.text) for each in found]
    return features(texts, await embedder.embed(texts))


def fit_telling(
    forms: Forms, rows: Floats, found: list[Message], learnt: Floats
) -> tuple[Floats, Floats]:
    """rows: features of the forms; learnt: of the messages."""
    label = np.concatenate([forms.label, [each.label for each in found]])
    ours = {*SETS, *PAIRS}
    counts = [STRANGER if each.author in ours or each.label else ORDINARY for each in found]
    weight = np.concatenate([np.where(forms.voice, VOICE, 1), counts]).astype(np.float32)
    for side in (label == NONE, label != NONE):  # none, and any
        weight[side] *= 0.5 / weight[side].sum()
    x = np.vstack([rows, learnt])
    start = np.zeros((x.shape[1], len(TELLING)), np.float32), np.zeros(len(TELLING), np.float32)
    return descend(x, label, weight, start, STEPS)


def _report(name: str, classes: tuple[str, ...], forms: Forms, rows: Floats) -> None:
    right = np.zeros(len(rows), dtype=np.bool_)
    for fold in range(FOLDS):
        held = forms.family % FOLDS == fold
        weights, bias = fit(rows[~held], forms.label[~held], len(classes))
        right[held] = probabilities(rows[held] @ weights + bias).argmax(axis=1) == forms.label[held]
    shares = [f"{each} {right[forms.label == at].mean():.1%}" for at, each in enumerate(classes)]
    print(f"{name}: {len(rows)} sentences; right, unseen families: {', '.join(shares)}")


def made_forms(classes: tuple[str, ...]) -> Forms:
    slots = dict(_read_slots())
    rows: dict[str, tuple[int, int, bool]] = {}
    family = 0
    if classes is TELLING:
        for sentence in ordinary():
            family += 1
            rows.setdefault(language.health.plain(sentence), (0, family, False))
    for label, name in enumerate(classes):
        for line, voice in _lines(name):
            family += 1
            for text in _made_of(line, slots):
                for form in (text, *mangled(text, family, 1)):
                    rows.setdefault(language.health.plain(form), (label, family, voice))
    labels, families, voices = zip(*rows.values(), strict=True)
    return Forms(list(rows), np.array(labels), np.array(families), np.array(voices))


def _lines(name: str) -> list[tuple[str, bool]]:
    """The lines of every file of a class, none.txt, none_talk.txt, and whether it is of voices."""
    return [
        (line, file.stem.endswith("_voices"))
        for file in sorted(HERE.glob(f"{name}*.txt"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]


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
