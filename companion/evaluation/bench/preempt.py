"""`companion bench preempt`: how soon consolidation gives the model up when somebody speaks.

A day of talk waits to be consolidated; it is begun, interrupted after a random time, and what is
timed is how long the caller waits until the model is free, and how long until the state of the
prompt is put back: whoever speaks waits for both. Then a question is answered, and its first token
is compared with that of an idle machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import statistics
import time
from collections.abc import Callable
from contextlib import aclosing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.assembly.consolidation import build_consolidation
from companion.assembly.missing import Fail
from companion.assembly.models import open_models
from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config
from companion.consolidation.phase import Consolidation
from companion.engines.protocols import ChatMessage, LanguageModel, Options
from companion.errors import EngineError
from companion.evaluation.bench import talk
from companion.evaluation.figures import percentile
from companion.records import Role
from companion.store import log

TURNS = 40
LONGEST_S = 2.0
"""An interruption comes at a random moment up to so long after the start."""

FREE_MS = 100
"""Most milliseconds until the model is free (design, performance contract), its state put back."""

FOREGROUND = 1.1
"""Most that a first token may take, in first tokens of an idle machine."""


async def run(
    config: Config, clock: Clock, *, interruptions: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench preempt --json`. Raises EngineError."""
    async with open_models(config, Fail()) as models:
        with TemporaryDirectory(prefix="companion-bench-") as folder:
            placed = config.model_copy(update={"data_dir": Path(folder)})
            async with open_store(placed, clock, mode="owner") as store:
                await store.write(log.import_messages, "talk", _talk(clock.wall()))
                model = models.inactive
                consolidation = build_consolidation(config, clock, store, model, models.embedder)
                return await measure(
                    config, model, consolidation, interruptions=interruptions, note=on_progress
                )


async def measure(
    config: Config,
    model: LanguageModel,
    consolidation: Consolidation,
    *,
    interruptions: int,
    note: Callable[[str], None],
    longest_s: float = LONGEST_S,
) -> dict[str, Any]:
    """Interrupt a running consolidation again and again, within so many seconds each time."""
    head = talk.head(config)
    asked = [*head, ChatMessage("user", "Hello! What shall we play?")]
    await model.warm(head)
    idle = [await _first_token_ms(model, head, asked) for _ in range(3)]
    chance = random.Random(talk.SEED)
    freed, restored, foreground = [], [], []
    for number in range(interruptions):
        note(f"interruption {number + 1} of {interruptions}")
        await model.warm(head)
        aside = await model.snapshot()
        work = asyncio.create_task(consolidation.run())
        await asyncio.wait([work], timeout=chance.uniform(0.05, longest_s))
        started = time.perf_counter()
        if not work.cancel():
            await work
            note("everything is consolidated: nothing is left to interrupt")
            break
        with contextlib.suppress(asyncio.CancelledError):
            await work
        free = time.perf_counter()
        if aside is not None:
            await model.restore(aside)
        freed.append((free - started) * 1000)
        restored.append((time.perf_counter() - free) * 1000)
        foreground.append(await _first_token_ms(model, None, asked))
    if not freed:
        raise EngineError("bench preempt: this model is done before it can be interrupted")
    ready = [sum(parts) for parts in zip(freed, restored, strict=True)]
    return {
        "model": model.name,
        "interruptions": len(freed),
        "free_p50_ms": round(percentile(freed, 0.5), 1),
        "free_p99_ms": round(percentile(freed, 0.99), 1),
        "restore_p50_ms": round(percentile(restored, 0.5), 1),
        "restore_p99_ms": round(percentile(restored, 0.99), 1),
        "ready_p50_ms": round(percentile(ready, 0.5), 1),
        "ready_p99_ms": round(percentile(ready, 0.99), 1),
        "idle_ttft_ms": round(statistics.median(idle), 1),
        "foreground_ttft_ms": round(statistics.median(foreground), 1),
        "ratio": round(statistics.median(foreground) / max(statistics.median(idle), 0.001), 2),
        "contract": {"free_p99_ms": FREE_MS, "ready_p99_ms": FREE_MS, "ratio": FOREGROUND},
        "each": {
            "free_ms": [round(each, 1) for each in freed],
            "restore_ms": [round(each, 1) for each in restored],
        },
        "seed": talk.SEED,
    }


async def _first_token_ms(
    model: LanguageModel, warmed: list[ChatMessage] | None, asked: list[ChatMessage]
) -> float:
    if warmed is not None:
        await model.warm(warmed)
    started = time.perf_counter()
    generation = model.generate(asked, Options(max_tokens=8))
    async with aclosing(generation):
        async for _ in generation:
            break
    return (time.perf_counter() - started) * 1000


def _talk(now: datetime) -> list[tuple[Role, str, datetime]]:
    said = talk.exchanges()
    rows: list[tuple[Role, str, datetime]] = []
    for number in range(TURNS):
        words, reply = next(said)
        time_said = now - timedelta(hours=2) + timedelta(seconds=30 * number)
        rows += [("user", words, time_said), ("assistant", reply, time_said)]
    return rows
