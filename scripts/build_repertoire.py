"""Computes the vectors of all shipped packs and banks into companion/repertoire/vectors.npz.

Run it after every change of one: `.venv/bin/python scripts/build_repertoire.py`. A test notices
when it was forgotten. Only what the file lacks is computed.
"""

from __future__ import annotations

import asyncio

from companion import config
from companion.assembly.models import open_uncached_embedder
from companion.engines.embedding.probe import PROBE
from companion.repertoire import banks, packs, vectors


async def build() -> None:
    entries = [each for file in packs.files(packs.SHIPPED) for each in packs.read_file(file)]
    texts = [PROBE, *packs.texts(entries), *banks.texts(banks.shipped())]
    known = vectors.read(vectors.SHIPPED)
    new = known.missing(texts)
    async with open_uncached_embedder(config.load()) as embedder:
        await known.complete(texts, embedder)
    known.only(texts).write(vectors.SHIPPED)
    print(f"{len(entries)} entries, {len(set(texts)) - 1} wordings, {len(new)} computed")


if __name__ == "__main__":
    asyncio.run(build())
