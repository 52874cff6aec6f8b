"""`companion bench ttft`: time to the first token against the length of the context.

What figures 1, 2 and 7 of the paper show, as arms over one model, one conversation, one recalled
block and the same last words:

- `paper`: memories in the system prompt. They change at every turn, so everything after them is
  read again (figures 1 and 2).
- `stable`: memories in the person's message, everything before it lies in the cache (what
  figure 7 asks about).
- `spoken`: the message was read while it was being spoken; only the opening of the answer is left.

`stable` and `spoken` are the same prompt, token by token; `paper` holds the same texts in another
order. Arms take turns, so that what else the machine does falls on all of them, and what was
evaluated is counted by the engine.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any

from companion.assembly.models import open_language_model
from companion.config import Config
from companion.dialog import prompt
from companion.engines.protocols import ChatMessage, LanguageModel, Options, Snapshot
from companion.evaluation.bench import talk
from companion.evaluation.bench.watched import WatchedGeneration
from companion.recall.protocol import RecallResult

Messages = Sequence[ChatMessage]

ANSWER_TOKENS = 16
"""Decoded in each arm, for the decode speed."""

NOTES = 5
WORDS = "Do you remember what I told you about the paper boat and my brother?"

CONTRACT = {"stable": 8, "spoken": 20}
"""How many times sooner than `paper` the first token must come at 2,500 tokens."""


async def run(
    config: Config, *, contexts: Sequence[int], repeats: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench ttft --json`. Raises ContextTooSmall, ModelFileError."""
    room = max(contexts) + ANSWER_TOKENS + 64
    section = config.llm.active
    if section.context_tokens < room:
        section = section.model_copy(update={"context_tokens": room})
    async with open_language_model(config, section) as model:
        return await measure(config, model, contexts=contexts, repeats=repeats, note=on_progress)


async def measure(
    config: Config,
    model: LanguageModel,
    *,
    contexts: Sequence[int],
    repeats: int,
    note: Callable[[str], None],
) -> dict[str, Any]:
    """All lengths on a loaded model, shortest first; the longest one stands at the top, too."""
    lengths = []
    for context in sorted(contexts):
        note(f"{context:,} tokens")
        lengths.append(await _length(config, model, context, repeats, note))
    return {
        "model": model.name,
        **lengths[-1],
        "contract": CONTRACT,
        "lengths": lengths,
        "seed": talk.SEED,
        "repeats": repeats,
    }


async def _length(
    config: Config, model: LanguageModel, context: int, repeats: int, note: Callable[[str], None]
) -> dict[str, Any]:
    """All arms at one length."""
    head = talk.head(config)
    seen, fresh = talk.block(NOTES, 1), talk.block(NOTES, 2)
    shortest = talk.window_of(model, head, 0, WORDS, fresh)
    if model.count(prompt.build(head, shortest, WORDS, RecallResult(fresh, ()))) > context:
        head = head[:1]  # Lengths of which the examples alone would be most.
    window = talk.window_of(model, head, context, WORDS, fresh)
    history = prompt.history(head, window)
    late = prompt.build(head, window, WORDS, RecallResult(fresh, ()))
    early = prompt.build(head, window, WORDS, RecallResult(fresh, (), place="system"))
    # Of the turn before, only what stands before its memories can be reused.
    before = prompt.build(head, window, WORDS, RecallResult(seen, (), place="system"))[:1]
    arms = {
        "stable": await _Arm.ready(model, history, late),
        "spoken": await _Arm.ready(model, late, late),
        "paper": await _Arm.ready(model, before, early),
    }
    for number in range(repeats):
        for name, arm in arms.items():
            note(f"  {name} ({number + 1} of {repeats})")
            await arm.ask(model)
    figures = {name: arms[name].figures() for name in ("paper", "stable", "spoken")}
    return {
        "context_tokens": model.count(late),
        "examples": len(head) > 1,
        "arms": figures,
        **{
            f"ratio_{name}{suffix}": _ratio(figures["paper"][key], figures[name][key])
            for name in ("stable", "spoken")
            for suffix, key in (
                ("", "ttft_ms"),
                ("_cpu", "cpu_ms"),
                ("_tokens", "evaluated_tokens"),
            )
        },
    }


class _Arm:
    """A prompt, and what of it lies in the cache when it comes."""

    def __init__(self, cached: Messages, aside: Snapshot | None, asked: Messages) -> None:
        self._cached = cached
        self._aside = aside
        self._asked = asked
        self._answers: list[WatchedGeneration] = []

    @classmethod
    async def ready(cls, model: LanguageModel, cached: Messages, asked: Messages) -> _Arm:
        """Read what is cached once, and set it aside: each question begins there."""
        await model.warm(cached)
        return cls(cached, await model.snapshot(), asked)

    async def ask(self, model: LanguageModel) -> None:
        if self._aside is None or not await model.restore(self._aside):
            await model.warm(self._cached)  # A server keeps its own cache.
        options = Options(max_tokens=ANSWER_TOKENS)
        answer = WatchedGeneration(model.generate(self._asked, options))
        async with aclosing(answer):
            async for _ in answer:
                pass
        self._answers.append(answer)

    def figures(self) -> dict[str, Any]:
        usages = [each.usage for each in self._answers]
        firsts = [each.first.since(each.began) for each in self._answers]
        decoding = [
            (each.generated_tokens - 1) / (each.total_s - each.ttft_s)
            for each in usages
            if each.generated_tokens > 1 and each.total_s > each.ttft_s
        ]
        return {
            "ttft_ms": round(statistics.median(each.wall_s for each in firsts) * 1000, 1),
            "ttft_min_ms": round(min(each.wall_s for each in firsts) * 1000, 1),
            "ttft_max_ms": round(max(each.wall_s for each in firsts) * 1000, 1),
            "cpu_ms": round(statistics.median(each.cpu_s for each in firsts) * 1000, 1),
            "evaluated_tokens": usages[0].evaluated_tokens,
            "prompt_tokens": usages[0].prompt_tokens,
            "decode_tokens_per_s": round(statistics.median(decoding), 1) if decoding else None,
        }


def _ratio(paper: float, ours: float) -> float:
    return round(paper / max(ours, 0.001), 2)
