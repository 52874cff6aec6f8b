"""`companion bench memory`: what is resident, part by part, as the parts are loaded.

Each part is what the process grew by while it was loaded and used once. Weights of a language
model are the mapped file; the rest of its growth is the KV cache and the compute buffers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion import runtime
from companion.clock import Clock
from companion.config import Config
from companion.evaluation import bench_talk
from companion.evaluation.resident import Resident, resident
from companion.store import log
from companion.store.database import Store

CONTRACT_BYTES = 600 * 10**6
"""Most bytes beside weights, KV and compute in the lean profile (design, performance contract)."""


async def run(
    config: Config, clock: Clock, *, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench memory --json`, bytes."""
    parts: dict[str, int] = {}
    before = resident()
    parts["program"] = before.total
    on_progress("language model")
    async with runtime.language_model(config, config.llm.active) as model:
        await model.warm(bench_talk.head(config))
        after = resident()
        parts["weights"] = after.weights
        parts["kv_and_compute"] = _growth(before, after)
        on_progress("embedder")
        async with runtime.embedder(config) as embedder:
            await embedder.embed(["How are you today?"])
            before, after = after, resident()
            parts["embedder"] = _growth(before, after)
            on_progress("store")
            with TemporaryDirectory(prefix="companion-bench-") as folder:
                store = await Store.open(Path(folder), config.store, clock)
                await store.read(log.sessions)
                before, after = after, resident()
                parts["store"] = _growth(before, after)
                await store.close()
        beyond = after.total - after.weights - parts["kv_and_compute"]
        return {
            "model": model.name,
            "profile": config.profile,
            "context_tokens": model.context_tokens,
            "parts": parts,
            "total": after.total,
            "beyond_weights_kv_compute": beyond,
            "contract": CONTRACT_BYTES,
            "within_contract": beyond <= CONTRACT_BYTES,
            "torch_in_process": "torch" in sys.modules,
            "not_measured": ["stt", "tts"],
        }


def _growth(before: Resident, after: Resident) -> int:
    """Bytes that came, but for weights."""
    return max(0, (after.total - after.weights) - (before.total - before.weights))
