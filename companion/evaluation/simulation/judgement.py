"""A judgement: what is asked of a judge, in which form the answer comes, and its values.

The judge says what it sees; counting and scoring is done here. Each kind of answer is a list of
numbers, so that two gradings of the same judgement can be laid side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from companion.consolidation.structured import Malformed, parse_json
from companion.engines.protocols import ChatMessage

Kind = Literal["scale", "verdicts", "counts"]
Verdict = Literal["yes", "partly", "no"]

VALUES: dict[str, float] = {"yes": 1.0, "partly": 0.5, "no": 0.0}
"""Paper sections 5.4 and 5.6: right 1, partly right 0.5, wrong or unknown 0."""

MOST_NOTES = 10
"""Entries of a list that a judge may give."""

NOTE_CHARACTERS = 120


_NO_ENTRY = frozenset({"", "none", "nothing", "n/a", "null"})


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")


class Scale(_Answer):
    """A mark from 1 (bad) to 5 (very good), with what speaks for it."""

    reasons: list[str] = []
    score: int = Field(ge=1, le=5)


class Counts(_Answer):
    """Times that something known was used, and was forgotten or wrong."""

    used: list[str] = []
    forgotten: list[str] = []


class Verdicts(RootModel[dict[str, Verdict]]):
    """`{"1": "yes", "2": "no", ...}`."""


@dataclass(frozen=True)
class Judgement:
    """One thing that a judge is asked."""

    key: str
    """`mila-okafor/hybrid/coverage/2/1`: person, arm, dimension, and which one of it."""

    dimension: str
    kind: Kind
    messages: tuple[ChatMessage, ...]
    size: int = 1
    """Verdicts that are asked for."""

    shortened: bool = False
    """The judge's context was too small for all of the talk: the oldest lines are left out."""

    @property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the answer."""
        notes = {
            "type": "array",
            "items": {"type": "string", "maxLength": NOTE_CHARACTERS},
            "maxItems": MOST_NOTES,
        }
        if self.kind == "scale":
            score = {"type": "integer", "enum": [1, 2, 3, 4, 5]}
            return object_schema(reasons={**notes, "maxItems": 3}, score=score)
        if self.kind == "counts":
            return object_schema(used=notes, forgotten=notes)
        verdict = {"type": "string", "enum": list(VALUES)}
        return object_schema(**{str(n): verdict for n in range(1, self.size + 1)})

    @property
    def max_tokens(self) -> int:
        """Room for the answer."""
        return {"scale": 220, "counts": 500, "verdicts": 40 + 8 * self.size}[self.kind]

    def values(self, answer: str) -> list[float]:
        """Scale: the mark. Verdicts: 1, 0.5 or 0 each. Counts: hits and misses.

        Raises Malformed or Absurd for an answer that says nothing of the kind.
        """
        if self.kind == "scale":
            return [float(parse_json(answer, Scale).score)]
        if self.kind == "counts":
            found = parse_json(answer, Counts)
            return [_entries(found.used), _entries(found.forgotten)]
        verdicts = parse_json(answer, Verdicts).root
        missing = [n for n in range(1, self.size + 1) if str(n) not in verdicts]
        if missing:
            raise Malformed(f"no verdict on number {missing[0]}")
        return [VALUES[verdicts[str(n)]] for n in range(1, self.size + 1)]


def _entries(listed: Sequence[str]) -> float:
    """How many there are; "none" is a judge's way to leave a list empty."""
    return float(sum(entry.strip(" .-").lower() not in _NO_ENTRY for entry in listed))


def parts(texts: Sequence[str], most: int) -> list[list[str]]:
    """The texts in runs of at most so many: long lists make judges lose count."""
    return [list(texts[at : at + most]) for at in range(0, len(texts), most)]


def object_schema(**properties: Any) -> dict[str, Any]:
    """A JSON schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
