"""Counting answers: right ones by type of question, and what they cost."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from companion.dialog.reply import TurnResult
from companion.evaluation.answers import NEVER_TOLD, NOT_TOLD, Mark, mark
from companion.evaluation.sets import Question


@dataclass
class Tally:
    """Answers so far."""

    answers: list[dict[str, Any]] = field(default_factory=list)
    marks: list[tuple[str, Mark]] = field(default_factory=list)
    """Type of the question, and the mark of its answer."""

    evaluated: list[int] = field(default_factory=list)
    ttft_ms: list[float] = field(default_factory=list)

    def add(self, question: Question, result: TurnResult) -> Mark:
        """Mark and count one answer."""
        marked = mark(question, result.text)
        self.marks.append((question.type, marked))
        self.evaluated.append(result.evaluated_tokens)
        self.ttft_ms.append(result.ttft_ms)
        self.answers.append(
            {
                "id": question.id,
                "question": question.words,
                "answer": result.text,
                "gold": question.answer,
                "type": question.type,
                "right": marked.right,
                "admitted": marked.admitted,
                "recalled": [{"id": each.id, "text": each.text} for each in result.recalled],
                "evaluated_tokens": result.evaluated_tokens,
            }
        )
        return marked

    def as_json(self) -> dict[str, Any]:
        """`{n, right, share, by_type, never_told: {n, admitted}, told: {n, refused},
        evaluated_tokens, ttft_ms, answers}`; medians of the two."""
        n = len(self.marks)
        right = sum(each.right for _, each in self.marks)
        types: dict[str, list[bool]] = defaultdict(list)
        for kind, each in self.marks:
            types[kind].append(each.right)
        untold = [each for kind, each in self.marks if kind == NEVER_TOLD]
        told = [each for kind, each in self.marks if kind not in NOT_TOLD]
        return {
            "n": n,
            "right": right,
            "share": round(right / n, 4) if n else 0.0,
            "by_type": {
                kind: {"n": len(rights), "right": sum(rights), "share": sum(rights) / len(rights)}
                for kind, rights in types.items()
            },
            "never_told": {"n": len(untold), "admitted": sum(each.admitted for each in untold)},
            "told": {
                "n": len(told),
                "refused": sum(each.admitted and not each.right for each in told),
            },
            "evaluated_tokens": statistics.median(self.evaluated) if n else 0,
            "ttft_ms": round(statistics.median(self.ttft_ms), 1) if n else 0.0,
            "answers": self.answers,
        }
