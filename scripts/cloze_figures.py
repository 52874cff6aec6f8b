"""How long recall at a touch takes where rules answer, over many blocks; exit 1 above the target.

    cloze_figures.py [--blocks 10000] [--requests 60] [--json]

Whole requests (guard, gap, search, answer), wall and processor time, in a store of its own with
invented words. No model, and no embedding: rules are tried before a piece is embedded.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from companion import language  # noqa: E402
from companion.assist.assistant import Assistant  # noqa: E402
from companion.clock import SystemClock  # noqa: E402
from companion.config import AssistSection, StoreSection  # noqa: E402
from companion.safety.pattern_guard import PatternGuard  # noqa: E402
from companion.store import blocks, token_bits  # noqa: E402
from companion.store.database import Store  # noqa: E402
from tests.fakes import HashEmbedder  # noqa: E402

TARGET_MS = 20.0
START = datetime(2026, 1, 1, tzinfo=timezone.utc)
WORDS = """
ferry rain hat sister vet parrot fox sunday lunch bread oven tyre garden choir boat letter tea soup
road train shoe kettle market nurse lamp roof piano uncle cake snow bus tram river hill stone paper
coat glove apple pear plum cherry
""".split()
TOLD = (
    "Wanda's cat is called Mr. Plum, and he is fat.",
    "Ben likes Catan, Pandemic and Ticket to Ride.",
    "For my gingerbread you want flour, honey and eggs. More when I find the book.",
    "What I forgot of the gingerbread is candied lemon and a pinch of cloves.",
)
REQUESTS: tuple[tuple[str, str | None, str, str], ...] = (
    ("name", None, "Wanda's cat is called", "Mr. Plum"),
    ("list", None, "Ben? He likes Catan, Pandemic and", "Ticket to Ride"),
    ("list of two days", "What else?", "So: flour, honey, eggs. All?", "candied lemon, cloves"),
)


def _tell(c: apsw.Connection, count: int, name: str, dimension: int) -> None:
    pick, dice = random.Random(1), np.random.default_rng(1)
    said = [" ".join(pick.choice(WORDS) for _ in range(22)) + "." for _ in range(count)]
    for at, text in enumerate([*said, *TOLD]):
        id = blocks.add(c, text, START + timedelta(minutes=5 * at))
        tokens = dice.normal(size=(28, dimension)).astype(np.float32)
        vector = tokens[0] / np.linalg.norm(tokens[0])
        blocks.put_vector(c, id, name, vector, token_bits.signs(tokens))


async def measure(count: int, requests: int) -> dict[str, dict[str, float]]:
    """Kind of request to median and worst milliseconds. Raises AssertionError: a wrong answer."""
    language.choose("en")
    embedder = HashEmbedder(384)
    found: dict[str, dict[str, float]] = {}
    with TemporaryDirectory(prefix="companion-figures-") as folder:
        store = await Store.open(Path(folder), StoreSection(backups=0), SystemClock())
        try:
            await store.write(_tell, count, embedder.name, embedder.dimension)
            section = AssistSection(by="cloze")
            pick = random.Random(2)
            assistant = Assistant(None, embedder, store, PatternGuard(), section)
            for kind, query, context, answer in REQUESTS:
                wall, processor = [], []
                for _ in range(requests):
                    # Two words that thousands of the blocks hold stand in each context.
                    before = " ".join(pick.choice(WORDS) for _ in range(2))
                    began, spent = time.perf_counter(), time.process_time()
                    said = await assistant.assist(query, f"{before}. {context}")
                    processor.append(1000 * (time.process_time() - spent))
                    wall.append(1000 * (time.perf_counter() - began))
                    assert said.answer == answer, f"{kind}: {said.answer!r}"
                found[kind] = {
                    "wall_ms": round(statistics.median(wall), 1),
                    "wall_worst_ms": round(max(wall), 1),
                    "processor_ms": round(statistics.median(processor), 1),
                }
        finally:
            await store.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--blocks", type=int, default=10_000, metavar="N")
    parser.add_argument("--requests", type=int, default=60, metavar="N")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    found = asyncio.run(measure(asked.blocks, asked.requests))
    if asked.json:
        print(json.dumps(found))
    else:
        for kind, each in found.items():
            print(f"{kind:18} {json.dumps(each)}")
    return any(max(each["wall_ms"], each["processor_ms"]) > TARGET_MS for each in found.values())


if __name__ == "__main__":
    sys.exit(main())
