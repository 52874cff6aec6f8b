"""Unit vectors as one byte a number, in the order of their texts, in a file and in RAM."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError


@dataclass(frozen=True)
class Bytes:
    """n vectors of d numbers; cosines are off by 0.002 at most."""

    rows: NDArray[np.int8]
    """Shape (n, d)."""

    def floats(self, start: int, stop: int) -> NDArray[np.float32]:
        """Some of them as unit vectors, shape (stop - start, d)."""
        found = self.rows[start:stop].astype(np.float32)
        found /= np.linalg.norm(found, axis=1, keepdims=True).clip(min=1e-9)
        return found

    def joined(self, other: Bytes) -> Bytes:
        return Bytes(np.concatenate([self.rows, other.rows]))

    def write(self, path: Path, texts: Sequence[str]) -> None:
        """Raises OSError."""
        np.savez_compressed(path, rows=self.rows, digest=_digest(texts))


def of(vectors: NDArray[np.float32]) -> Bytes:
    """vectors: shape (n, d), n may be 0."""
    most = np.abs(vectors).max(axis=1, keepdims=True, initial=1e-9)
    return Bytes(np.rint(vectors / most * 127).astype(np.int8))


def read(path: Path, texts: Sequence[str]) -> Bytes:
    """Those of a file, which was written for these texts. Raises InputError.

    numpy and zipfile report damage in many ways (see `companion.dialog.prefix`).
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            rows, digest = file["rows"], file["digest"]
    except (OSError, EOFError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: cannot be read: {type(error).__name__}") from None
    if len(rows) != len(texts) or not np.array_equal(digest, _digest(texts)):
        raise InputError(f"{path}: of other texts: run scripts/build_repertoire.py")
    return Bytes(rows)


def _digest(texts: Sequence[str]) -> NDArray[np.uint8]:
    whole = hashlib.sha256("\n".join(texts).encode()).digest()
    return np.frombuffer(whole, np.uint8)
