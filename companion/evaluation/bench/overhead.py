"""What the runtime adds to bare llama.cpp on the same token ids. Pure arithmetic.

A turn is measured twice in one run, one right after the other, so that whatever else the machine
does falls on both: through the dialog, and as the bare calls of `bench.bare`. A sum of the
one over a sum of the other is what a slow or busy machine leaves as it is.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.evaluation.stopwatch import Moment

PER_TOKEN = 0.01
"""Most that a token may cost beyond llama.cpp, as a share (design, performance contract)."""


@dataclass(frozen=True)
class Cost:
    """One turn, one way."""

    first: Moment
    """From the words until the first token."""

    rest: Moment
    """From the first token until the last."""

    whole: Moment
    """From the words until everything was done, storing the reply included."""

    evaluated_tokens: int
    """Read of the prompt."""

    written_tokens: int
    """Evaluated one by one."""


Pair = tuple[Cost, Cost]
"""Ours and bare."""


def compare(pairs: Sequence[Pair]) -> dict[str, Any]:
    """`overhead` of `bench turns`: shares of the bare time, and milliseconds. At least one pair."""
    later = [(ours.first.wall_s - bare.first.wall_s) * 1000 for ours, bare in pairs]
    more = [ours.evaluated_tokens - bare.evaluated_tokens for ours, bare in pairs]
    written = sum(bare.written_tokens for _, bare in pairs)
    per_token = excess(pairs, lambda each: each.rest.wall_s)
    per_token_cpu = excess(pairs, lambda each: each.rest.cpu_s)
    bare_ms = sum(bare.rest.wall_s for _, bare in pairs) / max(written, 1) * 1000
    return {
        "turns": len(pairs),
        "tokens_written": written,
        "per_token": per_token,
        "per_token_cpu": per_token_cpu,
        "per_token_p50": round(statistics.median(_of_each(pairs)), 4),
        "bare_ms_per_token": round(bare_ms, 3),
        "first_later_p50_ms": round(statistics.median(later), 2),
        "prompt_tokens_more_p50": statistics.median(more),
        "whole": excess(pairs, lambda each: each.whole.wall_s),
        "whole_cpu": excess(pairs, lambda each: each.whole.cpu_s),
        "contract": PER_TOKEN,
        # By both clocks: on a busy machine the wall's favours whoever sleeps now and then.
        "within_contract": max(per_token, per_token_cpu) <= PER_TOKEN,
    }


def excess(pairs: Sequence[Pair], of: Callable[[Cost], float]) -> float:
    """How much more ours took in all, as a share of what bare took; 0 when bare took nothing."""
    bare = sum(of(each) for _, each in pairs)
    return round(sum(of(each) for each, _ in pairs) / bare - 1, 4) if bare > 0 else 0.0


def _of_each(pairs: Sequence[Pair]) -> list[float]:
    return [excess([pair], lambda each: each.rest.wall_s) for pair in pairs]
