"""Ordinary talk by strangers, of which next to nothing is to be stopped or cared about.

tests/strangers/talk and lives, by author; what deserves more than an ordinary reply stands in
scripts/guard/deserving.jsonl, as a parent would have it: `stop`, or `care`, where both a caring
reply and an ordinary one are right. (Questions about sex are stopped by rule.)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guard_sentences import HERE, SAFE, Sentence

from companion.dialog.gate import EXCHANGES
from companion.evaluation.guarded import Labelled
from companion.safety.classifier import windows
from companion.safety.normalize import plain
from companion.safety.pretending import Exchange

FOLDER = Path(__file__).parent.parent / "tests" / "strangers" / "talk"
LIVES = ("Banjo", "Desmond", "Gwilym", "Lachlan", "Ngozi", "Orla", "Rui", "Tuuli", "Zara")
"""A week each, of several sentences a message, as people talk who are asked something back."""

TALKERS = {
    "acts-elm": ("acts-elm",),
    "acts-iris": ("acts-iris",),
    "acts-moss": ("acts-moss",),
    "acts-reed": ("acts-reed",),
    "hawthorn, juno": ("hawthorn", "requests/juno"),
    "aspen, briar": ("aspen", "briar"),
    **{name: (f"../lives/{name}",) for name in LIVES},
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
    """What is ordinary, as the classifier learns it: as safe, and sentence by sentence, as it
    judges them."""
    calm = [(a, each) for a in TALKERS for each in found[a] if each.line.group == ORDINARY]
    return [
        Sentence(sentence, SAFE, number, author)
        for number, (author, each) in enumerate(calm)
        for sentence in dict.fromkeys(windows(plain(each.line.text)))
    ]


def _read(path: Path) -> list[Said]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    if "role" in rows[0]:
        return _of_a_life(rows)
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


def _of_a_life(rows: list[dict[str, Any]]) -> list[Said]:
    """A recorded conversation, of lines {session, role, text}."""
    found: list[Said] = []
    before: list[Exchange] = []
    for number, row in enumerate(rows):
        if number and row["session"] != rows[number - 1]["session"]:
            before = []
        if row["role"] == "user":
            text = str(row["text"])
            group = DESERVING.get(text, ORDINARY)
            line = Labelled(text=text, group=group, topic="life")
            found.append(Said(line, tuple(before[-EXCHANGES:])))
            before.append((text, None))
        elif before:
            before[-1] = before[-1][0], str(row["text"])
    return found
