"""`companion bench recall`: hybrid recall over stores of many memories.

The memories are synthetic and made from a seed: sentences put together from parts. A few
thousand are embedded by the real embedder; the rest take such a vector with noise added, so that
their neighbourhoods are as close as those of real sentences. Everything goes through the real
store, encrypted as configured, and through the dialog's own recall.
"""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.assembly.models import open_uncached_embedder
from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config
from companion.engines.protocols import Embedder
from companion.evaluation.figures import mean
from companion.evaluation.stopwatch import Stopwatch
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query
from companion.store import memories, token_bits
from companion.store.database import Store
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

Vectors = NDArray[np.float32]
SEED = 0
EMBEDDED = 2_000
"""Sentences that are really embedded."""

NOISE = 0.35
"""Length of the noise beside a sentence's vector of length 1: cosine 0.94 to it."""

K = 10
BATCH = 1_000
DELETED = 200

_WHO = "You|Your mother|Your brother|Your teacher|Your friend Mia|Grandpa|Your cousin|Aunt Rosa"
_DID = (
    "likes|saw|lost|drew|made|wants|found|bought|talked about|is afraid of|played with|read about"
)
_WHAT = (
    "a red kite|the old lighthouse|a wooden train|pancakes with honey|a small hedgehog|whales|"
    "the piano|a blue bicycle|the space museum|football cards|a secret garden|thunder|"
    "a robot of cardboard|the neighbour's cat|strawberry ice|a book of knots|the night train|"
    "a broken watch|snails|the school play|a tall tower of blocks|the river boat|chess|violins"
)
_WHEN = (
    "at the lake|in the morning|with two friends|last summer|before breakfast|in the rain|"
    "at the market|on the way to school|after the party|in the attic|near the bridge|in winter"
)


async def run(
    config: Config,
    clock: Clock,
    *,
    sizes: Sequence[int],
    queries: int,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """The document of `companion bench recall --json`: figures by number of memories."""
    figures: dict[int, dict[str, Any]] = {}
    async with open_uncached_embedder(config) as embedder:
        sentences = list(_sentences(max(sizes) + queries))
        on_progress(f"embedding {min(EMBEDDED, len(sentences)):,} sentences")
        vectors, tokens = await _vectors(embedder, sentences)
        for size in sizes:
            on_progress(f"{size:,} memories")
            async with _store(config, clock) as store:
                figures[size] = await _measure(
                    config, clock, store, embedder, sentences, vectors, tokens, size, queries
                )
    return {
        "embedder": embedder.name,
        "seed": SEED,
        "queries": queries,
        "encrypted": config.store.encrypt,
        "sizes": figures,
    }


async def _measure(
    config: Config,
    clock: Clock,
    store: Store,
    embedder: Embedder,
    sentences: Sequence[str],
    vectors: Vectors,
    tokens: Sequence[Bits],
    size: int,
    queries: int,
) -> dict[str, Any]:
    inserting = await _insert(store, embedder.name, sentences[:size], vectors, tokens, clock)
    recall = Recall(store, embedder, clock, config.retrieval, lambda text: len(text.split()))
    chance = random.Random(SEED)
    first, whole, embed, search = (Stopwatch() for _ in range(4))
    with first.lap():
        await recall.recall(Query("Do you remember me?"))
    hits = []
    for number in range(queries):
        asked = f"Do you remember, {_as_question(sentences[chance.randrange(size)])}?"
        with whole.lap():
            await recall.recall(Query(asked))
        with embed.lap():
            await embedder.embed([asked])
        query = vectors[-1 - number % queries]
        true = set((np.argsort(-(vectors[:size] @ query), kind="stable")[:K] + 1).tolist())
        with search.lap():
            found = await store.read(memories.nearest, query, K, embedder=embedder.name)
        hits.append(len(true & {id for id, _ in found}) / min(K, size))
    bytes_held = sum(each.stat().st_size for each in store.directory.glob("*.db*"))
    deleting = await _delete(store, min(DELETED, size))
    return {
        "first_ms": first.figures()["p50_ms"],
        **whole.figures(),
        **embed.figures("embed_"),
        **search.figures("vector_"),
        "recall_at_10": round(mean(hits), 4),
        "inserts_per_s": round(inserting, 1),
        "deletes_per_s": round(deleting, 1),
        "file_bytes": bytes_held,
    }


async def _insert(
    store: Store,
    embedder: str,
    texts: Sequence[str],
    vectors: Vectors,
    tokens: Sequence[Bits],
    clock: Clock,
) -> float:
    """Memories a second, in transactions of a thousand."""
    started = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        batch = range(start, min(start + BATCH, len(texts)))
        rows = [(texts[n], vectors[n], tokens[n % len(tokens)]) for n in batch]
        await store.write(_add, rows, embedder, clock)
    return len(texts) / (time.perf_counter() - started)


def _add(
    c: apsw.Connection, rows: Sequence[tuple[str, Vector, Bits]], embedder: str, clock: Clock
) -> None:
    now = clock.wall()
    for text, vector, bits in rows:
        memories.add(
            c,
            text,
            kind="fact",
            sources=[],
            vector=vector,
            embedder=embedder,
            now=now,
            tokens=bits,
        )


async def _delete(store: Store, number: int) -> float:
    """Memories a second, each in a transaction of its own, as a parent forgets them."""
    started = time.perf_counter()
    for id in range(1, number + 1):
        await store.write(memories.remove, id)
    return number / (time.perf_counter() - started)


async def _vectors(embedder: Embedder, sentences: Sequence[str]) -> tuple[Vectors, list[Bits]]:
    """One vector a sentence: its own, or a real one of another sentence with noise. And the tokens
    of those that are really embedded."""
    found = await embedder.embed_tokens(sentences[:EMBEDDED])
    real = np.stack([each.vector for each in found])
    rng = np.random.default_rng(SEED)
    rows: Vectors = real[np.arange(len(sentences)) % len(real)]
    noise = rng.normal(size=rows.shape).astype(np.float32)
    noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
    noise[: len(real)] = 0
    rows = rows + noise
    unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit, [token_bits.signs(each.tokens) for each in found]


def _sentences(number: int) -> Iterator[str]:
    chance = random.Random(SEED)
    parts = [part.split("|") for part in (_WHO, _DID, _WHAT, _WHEN)]
    for count in range(number):
        words = " ".join(chance.choice(part) for part in parts)
        yield f"{words}, for the {count}th time."


def _as_question(sentence: str) -> str:
    return sentence.rsplit(",", 1)[0].lower()


@asynccontextmanager
async def _store(config: Config, clock: Clock) -> AsyncIterator[Store]:
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        placed = config.model_copy(update={"data_dir": Path(folder)})
        async with open_store(placed, clock, mode="owner") as store:
            yield store
