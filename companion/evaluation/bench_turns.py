"""`companion bench turns`: a long conversation through the real dialog.

Counts, per warm turn, what the model had to read, beside what the contract allows: the person's
words, the recalled block, and 16 tokens. Times how much the program adds before the engine's own
first token (storing the words, recall, the prompt).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion import runtime
from companion.clock import Clock
from companion.config import Config
from companion.dialog.prompt import user_text
from companion.dialog.turn import Dialog
from companion.engines.protocols import ChatMessage, LanguageModel
from companion.evaluation import bench_talk
from companion.evaluation.figures import percentile
from companion.evaluation.watched import WatchedModel
from companion.store.database import Store

ALLOWED = 16
"""Tokens evaluated beyond words and block (design, performance contract)."""


async def run(
    config: Config, clock: Clock, *, turns: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench turns --json`."""
    persona = config.persona.model_copy(update={"greeting": False})
    config = config.model_copy(update={"persona": persona})
    async with runtime.engines(config) as engines:
        with TemporaryDirectory(prefix="companion-bench-") as folder:
            store = await Store.open(Path(folder), config.store, clock)
            try:
                model = WatchedModel(engines.active)
                dialog = runtime.dialog(config, clock, store, model, engines.embedder)
                await dialog.open()
                return await measure(dialog, model, turns=turns, note=on_progress)
            finally:
                await store.close()


async def measure(
    dialog: Dialog, model: WatchedModel, *, turns: int, note: Callable[[str], None]
) -> dict[str, Any]:
    """Talk, with the cache warmed after every turn as the phases do in silence."""
    said = bench_talk.exchanges()
    ttft, before_first, over, evaluated, prompts, warm_s = [], [], [], [], [], []
    await dialog.warm()
    for number in range(turns):
        words, _ = next(said)
        stream = dialog.reply(words)
        async with aclosing(stream) as sentences:
            async for _ in sentences:
                pass
        result = stream.result
        own = _tokens(model, user_text(words, "\n".join(each.text for each in result.recalled)))
        ttft.append(result.ttft_ms)
        before_first.append(result.ttft_ms - model.last.ttft_s * 1000)
        evaluated.append(result.evaluated_tokens)
        prompts.append(result.prompt_tokens)
        over.append(result.evaluated_tokens - own)
        started = time.perf_counter()
        await dialog.warm()
        warm_s.append(time.perf_counter() - started)
        if (number + 1) % 10 == 0:
            note(f"{number + 1} of {turns} turns")
    await dialog.close()
    return {
        "model": model.name,
        "turns": turns,
        "ttft_p50_ms": round(percentile(ttft, 0.5), 1),
        "ttft_p99_ms": round(percentile(ttft, 0.99), 1),
        "before_engine_p50_ms": round(percentile(before_first, 0.5), 2),
        "evaluated_p50": statistics.median(evaluated),
        "prompt_p50": statistics.median(prompts),
        "evaluated_share": round(sum(evaluated) / max(sum(prompts), 1), 4),
        "over_words_and_block_p50": statistics.median(over),
        "over_words_and_block_max": max(over),
        "turns_within_contract": sum(each <= ALLOWED for each in over),
        "warm_p50_s": round(percentile(warm_s, 0.5), 3),
        "seed": bench_talk.SEED,
    }


def _tokens(model: LanguageModel, text: str) -> int:
    """Tokens that a text adds to a prompt."""
    return model.count([ChatMessage("user", text)]) - model.count([ChatMessage("user", "")])
