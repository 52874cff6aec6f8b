"""`companion eval guard`: what the guard does with sentences that carry labels.

A set is JSON lines, `{text, group, topic}`. Groups and topics are the author's own words; in our
sets the groups are plain and hint (a grave matter, said plainly or only hinted at), care, near and
harmless. No language model takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field

from companion.assembly.guard import build_guard
from companion.assembly.models import open_judging_embedder
from companion.config import Config
from companion.errors import EngineError, InputError
from companion.evaluation.sets import read_lines
from companion.safety.verdict import Guard, Topic

Outcome = Literal["stop", "care", "pass"]
"""`stop`: a fixed reply in place of the model's. `care`: one that asks or stays near."""


class Labelled(BaseModel):
    """A sentence, and what its author says that it is."""

    text: str = Field(min_length=1)
    group: str
    topic: str


@dataclass(frozen=True)
class Judged:
    """A sentence with what the guard did."""

    sentence: Labelled
    outcome: Outcome
    topic: Topic | None
    """As the guard understood it; None when it let the sentence pass."""


async def run(config: Config, paths: Sequence[Path]) -> dict[str, Any]:
    """All sentences of the files, judged as the product judges a child's words.

    Raises InputError for a file that is no such set; ModelFileError, ConfigError, EngineError."""
    sentences = [each for path in paths for each in read(path)]
    async with open_judging_embedder(config) as embedder:
        guard = build_guard(config, embedder)
        return as_json(await judged(guard, sentences))


def read(path: Path) -> list[Labelled]:
    """The sentences of a set. Raises InputError."""
    found = list(read_lines(path, Labelled))
    if not found:
        raise InputError(f"{path}: holds no sentence")
    return found


async def judged(guard: Guard, sentences: Iterable[Labelled]) -> list[Judged]:
    """Each by itself. Raises EngineError when the guard fails, as nothing was judged then."""
    found = []
    for each in sentences:
        verdict = await guard.judge(each.text, side="in")
        if verdict.topic == "unsure":
            raise EngineError(f"the guard could not judge a sentence: {verdict.layer}")
        outcome: Outcome = "pass"
        if verdict.stops:
            outcome = "care" if verdict.cares else "stop"
        found.append(Judged(each, outcome, verdict.topic))
    return found


def as_json(found: Sequence[Judged]) -> dict[str, Any]:
    """The counts by the author's groups and topics, and every sentence with its verdict."""
    return {
        "by_group": _counts(found, lambda each: each.sentence.group),
        "by_topic": _counts(found, lambda each: each.sentence.topic),
        "lines": [
            {"text": each.sentence.text, "verdict": each.outcome, "topic": each.topic}
            for each in found
        ],
    }


def _counts(found: Sequence[Judged], label: Callable[[Judged], str]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for each in found:
        count = counts.setdefault(label(each), {"n": 0, "stopped": 0, "cared": 0})
        count["n"] += 1
        count["stopped"] += each.outcome == "stop"
        count["cared"] += each.outcome == "care"
    return counts
