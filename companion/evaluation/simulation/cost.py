"""What a run will cost: calls and tokens of each model, before anything is asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from companion.engines.protocols import ChatMessage, LanguageModel, Options, complete
from companion.evaluation.simulation.character import QUESTION_TYPES, Character
from companion.evaluation.simulation.grading import BATCH

LINE_TOKENS = 28
"""One thing said, by either side."""

HEAD_TOKENS = 700
"""Persona, rules and examples of the companion; read once, then cached."""

PERSON_TOKENS = 450
"""What the simulated person is told of itself."""

TASK_TOKENS = 200
"""What a judge is told of its task."""

DRAFT_TOKENS = 600
"""One structured call of consolidation."""

DRAFTS_PER_TURN = 2.0
"""Structured calls of consolidation for each turn, drafts and comparisons together."""

STATEMENTS_PER_TURN = 0.7
"""Memories that a turn leaves behind."""


@dataclass
class Load:
    """What one model is asked, as far as can be told beforehand."""

    calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0

    def add(self, calls: float, prompt_tokens: float, generated_tokens: float) -> None:
        """So many calls of about so many tokens each."""
        self.calls += ceil(calls)
        self.prompt_tokens += ceil(calls * prompt_tokens)
        self.generated_tokens += ceil(calls * generated_tokens)


@dataclass(frozen=True)
class Plan:
    """The size of a run."""

    people: int
    sessions: int
    """Of each person."""

    turns: int
    """Of each session."""

    questions: int
    """Of each type, made by the judge."""

    arms: Sequence[str]


def estimate(plan: Plan, characters: Sequence[Character]) -> dict[str, Load]:
    """Calls and tokens of `companion`, `user` and `judge`. Rough: to know hours from days."""
    found = {"companion": Load(), "user": Load(), "judge": Load()}
    items = sum(len(each.items()) for each in characters) / max(1, len(characters))
    written = sum(len(each.facts) + len(each.questions) for each in characters)
    written_each = written / max(1, len(characters)) / 2  # about half of it gets said
    asked = plan.questions * len(QUESTION_TYPES) + written_each
    talk = 2 * plan.turns * LINE_TOKENS
    whole = plan.sessions * talk
    for arm in plan.arms:
        lives = plan.people
        turns = plan.turns * (plan.sessions + 1)  # the last one takes an old topic up again
        found["user"].add(lives * turns, PERSON_TOKENS + talk / 2, LINE_TOKENS)
        found["user"].add(lives * plan.sessions, talk + 100, 60)
        found["companion"].add(lives * turns, LINE_TOKENS * 6, LINE_TOKENS)
        found["companion"].add(lives * asked, HEAD_TOKENS / 4 + 200, LINE_TOKENS)
        judge = found["judge"]
        judge.add(lives * 2, TASK_TOKENS + whole, 120)
        judge.add(lives * len(QUESTION_TYPES), TASK_TOKENS + whole, 80 * plan.questions)
        judge.add(lives * asked, TASK_TOKENS + whole, 8)
        judge.add(lives, TASK_TOKENS + 2 * talk, 150)
        if arm == "raw":
            continue
        drafts = plan.sessions * plan.turns * DRAFTS_PER_TURN
        found["companion"].add(lives * drafts, DRAFT_TOKENS, 50)
        batches = ceil(items / BATCH) * plan.sessions
        judge.add(lives * batches, TASK_TOKENS + whole / 2, 8 * BATCH)
        known = STATEMENTS_PER_TURN * plan.turns * plan.sessions
        judge.add(lives * batches, TASK_TOKENS + known * 15, 8 * BATCH)
        judge.add(lives * ceil(known / BATCH), TASK_TOKENS + 400 + whole, 8 * BATCH)
    return found


def steps(plan: Plan, characters: Sequence[Character]) -> int:
    """Items that a run will report, about as many."""
    items = max((len(each.items()) for each in characters), default=20)
    found = 0
    for arm in plan.arms:
        asked = len(QUESTION_TYPES) * (plan.questions + 1) + items // 2
        found += 2 * plan.sessions + asked + 1 + asked + 3
        if arm != "raw":
            known = STATEMENTS_PER_TURN * plan.turns * plan.sessions
            found += 2 * ceil(items / BATCH) * plan.sessions + ceil(known / BATCH)
    return found * plan.people


@dataclass(frozen=True)
class Speed:
    """Tokens a second of a model on this machine."""

    reads: float
    writes: float

    def seconds(self, load: Load) -> float:
        """How long it would take without pause."""
        return load.prompt_tokens / self.reads + load.generated_tokens / self.writes


async def measured(model: LanguageModel) -> Speed:
    """A short look at how fast a model reads and writes. Raises EngineError."""
    words = " ".join(f"{number} boats and {number + 1} birds," for number in range(12))
    messages = [ChatMessage("user", f"{words} went to sea. Go on with the story.")]
    began = time.perf_counter()
    _, usage = await complete(model, messages, Options(max_tokens=12))
    total = time.perf_counter() - began
    first = usage.ttft_s or total
    writing = max(total - first, 1e-6)
    return Speed(
        max(usage.evaluated_tokens, 1) / max(first, 1e-6),
        max(usage.generated_tokens - 1, 1) / writing,
    )


def as_json(loads: dict[str, Load], speeds: dict[str, Speed]) -> dict[str, Any]:
    """By model: calls, tokens, and minutes where the speed is known."""
    return {
        name: {
            "calls": load.calls,
            "prompt_tokens": load.prompt_tokens,
            "generated_tokens": load.generated_tokens,
            "minutes": round(speeds[name].seconds(load) / 60, 1) if name in speeds else None,
        }
        for name, load in loads.items()
    }
