"""`companion bench ttft`: time to the first token against the length of the context.

Three arms over one model, one conversation, one recalled block and the same last words:

- `paper`: memories in the system prompt. They change at every turn, so everything after them is
  read again.
- `stable`: memories in the person's message, everything before it lies in the cache.
- `spoken`: the message was read while it was being spoken; only the opening of the answer is left.

`stable` and `spoken` are the same prompt, token by token; `paper` holds the same texts in
another order. What was evaluated is counted by the engine, so that arms can be compared on a
machine that is busy with other things, too.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any

from companion import runtime
from companion.config import Config
from companion.dialog import prompt
from companion.dialog.recall import RecallResult
from companion.engines.protocols import ChatMessage, LanguageModel, Options, Usage
from companion.evaluation import bench_talk

ANSWER_TOKENS = 16
"""Decoded in each arm, for the decode speed."""

NOTES = 5
WORDS = "Do you remember what I told you about the paper boat and my brother?"


async def run(
    config: Config, *, context: int, repeats: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench ttft --json`. Raises ContextTooSmall, ModelFileError."""
    room = context + ANSWER_TOKENS + 64
    section = config.llm.active
    if section.context_tokens < room:
        section = section.model_copy(update={"context_tokens": room})
    async with runtime.language_model(config, section) as model:
        return await measure(config, model, context=context, repeats=repeats, note=on_progress)


async def measure(
    config: Config,
    model: LanguageModel,
    *,
    context: int,
    repeats: int,
    note: Callable[[str], None],
) -> dict[str, Any]:
    """All arms on a loaded model."""
    before = bench_talk.head(config)
    seen, fresh = bench_talk.block(NOTES, 1), bench_talk.block(NOTES, 2)
    window = bench_talk.window_of(model, before, context, WORDS, fresh)
    history = prompt.history(before, window)
    late = prompt.build(before, window, WORDS, RecallResult(fresh, ()))
    early = prompt.build(before, window, WORDS, RecallResult(fresh, (), place="system"))
    last_turn = prompt.build(before, window, WORDS, RecallResult(seen, (), place="system"))[:-1]
    cached: dict[str, tuple[Sequence[ChatMessage], Sequence[ChatMessage]]] = {
        "paper": (last_turn, early),
        "stable": (history, late),
        "spoken": (late, late),
    }
    arms: dict[str, Any] = {}
    for name, (warmed, asked) in cached.items():
        usages = []
        for number in range(repeats):
            note(f"{name} ({number + 1} of {repeats})")
            await model.warm(history)
            await model.warm(warmed)
            usages.append(await _first_token(model, asked))
        arms[name] = _figures(usages)
    first = arms["paper"]["ttft_ms"]
    return {
        "model": model.name,
        "context_tokens": model.count(late),
        "arms": arms,
        "ratio_stable": round(first / max(arms["stable"]["ttft_ms"], 0.001), 2),
        "ratio_spoken": round(first / max(arms["spoken"]["ttft_ms"], 0.001), 2),
        "seed": bench_talk.SEED,
        "repeats": repeats,
    }


async def _first_token(model: LanguageModel, messages: Sequence[ChatMessage]) -> Usage:
    generation = model.generate(messages, Options(max_tokens=ANSWER_TOKENS))
    async with aclosing(generation):
        async for _ in generation:
            pass
    return generation.usage


def _figures(usages: Sequence[Usage]) -> dict[str, Any]:
    decoding = [
        (each.generated_tokens - 1) / (each.total_s - each.ttft_s)
        for each in usages
        if each.generated_tokens > 1 and each.total_s > each.ttft_s
    ]
    return {
        "ttft_ms": round(statistics.median(each.ttft_s for each in usages) * 1000, 1),
        "evaluated_tokens": usages[0].evaluated_tokens,
        "prompt_tokens": usages[0].prompt_tokens,
        "decode_tokens_per_s": round(statistics.median(decoding), 1) if decoding else None,
    }
