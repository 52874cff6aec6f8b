"""The vectors of wordings, in files: one that is shipped, and one beside the models for packs of
the owner's own. What neither holds is computed in the background, once.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.engines.embedding.probe import PROBE, is_of
from companion.engines.protocols import Embedder
from companion.repertoire import byte_vectors
from companion.repertoire.byte_vectors import Bytes

SHIPPED = Path(__file__).with_name("vectors.npz")
"""Written by `scripts/fit_repertoire.py`."""

_BATCH = 8
"""Few, so that who embeds a message meanwhile hardly waits."""

Vectors = NDArray[np.float32]


class StoredVectors:
    """Vectors by the digest of their wording: no file holds words."""

    def __init__(self, found: Mapping[bytes, Vectors] | None = None) -> None:
        self._found = dict(found or {})

    def __len__(self) -> int:
        return len(self._found)

    def of(self, text: str) -> Vectors:
        """Raises KeyError."""
        return self._found[_digest(text)]

    def missing(self, texts: Iterable[str]) -> list[str]:
        return [text for text in dict.fromkeys(texts) if _digest(text) not in self._found]

    def put(self, text: str, vector: Vectors) -> None:
        self._found[_digest(text)] = vector

    def only(self, texts: Iterable[str]) -> StoredVectors:
        """Those of these texts; of those that are there."""
        keys = {_digest(text) for text in texts}
        return StoredVectors({key: each for key, each in self._found.items() if key in keys})

    def joined(self, other: StoredVectors) -> StoredVectors:
        return StoredVectors({**self._found, **other._found})

    def holds(self, texts: Iterable[str]) -> bool:
        """Whether it holds these texts and no others."""
        return {_digest(text) for text in texts} == set(self._found)

    async def complete(self, texts: Sequence[str], embedder: Embedder) -> None:
        """Compute what is missing. Raises EngineError."""
        missing = self.missing(texts)
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            for text, vector in zip(batch, await embedder.embed(batch), strict=True):
                self.put(text, vector)
            await asyncio.sleep(0)

    def write(self, path: Path) -> None:
        """One byte a number: cosines are off by 0.002 at most. Raises OSError."""
        keys = sorted(self._found)
        rows = np.stack([self._found[key] for key in keys])
        scaled = byte_vectors.of(rows).rows
        partial = path.with_name(f"{path.stem}.{os.getpid()}.partial.npz")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            names = np.frombuffer(b"".join(keys), dtype=np.uint8).reshape(len(keys), -1)
            np.savez(partial, keys=names, vectors=scaled)
            partial.replace(path)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


def read(path: Path) -> StoredVectors:
    """The vectors of a file; none where it is missing or damaged, as they can be computed again.

    numpy and zipfile report damage in many ways (see `companion.dialog.prefix`).
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            keys, scaled = stored["keys"], Bytes(stored["vectors"])
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile):
        return StoredVectors()
    rows = scaled.floats(0, len(keys))
    return StoredVectors({bytes(key): row for key, row in zip(keys, rows, strict=True)})


async def suits(embedder: Embedder, shipped: StoredVectors) -> bool:
    """Whether an embedder is the one of the shipped vectors. Raises EngineError."""
    try:
        known = shipped.of(PROBE)
    except KeyError:
        return False
    return await is_of(embedder, known)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:12]
