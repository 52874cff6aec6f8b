"""What became of each request, counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

from companion.evaluation.assist.people import Answerable
from companion.evaluation.keywords import is_right

Kind = Literal["query", "queryless", "unanswerable"]
Verdict = Literal["right", "unknown", "wrong", "long"]


@dataclass(frozen=True)
class Answered:
    """One request and what was whispered."""

    person: str
    kind: Kind
    context: str
    query: str | None
    expected: str
    answer: str
    inferred_query: str | None
    by: str
    verdict: Verdict
    ms: float
    evaluated_tokens: int


def verdict(answer: str, wanted: Answerable | None) -> Verdict:
    """wanted: None where nothing can be right but saying nothing."""
    if wanted is not None and not wanted.answer:
        return "wrong" if answer else "right"
    if not answer:
        return "unknown"
    if wanted is None or not is_right(answer, wanted.all_of):
        return "wrong"
    return "right" if len(answer) <= wanted.max_chars else "long"


def document(arm: str, answered: Sequence[Answered]) -> dict[str, Any]:
    """As `companion eval assist --json` shows it; milliseconds and tokens are medians."""
    refused = [each for each in answered if each.kind == "unanswerable"]
    return {
        "arm": arm,
        "query": _counts([each for each in answered if each.kind == "query"]),
        "queryless": _counts([each for each in answered if each.kind == "queryless"]),
        "unanswerable": {
            "n": len(refused),
            "refused": sum(each.verdict == "unknown" for each in refused),
        },
        "ms": round(median(each.ms for each in answered), 1) if answered else 0.0,
        "evaluated_tokens": median(each.evaluated_tokens for each in answered) if answered else 0,
        "answers": [asdict(each) for each in answered],
    }


def _counts(answered: Sequence[Answered]) -> dict[str, Any]:
    given = [len(each.answer) for each in answered if each.answer]
    verdicts = [each.verdict for each in answered]
    return {
        "n": len(answered),
        **{each: verdicts.count(each) for each in ("right", "unknown", "wrong", "long")},
        "chars": round(sum(given) / len(given), 1) if given else 0.0,
    }
