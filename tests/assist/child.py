"""`python -m tests.assist.child FOLDER`: overhears a sentence in a process that may be killed."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime, timezone
from pathlib import Path

from companion.assist.listening import Listening
from companion.clock import ManualClock
from companion.config import AssistSection, StoreSection
from companion.safety.pattern_guard import PatternGuard
from companion.store.database import Store
from tests.fakes import HashEmbedder

SAID = "Olu's sister Bisi is a vet in Hull, and she keeps a lame fox in the shed."
START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)


async def overhear(directory: Path) -> None:
    clock = ManualClock(START)
    store = await Store.open(directory, StoreSection(), clock)
    on = Listening(store, HashEmbedder(), PatternGuard(), clock, AssistSection(listen=True))
    on.start(10)
    await on.hear(SAID)
    await on.stop()
    await store.close()


if __name__ == "__main__":
    asyncio.run(overhear(Path(sys.argv[1])))
