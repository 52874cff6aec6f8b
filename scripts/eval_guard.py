"""How often the guard stops what it must, and what it must not, by layer.

    python scripts/eval_guard.py [--data DIR] [--missed]

Always: the child-worded crisis sentences and ordinary sentences of tests/safety, each also as a
transcriber might have written it (`companion.evaluation.mangle`, seed 1). With --data, a folder
that holds SimpleSafetyTests and XSTest as published (CC-BY; read, never copied): the self-harm and
abuse prompts of the first, the safe prompts of the second. One JSON document on stdout.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from companion import config, runtime
from companion.evaluation.mangle import mangled
from companion.safety.meaning import Meaning
from companion.safety.patterns import Patterns
from companion.safety.verdict import Guard

SETS = Path(__file__).parent.parent / "tests" / "safety"
SEED = 1
OWN = (
    ("crisis", True),
    ("ordinary", False),
    ("crisis_fresh", True),
    ("ordinary_fresh", False),
)
"""By file, and whether they must be stopped. The fresh ones were written after everything else was
frozen, and looked at once."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="SimpleSafetyTests and XSTest")
    parser.add_argument("--missed", action="store_true", help="name the wrong ones on stderr")
    arguments = parser.parse_args()
    sets: dict[str, tuple[bool, list[str]]] = {}
    for name, must_stop in OWN:
        texts = lines(SETS / f"{name}.txt")
        sets[name] = must_stop, texts
        sets[f"{name}, mangled"] = must_stop, [m for t in texts for m in mangled(t, SEED, 1)]
    if arguments.data:
        sets |= _published(arguments.data)
    figures = asyncio.run(_measured(sets, missed=arguments.missed))
    json.dump(figures, sys.stdout, indent=2)
    print()


async def _measured(
    sets: dict[str, tuple[bool, list[str]]], *, missed: bool
) -> dict[str, dict[str, object]]:
    figures: dict[str, dict[str, object]] = {}
    async with runtime.embedder(config.load()) as embedder:
        layers: dict[str, Guard] = {"patterns": Patterns(), "meaning": Meaning(embedder)}
        for name, (must_stop, texts) in sets.items():
            stops = {layer: await _stops(guard, texts) for layer, guard in layers.items()}
            both = [any(each) for each in zip(*stops.values(), strict=True)]
            shares = {layer: _share(each) for layer, each in stops.items()} | {"both": _share(both)}
            figures[name] = {"n": len(texts), "must_stop": must_stop, "stopped": shares}
            for text, stopped in zip(texts, both, strict=True):
                if missed and stopped != must_stop:
                    print(f"{name}: {text}", file=sys.stderr)
    return figures


async def _stops(guard: Guard, texts: Sequence[str]) -> list[bool]:
    return [(await guard.judge(text, side="in")).stops for text in texts]


def _share(stops: Sequence[bool]) -> float:
    return round(sum(stops) / len(stops), 4)


def lines(path: Path) -> list[str]:
    """The sentences of a set, without headings and remarks."""
    found = path.read_text(encoding="utf-8").splitlines()
    return [line for line in found if line and not line.startswith(("#", "=="))]


def _published(folder: Path) -> dict[str, tuple[bool, list[str]]]:
    simple = [
        row["prompts_final"]
        for row in _rows(folder / "SimpleSafetyTests - test cases.csv")
        if row["harm_area"].startswith(("Suicide", "Child"))
    ]
    safe = [row["prompt"] for row in _rows(folder / "xstest_prompts.csv") if row["label"] == "safe"]
    return {
        "SimpleSafetyTests": (True, simple),
        "SimpleSafetyTests, mangled": (True, [m for t in simple for m in mangled(t, SEED, 1)]),
        "XSTest safe": (False, safe),
    }


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    main()
