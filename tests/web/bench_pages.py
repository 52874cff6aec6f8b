"""Figures of the page, by hand: `python -m tests.web.bench_pages`.

First page with 100 and with 10,000 memories, and what the process holds after 1,000 pages.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timezone
from pathlib import Path

from companion.clock import ManualClock
from companion.config import Config, StoreSection
from companion.store.database import Store
from companion.web import door
from tests.web.conftest import LOOK, Page, opened
from tests.web.fake_toy import PIN, FakeToy
from tests.web.store_toy import StoreToy, fill

NOW = datetime(2026, 11, 21, 16, 0, tzinfo=timezone.utc)
COUNTS = (100, 10_000)
PAGES = ("/", "/memories", "/fading", "/talks")


async def first_pages(times: int = 30) -> None:
    """Each page by turns with few and with many memories: median milliseconds, passed and of this
    process's processor time."""
    with tempfile.TemporaryDirectory() as folder:
        async with AsyncExitStack() as stack:
            pages = {
                count: await stack.enter_async_context(filled(Path(folder, str(count)), count))
                for count in COUNTS
            }
            for path in PAGES:
                took: dict[int, list[tuple[float, float]]] = {count: [] for count in COUNTS}
                for _ in range(times):
                    for count, page in pages.items():
                        page.clock.advance(1)
                        began = time.perf_counter(), time.process_time()
                        answer = await page.get(path)
                        ended = time.perf_counter(), time.process_time()
                        took[count].append((ended[0] - began[0], ended[1] - began[1]))
                        assert answer.status_code == 200, path
                for name, which in (("passed", 0), ("processor", 1)):
                    few, many = (
                        1000 * statistics.median(each[which] for each in took[count])
                        for count in COUNTS
                    )
                    print(f"{path:<10} {name:<9} {few:6.1f} ms {many:6.1f} ms {many / few:5.2f} x")


@asynccontextmanager
async def filled(folder: Path, count: int) -> AsyncIterator[Page]:
    """A parent who is in, at a toy with so many memories."""
    clock = ManualClock(NOW)
    config = Config(data_dir=folder)
    store = await Store.open(folder, StoreSection(backups=0), clock, mode="owner")
    await store.write(fill, count, NOW)
    toy = StoreToy(store, config, clock)
    await toy.ask("pin_set", pin=PIN)
    async with opened(toy, clock) as page:
        await page.come_in()
        yield page
    await store.close()


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
    asyncio.run(first_pages())


if __name__ == "__main__":
    main()
