"""Nights in processes of their own, to be killed.

`python -m tests.consolidation.child` imports everything once and then, for every order on stdin,
forks a child that runs one night; it answers with the child's exit code (-9: killed).
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from unittest.mock import patch

from companion import language
from companion.clock import ManualClock
from companion.config import ConsolidationSection, StoreSection
from companion.safety import patterns
from companion.store.database import Store
from tests.consolidation.conftest import START, World
from tests.consolidation.scribe import scribe
from tests.fakes import HashEmbedder, ScriptedModel

SECTION = ConsolidationSection(mode="turns", chunk_tokens=128)
FEW_EXAMPLES = {kind: texts[:1] for kind, texts in language.kinds.examples().items()}
"""Learning all of them takes longer than a night lives that is cut after a fifth of a second."""


async def night(
    directory: Path, seconds_per_token: float = 0.0, mode: Literal["turns", "words"] = "turns"
) -> None:
    """One inactive phase over the store in `directory`, to its end."""
    clock = ManualClock(START)
    store = await Store.open(directory, StoreSection(), clock)
    model = ScriptedModel(scribe, seconds_per_token=seconds_per_token)
    with patch.object(language.kinds, "examples", lambda: FEW_EXAMPLES):
        await World(store, clock, model, HashEmbedder(256)).night(
            section=SECTION.model_copy(update={"mode": mode})
        )
    await store.close()


@dataclass
class Nights:
    """A running nursery."""

    process: subprocess.Popen[str]

    def run(
        self,
        directory: Path,
        *,
        fault: str = "",
        kill_after_s: float | None = None,
        seconds_per_token: float = 0.0,
        mode: str = "turns",
    ) -> int:
        """One night in a fork; killed at a named fault point or after some time. Its code."""
        order = [str(directory), fault, kill_after_s, seconds_per_token, mode]
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@contextmanager
def nursery() -> Iterator[Nights]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.consolidation.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        yield Nights(process)
        assert process.stdin is not None
        process.stdin.close()


def _warm() -> None:
    """Read and compile once, before the forks, what a process reads once: all of it together takes
    longer than a night lives that is cut after a fifth of a second."""
    for name in language.MODULES:
        getattr(language, name)
    patterns.of_side("in")


def _serve() -> None:
    _warm()
    for line in sys.stdin:
        directory, fault, kill_after_s, seconds_per_token, mode = json.loads(line)
        child = os.fork()
        if child == 0:
            os.environ["COMPANION_FAULT"] = f"{fault}:kill"
            asyncio.run(night(Path(directory), seconds_per_token, mode))
            os._exit(0)
        if kill_after_s is not None:
            time.sleep(kill_after_s)
            os.kill(child, signal.SIGKILL)  # it is ours, and unreaped even when it has ended
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    _serve()
