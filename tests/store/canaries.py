"""Words, vectors and tokens that occur nowhere by chance, and the search for what is left of them
in a store's files."""

from __future__ import annotations

import hashlib
from pathlib import Path

import apsw
import numpy as np

from companion.config import StoreSection
from companion.records import Role, Source
from companion.store import (
    intermediate,
    log,
    memories,
    token_bits,
    turn_index,
)
from companion.store.vectors import Vector

from .conftest import START, files

PLAIN = StoreSection(encrypt=False)


def canary(name: str) -> str:
    """A word that occurs nowhere by chance, that no stemmer changes, and that shares no long
    beginning with another (an index stores only where a word departs from the one before)."""
    return hashlib.sha256(name.encode()).hexdigest()[:20] + "zq"


def vector_of(name: str) -> Vector:
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).normal(size=64).astype(np.float32)
    unit: Vector = vector / np.linalg.norm(vector)
    return unit


def bits_of(name: str) -> token_bits.Bits:
    """Of a text of four tokens."""
    return token_bits.signs(np.stack([vector_of(f"{name} {number}") for number in range(4)]))


def traces(directory: Path, *names: str) -> list[str]:
    """The files that hold a piece of these canaries' words, vectors or tokens."""
    pieces = [
        piece
        for name in names
        for piece in (
            canary(name)[6:].encode(),
            *(vector_of(kind + name).tobytes()[64:128] for kind in ("turn", "query", "memory")),
            *(bits_of(kind + name).tobytes()[8:24] for kind in ("said", "reply", "text")),
        )
    ]
    return [
        path.name
        for path, content in files(directory).items()
        if any(piece in content for piece in pieces)
    ]


def say(c: apsw.Connection, session: str, *names: str) -> None:
    """A session with a turn per name, its vectors, and a draft of it."""
    rows: list[tuple[Role, str, object]] = []
    for name in names:
        rows += [("user", f"I like {canary(name)}", START), ("assistant", "Do you?", START)]
    log.import_messages(c, session, rows)  # type: ignore[arg-type]
    for number, name in enumerate(names, start=1):
        turn_index.put_turn_vectors(
            c,
            session,
            number,
            "e",
            vector_of("query" + name),
            vector_of("turn" + name),
            token_bits.TurnTokens(bits_of("said" + name), bits_of("reply" + name)),
        )
        draft = intermediate.Draft(0, canary(name), "fact", Source(session, number, canary(name)))
        intermediate.put_drafts(c, session, number, [draft])


def remember(c: apsw.Connection, name: str, *turns: tuple[str, int]) -> int:
    return memories.add(
        c,
        f"The child likes {canary(name)}",
        kind="fact",
        sources=[Source(session, turn, canary(name)) for session, turn in turns],
        vector=vector_of("memory" + name),
        tokens=bits_of("text" + name),
        embedder="e",
        now=START,
    )
