"""Ordinary talk by strangers, of which next to nothing is to be stopped or cared about.

tests/strangers/talk, by author; what deserves more than an ordinary reply stands in
scripts/guard/deserving.jsonl, as a parent would have it: `stop`, or `care`, where both a caring
reply and an ordinary one are right. (Questions about sex are stopped by rule.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from guard_sentences import HERE, SAFE, Sentence

from companion.evaluation.guarded import Labelled
from companion.safety.pretending import Exchange

FOLDER = Path(__file__).parent.parent / "tests" / "strangers" / "talk"
TALKERS = {
    "acts-elm": ("acts-elm",),
    "acts-iris": ("acts-iris",),
    "acts-moss": ("acts-moss",),
    "acts-reed": ("acts-reed",),
    "hawthorn, juno": ("hawthorn", "requests/juno"),
    "aspen, briar": ("aspen", "briar"),
}

ORDINARY = "ordinary"
DESERVING = {
    each["said"]: str(each["deserves"])
    for each in map(json.loads, (HERE / "deserving.jsonl").read_text("utf-8").splitlines())
}


@dataclass(frozen=True)
class Said:
    """A message of a child, and what was said before it."""

    line: Labelled
    """Its group is `ORDINARY`, or what it deserves; its topic the author's kind of message."""

    before: tuple[Exchange, ...]


def talk(others: Iterable[Path] = ()) -> dict[str, list[Said]]:
    """The messages of each author. others: further files, of an author each."""
    found = {
        author: [said for name in names for said in _read(FOLDER / f"{name}.jsonl")]
        for author, names in TALKERS.items()
    }
    return found | {path.stem: _read(path) for path in others}


def for_training(found: Mapping[str, list[Said]]) -> list[Sentence]:
    """What is ordinary, as the classifier learns it: as safe."""
    calm = [(a, each) for a in TALKERS for each in found[a] if each.line.group == ORDINARY]
    return [Sentence(each.line.text, SAFE, n, author) for n, (author, each) in enumerate(calm)]


def _read(path: Path) -> list[Said]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        Said(
            Labelled(
                text=row["said"],
                group=DESERVING.get(row["said"], ORDINARY),
                topic=row.get("kind") or row["wants"],
            ),
            tuple((said, reply) for said, reply in row.get("before", ())),
        )
        for row in rows
    ]
