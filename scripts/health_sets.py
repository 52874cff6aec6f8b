"""What strangers wrote, for `train_health.py`: sets of allergies and health, and ordinary talk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

STRANGERS = Path(__file__).resolve().parent.parent / "tests" / "strangers"
HEALTH_DEV = STRANGERS.parent.parent.parent / "shared" / "data" / "health_dev.jsonl"
"""Not part of this repository; without it the regression learns from two sets."""

SETS = ("dev", "maple", "nettle")
"""Of health. maple and nettle are one author in two voices."""

TALK = ("acts-elm", "acts-iris", "acts-moss", "aspen", "briar", "hawthorn", "requests/juno")
"""Of ordinary talk, by name, so that a set that is opened later changes no training."""

NONE, OWN, OTHER = range(3)
TRUE = (
    "inhaler",
    "allergic to cats",
    "diabetes",
    "pills for his heart",
    "swap lunches",
    "can't say sausages",
)
"""Of ordinary talk that tells all the same: words of messages that were read, and are not learnt
as telling of nothing."""


@dataclass(frozen=True)
class Message:
    text: str
    author: str
    kind: str
    """`telling`, `other` (somebody else's), `not`, `ask`, `talk`, `guard`."""

    @property
    def label(self) -> int:
        return {"telling": OWN, "other": OTHER}.get(self.kind, NONE)


def messages() -> list[Message]:
    return [*_of_health(), *_of_talk()]


def left_out(found: list[Message]) -> list[set[str]]:
    """Authors to leave out together: a set of health and a third of the authors of talk each; last,
    the author of two of the sets."""
    talk = sorted({each.author for each in found if each.kind == "talk"})
    thirds = [{name, *talk[at::3]} for at, name in enumerate(SETS)]
    return [*thirds, {"maple", "nettle"}]


def _of_health() -> Iterator[Message]:
    for name in SETS:
        file = HEALTH_DEV if name == "dev" else STRANGERS / "health" / f"{name}.jsonl"
        for row in _rows(file) if file.exists() else ():
            somebody = row["kind"] == "telling" and row.get("whose", "child") != "child"
            yield Message(row["text"], name, "other" if somebody else row["kind"])


def _of_talk() -> Iterator[Message]:
    for file in (STRANGERS / "talk" / f"{name}.jsonl" for name in TALK):
        for row in _rows(file):
            if not any(each in row["said"] for each in TRUE):
                yield Message(row["said"], file.stem, "talk")
    lines = (STRANGERS.parent / "safety" / "ordinary.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("#") and not any(each in line for each in TRUE):
            yield Message(line, "ordinary", "talk")


def _rows(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
