"""`companion bench start`: from the start of a process to listening, and to the first token.

Each start is a process of its own: `with` finds the stored beginning of the prompt, `without`
has to read it. Times are taken on the machine's monotonic clock, which both processes share.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.assembly.dialog import build_dialog, stored_prefix
from companion.assembly.missing import Fail
from companion.assembly.models import open_models
from companion.assembly.store import open_store
from companion.clock import SystemClock
from companion.config import Config
from companion.errors import EngineError
from companion.weights.located import model_name

_CHILD = "from companion.evaluation.bench.start import child; child()"
HELLO = "Hello! How are you?"


async def run(config: Config, *, starts: int, on_progress: Callable[[str], None]) -> dict[str, Any]:
    """The document of `companion bench start --json`. Raises EngineError when a start fails."""
    arms: dict[str, Any] = {}
    on_progress("a first start, which stores the prefix")
    await _start(config, stored=True)
    for name, stored in (("with_prefix", True), ("without_prefix", False)):
        measured = []
        for number in range(starts):
            on_progress(f"{name} ({number + 1} of {starts})")
            measured.append(await _start(config, stored=stored))
        arms[name] = {
            key: round(statistics.median(each[key] for each in measured), 1)
            for key in ("listening_ms", "first_token_ms", "evaluated_tokens")
        }
    ratio = arms["without_prefix"]["first_token_ms"] / arms["with_prefix"]["first_token_ms"]
    return {
        "model": model_name(config.llm.active, config.models_dir),
        "starts": starts,
        "arms": arms,
        "ratio": round(ratio, 2),
    }


async def _start(config: Config, *, stored: bool) -> dict[str, float]:
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        asked = {
            "config": config.model_copy(update={"data_dir": Path(folder)}).model_dump(mode="json"),
            "stored": stored,
            "began": time.monotonic(),
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _CHILD),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            answer, _ = await process.communicate(json.dumps(asked).encode())
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode != 0:
        raise EngineError("bench start: the process that was started failed; its words stand above")
    found: dict[str, float] = json.loads(answer)
    return found


def child() -> None:
    """The process that is measured: reads what to do on stdin, prints its times."""
    asked = json.load(sys.stdin)
    config = Config.model_validate(asked["config"])
    print(json.dumps(asyncio.run(_measure(config, asked["stored"], asked["began"]))))


async def _measure(config: Config, stored: bool, began: float) -> dict[str, float]:
    clock = SystemClock()
    async with (
        open_store(config, clock, mode="owner") as store,
        open_models(config, Fail()) as engines,
    ):
        dialog = build_dialog(config, clock, store, engines.active, engines.embedder)
        await dialog.open()
        prefix = stored_prefix(config) if stored else None
        if prefix is not None:
            await prefix.load(engines.active)
        listening = time.monotonic() - began
        stream = dialog.reply(HELLO, keep=False)
        asked = time.monotonic() - began
        async with aclosing(stream) as sentences:
            async for _ in sentences:
                pass
        result = stream.result
    return {
        "listening_ms": listening * 1000,
        "first_token_ms": asked * 1000 + result.ttft_ms,
        "evaluated_tokens": result.evaluated_tokens,
    }
