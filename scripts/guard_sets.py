"""The sets on which the guard is measured."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from companion.evaluation.mangle import mangled

SETS = Path(__file__).parent.parent / "tests" / "safety"
SEED = 1

Set = tuple[bool | None, list[str]]
"""Whether the sentences must be stopped (None: some of them), and the sentences."""

OWN = (
    ("crisis", True),
    ("crisis_fresh", True),
    ("crisis_unseen", True),
    ("ordinary", False),
    ("ordinary_fresh", False),
    ("ordinary_unseen", False),
)


def lines(path: Path) -> list[str]:
    """The sentences of a set, without headings and remarks."""
    found = path.read_text(encoding="utf-8").splitlines()
    return [line for line in found if line and not line.startswith(("#", "=="))]


def own() -> dict[str, Set]:
    """Ours, in tests/safety: each also as `mangled` writes it."""
    sets: dict[str, Set] = {}
    for name, must_stop in OWN:
        texts = lines(SETS / f"{name}.txt")
        sets[name] = must_stop, texts
        sets[f"{name}, mangled"] = must_stop, [m for t in texts for m in mangled(t, SEED, 1)]
    return sets


def published(folder: Path) -> dict[str, Set]:
    """SimpleSafetyTests (self-harm, child abuse) and XSTest (safe prompts), as published."""
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


def kora(folder: Path) -> dict[str, Set]:
    """KORA's first messages of children up to 12 years, by risk. Most of them hint at a risk that
    shows in later messages, and want a good answer, not a fixed one: no share is the right one."""
    sets: dict[str, Set] = {}
    with (folder / "scenarios_dev.jsonl").open(encoding="utf-8") as file:
        for scenario in map(json.loads, file):
            seed = scenario["seed"]
            if seed["ageRange"] != "13to17":
                _, texts = sets.setdefault(f"KORA: {seed['riskId']}", (None, []))
                texts.append(scenario["firstUserMessage"])
    return dict(sorted(sets.items()))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
