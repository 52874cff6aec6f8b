"""Figures of the page, by hand: `python -m tests.web.bench_pages`.

First page with 100 and with 10,000 memories, and what the process holds after 1,000 pages.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

from companion.clock import ManualClock
from companion.config import Config, StoreSection
from companion.store.database import Store
from companion.web import door
from tests.web.conftest import LOOK, opened
from tests.web.fake_toy import PIN, FakeToy
from tests.web.store_toy import StoreToy, fill

NOW = datetime(2026, 11, 21, 16, 0, tzinfo=timezone.utc)
PAGES = ("/", "/memories", "/fading", "/talks")


async def first_pages(count: int, times: int = 30) -> dict[str, float]:
    """Milliseconds of each page, median, with so many memories."""
    with tempfile.TemporaryDirectory() as folder:
        clock = ManualClock(NOW)
        config = Config(data_dir=Path(folder))
        store = await Store.open(Path(folder), StoreSection(backups=0), clock, mode="owner")
        await store.write(fill, count, NOW)
        found = {}
        toy = StoreToy(store, config, clock)
        await toy.ask("pin_set", pin=PIN)
        async with opened(toy, clock) as page:
            await page.come_in()
            for path in PAGES:
                took = []
                for _ in range(times):
                    clock.advance(1)
                    began = time.perf_counter()
                    answer = await page.get(path)
                    took.append(1000 * (time.perf_counter() - began))
                    assert answer.status_code == 200, path
                found[path] = statistics.median(took)
        await store.close()
        return found


async def held(pages: int = 1000) -> list[float]:
    """Megabytes of this process at the start, after a tenth, and after all pages."""
    clock = ManualClock(NOW)
    found = [rss()]
    async with opened(FakeToy(), clock) as page:
        await page.come_in()
        for number in range(pages):
            clock.advance(1)
            await page.get(LOOK[number % len(LOOK)])
            if number + 1 in (pages // 10, pages):
                found.append(rss())
    return found


def rss() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1000


def main() -> None:
    door.ASKS = 1_000_000
    if "--held" in sys.argv:
        print("MB at start, after 100 and 1,000 pages:", asyncio.run(held()))
        return
    for count in (100, 10_000):
        shown = {path: f"{ms:.1f} ms" for path, ms in asyncio.run(first_pages(count)).items()}
        print(f"{count:>6} memories: {shown}", flush=True)


if __name__ == "__main__":
    main()
