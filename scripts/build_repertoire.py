"""Computes the vectors of all shipped packs and banks into companion/repertoire/vectors.npz, and
those of questions about the world into companion/repertoire/facts/vectors.npz.

Run it after every change of one: `.venv/bin/python scripts/build_repertoire.py`. A test notices
when it was forgotten. Of packs and banks only what the file lacks is computed; of questions all,
which takes a minute.
"""

from __future__ import annotations

import asyncio

import numpy as np

from companion import config
from companion.assembly.models import open_uncached_embedder
from companion.engines.embedding.probe import PROBE
from companion.engines.protocols import Embedder
from companion.repertoire import banks, byte_vectors, facts, packs, vectors

BATCH = 64


async def build() -> None:
    async with open_uncached_embedder(config.load()) as embedder:
        await build_packs(embedder)
        await build_facts(embedder)


async def build_packs(embedder: Embedder) -> None:
    entries = [each for file in packs.files(packs.SHIPPED) for each in packs.read_file(file)]
    texts = [PROBE, *packs.texts(entries), *banks.texts(banks.shipped())]
    known = vectors.read(vectors.SHIPPED)
    new = known.missing(texts)
    await known.complete(texts, embedder)
    known.only(texts).write(vectors.SHIPPED)
    print(f"{len(entries)} entries, {len(set(texts)) - 1} wordings, {len(new)} computed")


async def build_facts(embedder: Embedder) -> None:
    known = facts.read_folder(facts.SHIPPED)
    texts = facts.texts(known)
    rows = [await embedder.embed(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
    byte_vectors.of(np.concatenate(rows)).write(facts.VECTORS, texts)
    print(f"{len(known)} questions about the world, {len(texts)} wordings")


if __name__ == "__main__":
    asyncio.run(build())
