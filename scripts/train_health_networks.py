r"""Trains two heads of models/guards/minilm-guard.onnx: what tells of an allergy, an illness or a
diet, and what touches something that was told of.

    VENV/bin/pip install torch transformers onnx    (besides what scripts/setup --dev installs)
    VENV/bin/python scripts/train_health_networks.py FILE.onnx [--held-out PREDICTIONS.npz]

Three upper layers of all-MiniLM-L6-v2 each, as `train_message_guard.py` trains those of the guard;
they are put into its file (`onnx_branches`). The first learns the messages of `health_sets` and
made-up sentences of `train_health.py`; the second its remarks, and pairs made of what stands in
`contents.jsonl`. With --held-out a third of the authors is not learnt, nothing is put into the
file, and log odds of what they said go to PREDICTIONS, beside those of the regressions: from these
the constants of `companion/safety/health.py` were chosen. 12 minutes on two cores.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections import defaultdict
from pathlib import Path

import health_touching
import numpy as np
import train_health
from health_sets import PAIRS, SETS, left_out, messages, remarks
from network_heads import Pairs, predicted, put_into, trained
from numpy.typing import NDArray
from transformers import AutoTokenizer

from companion import config, language
from companion.assembly.models import open_embedder
from companion.safety import touching
from companion.safety.classifier_weights import probabilities
from companion.safety.health import FILE, Floats, features
from companion.weights.manifest import Manifest

TELLING = ("none", "own", "other")
TOUCHING = ("no", "yes")
CONTENTS = Path(language.__file__).parent / "en" / "health" / "contents.jsonl"

MADE = {0: 2, 1: 3, 2: 3}
"""Made-up sentences of a family, by what they tell."""

MADE_PAIRS = 5000
SAME = 0.6
"""Share of these in which the thing is the one that was told of."""

AMONG_MADE = {
    "have": (
        *("we are having {} for tea", "can I have some {}", "they gave me {}", "is {} ok for me"),
        *("I just had a {}", "my friend is sharing her {}", "nana is making {}"),
        *("I took a bite of {}", "there's {} at the party and I'm getting some"),
        "we're buying {} now",
    ),
    "else": (
        *("we're going to the {}", "there's {} here right now", "I'm going to do {}"),
        *("they want me to do {}", "can I try {}", "we are doing {} today", "I got {} on me"),
    ),
}

WEIGHT = {"stranger": 14.0, "ordinary": 5.0, "voice": 7.0, "made": 3.0}
TALK, MADE_PAIR = 0.25, 0.25

Counts = NDArray[np.float32]


def tells(out: set[str]) -> tuple[list[str], NDArray[np.int64], Counts]:
    """What the first head learns: texts, labels and how much each counts."""
    found = [each for each in messages() if each.author not in out]
    strangers = {*SETS, *PAIRS}
    counts = [
        WEIGHT["stranger" if each.author in strangers or each.label else "ordinary"]
        for each in found
    ]
    forms = train_health.made_forms(train_health.TELLING)
    families = defaultdict(list)
    for at, family in enumerate(forms.family):
        families[int(family)].append(at)
    chance = random.Random(0)
    made = [
        at
        for those in families.values()
        for at in chance.sample(those, min(len(those), MADE[int(forms.label[those[0]])]))
    ]
    counts += [WEIGHT["voice" if forms.voice[at] else "made"] for at in made]
    texts = [language.health.plain(each.text) for each in found] + [forms.texts[at] for at in made]
    labels = np.array([each.label for each in found] + [int(forms.label[at]) for at in made])
    return texts, labels, _evened(labels, np.array(counts, np.float32))


def _evened(labels: NDArray[np.int64], counts: Counts) -> Counts:
    told = labels > 0
    counts[told] *= 0.5 * counts[~told].sum() / counts[told].sum()
    return np.asarray(counts / counts.mean())


def touches(out: set[str]) -> tuple[list[tuple[str, str]], NDArray[np.int64], Counts]:
    """What the second head learns: pairs, labels and how much each counts."""
    found = [each for each in remarks() if each.author not in out]
    pairs = [(touching.subject(each.told), language.health.plain(each.text)) for each in found]
    labels = [int(each.touches) for each in found]
    counts = [TALK if each.talk else 1.0 for each in found]
    for pair, label in made_pairs():
        pairs.append(pair)
        labels.append(label)
        counts.append(MADE_PAIR)
    kept = np.array(counts, np.float32)
    return pairs, np.array(labels), kept / kept.mean()


def made_pairs() -> list[tuple[tuple[str, str], int]]:
    """A thing, and a remark that names something in which it is, or another is, by lot."""
    rows = [json.loads(line) for line in CONTENTS.read_text(encoding="utf-8").splitlines()]
    within = {row["thing"]: row["in"] for row in rows if len(row["in"]) > 10}
    chance, things = random.Random(1), sorted(within)
    made: list[tuple[tuple[str, str], int]] = []
    way = language.health.way
    while len(made) < MADE_PAIRS:
        thing = other = chance.choice(things)
        if chance.random() > SAME:
            other = chance.choice(things)
        what = chance.choice(within[other])
        held = any(what in within.get(each, ()) for each in language.health.covered([thing]))
        if not held and way(thing) == way(other) == "is":
            continue  # what one illness forbids another may forbid too
        said = chance.choice(AMONG_MADE["have" if way(other) == "have" else "else"]).format(what)
        made.append(((thing, language.health.plain(said)), int(held)))
    return made


async def regressions(out: set[str]) -> tuple[Floats, Floats]:
    """Probabilities of the messages, and log odds of the remarks, of those who are left out, by
    regressions that have not learnt them; (n, 3) and (m,)."""
    forms, found, later = train_health.made_forms(train_health.TELLING), messages(), remarks()
    unseen = np.array([each.author in out for each in found])
    apart = np.array([each.author in out for each in later])
    with np.load(FILE) as file:
        meets = file["meeting"].astype(np.float32), file["meeting_bias"].astype(np.float32)
    async with open_embedder(config.load()) as embedder:
        rows = features(forms.texts, await embedder.embed(forms.texts))
        learnt = await train_health.features_of(found, embedder)
        likely = await train_health.meeting([each.text for each in later], *meets, embedder)
        signs = await health_touching.features_of(later, likely, embedder)
    kept = [each for each in found if each.author not in out]
    weights, bias = train_health.fit_telling(forms, rows, kept, learnt[~unseen])
    told = probabilities(learnt[unseen] @ weights + bias)
    seen = [each for each in later if each.author not in out]
    fitted = health_touching.fit(seen, signs[~apart])
    return told, health_touching.odds(signs[apart], fitted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--held-out", type=Path, metavar="PREDICTIONS")
    given = parser.parse_args()
    language.choose(config.load().language)
    folder = Manifest.load().path("all-minilm-l6-v2", config.load().models_dir)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    found, later = messages(), remarks()
    authors = {each.author for each in found} | {each.author for each in later}
    out = left_out(authors)[0] if given.held_out else set()
    telling = trained(folder, tokenizer, TELLING, tells(out))
    touch = trained(folder, Pairs(tokenizer), TOUCHING, touches(out))
    if not given.held_out:
        put_into(given.file, telling, tokenizer, "telling")
        put_into(given.file, touch, tokenizer, "touching")
        return
    texts = [language.health.plain(each.text) for each in found if each.author in out]
    pairs = [
        (touching.subject(each.told), language.health.plain(each.text))
        for each in later
        if each.author in out
    ]
    told, met = asyncio.run(regressions(out))
    np.savez_compressed(
        given.held_out,
        telling=predicted(telling, tokenizer, texts),
        telling_regression=told,
        touching=predicted(touch, Pairs(tokenizer), pairs),
        touching_regression=met,
    )


if __name__ == "__main__":
    main()
