"""Counting answers: right ones by type of question, and what they cost."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from companion.dialog.reply import TurnResult
from companion.evaluation.sets import Question


@dataclass
class Tally:
    """Answers so far."""

    answers: list[dict[str, Any]] = field(default_factory=list)
    types: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    evaluated: list[int] = field(default_factory=list)
    ttft_ms: list[float] = field(default_factory=list)

    def add(self, question: Question, result: TurnResult, right: bool) -> None:
        """Count one answer."""
        self.types[question.type].append(right)
        self.evaluated.append(result.evaluated_tokens)
        self.ttft_ms.append(result.ttft_ms)
        self.answers.append(
            {
                "id": question.id,
                "question": question.words,
                "answer": result.text,
                "gold": question.answer,
                "right": right,
                "recalled": [{"id": each.id, "text": each.text} for each in result.recalled],
                "evaluated_tokens": result.evaluated_tokens,
            }
        )

    def as_json(self) -> dict[str, Any]:
        """`{n, right, share, by_type, evaluated_tokens, ttft_ms, answers}`; medians of the two."""
        right = sum(each["right"] for each in self.answers)
        n = len(self.answers)
        return {
            "n": n,
            "right": right,
            "share": round(right / n, 4) if n else 0.0,
            "by_type": {
                kind: {"n": len(marks), "right": sum(marks), "share": sum(marks) / len(marks)}
                for kind, marks in self.types.items()
            },
            "evaluated_tokens": statistics.median(self.evaluated) if n else 0,
            "ttft_ms": round(statistics.median(self.ttft_ms), 1) if n else 0.0,
            "answers": self.answers,
        }
