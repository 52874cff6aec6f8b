"""Train the classifier of the guard (`companion/safety/meaning.npz`) from our own sentences.

Reads scripts/guard/*.txt, embeds every sentence with the default embedder, as it is and as a
transcriber would write it, and fits a softmax regression over topics and "safe". Every fifth
family (a group of like sentences) is held back: on those the threshold is chosen and the figures
that this prints are counted. The shipped weights are fitted on all families, with that threshold.

    python scripts/train_guard.py [--dry]
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion import config, runtime
from companion.evaluation.mangle import mangled
from companion.safety.hearing import plain
from companion.safety.meaning import FILE, PROBE

HERE = Path(__file__).parent / "guard"
SAFE = "safe"
HELD_BACK = 5
"""Every so manyth family is for development."""

FALSE_ALARMS = 0.02
"""Most of the held-back safe sentences that may be stopped."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sentence:
    text: str
    topic: str
    family: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    arguments = parser.parse_args()
    sentences = [*_read(HERE / "unsafe.txt", None), *_read(HERE / "safe.txt", SAFE)]
    asyncio.run(_train(sentences, write=not arguments.dry))


async def _train(sentences: list[Sentence], *, write: bool) -> None:
    topics = [SAFE, *sorted({each.topic for each in sentences} - {SAFE})]
    texts, labels, families = [], [], []
    for each in sentences:
        forms = {plain(each.text), *(plain(m) for m in mangled(each.text, each.family, 2))}
        for form in sorted(forms):
            texts.append(form)
            labels.append(topics.index(each.topic))
            families.append(each.family)
    async with runtime.embedder(config.load()) as embedder:
        vectors = (await embedder.embed(texts)).astype(np.float64)
        probe = (await embedder.embed([PROBE]))[0]
        seen = await embedder.embed([plain(s.text) for s in sentences if s.topic != SAFE])
    label, family = np.array(labels), np.array(families)
    held = family % HELD_BACK == 2
    weights, bias = fit(vectors[~held], label[~held], len(topics))
    danger = 1 - probabilities(vectors[held], weights, bias)[:, 0]
    safe = label[held] == 0
    threshold = float(np.quantile(danger[safe], 1 - FALSE_ALARMS))
    threshold = max(threshold, 0.5)
    print(f"{len(sentences)} sentences, {len(texts)} forms, {held.sum()} forms held back")
    print(f"threshold {threshold:.3f}")
    print(
        f"dev: stopped {(danger[~safe] > threshold).mean():.1%} of unsafe forms, "
        f"{(danger[safe] > threshold).mean():.1%} of safe ones"
    )
    for index, topic in enumerate(topics[1:], start=1):
        of_topic = label[held] == index
        if of_topic.any():
            print(f"  {topic:<10} {(danger[of_topic] > threshold).mean():.1%}")
    if write:
        weights, bias = fit(vectors, label, len(topics))
        np.savez(
            FILE,
            topics=np.array(topics[1:]),
            weights=weights.astype(np.float16),
            bias=bias.astype(np.float32),
            threshold=np.float32(threshold),
            probe=probe.astype(np.float16),
            seen=np.rint(seen * 127).astype(np.int8),
        )
        print(f"wrote {FILE} ({FILE.stat().st_size} bytes)")


def fit(vectors: Floats, label: NDArray[np.int64], classes: int) -> tuple[Floats, Floats]:
    """Softmax regression with an L2 penalty, by gradient descent with momentum.

    vectors: (n, dimension) of norm 1. Returns weights (dimension, classes) and bias (classes,).
    Safe and unsafe sentences weigh the same in all, so that neither side's number decides.
    """
    n, dimension = vectors.shape
    target = np.eye(classes)[label]
    weight = np.where(label == 0, 0.5 / (label == 0).mean(), 0.5 / (label != 0).mean()) / n
    weights, bias = np.zeros((dimension, classes)), np.zeros(classes)
    speed_w, speed_b = np.zeros_like(weights), np.zeros_like(bias)
    for _ in range(1200):
        error = (probabilities(vectors, weights, bias) - target) * weight[:, None]
        speed_w = 0.9 * speed_w - 2.0 * (vectors.T @ error + 5e-5 * weights)
        speed_b = 0.9 * speed_b - 2.0 * error.sum(axis=0)
        weights, bias = weights + speed_w, bias + speed_b
    return weights, bias


def probabilities(vectors: Floats, weights: Floats, bias: Floats) -> Floats:
    """(n, classes), rows that add up to 1."""
    scores = vectors @ weights + bias
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _read(path: Path, topic: str | None) -> list[Sentence]:
    """The sentences of a file; `topic` wins over those that its headings name."""
    found: list[Sentence] = []
    heading, family = "", sum(path.name.encode())
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("=="):
            heading = line.strip("= ")
        elif line.strip():
            found.append(Sentence(line.strip(), topic or heading, family))
        else:
            family += 1
    return found


if __name__ == "__main__":
    main()
