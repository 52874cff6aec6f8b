"""The paper's recall over a whole conversation: nearest facts and nearest turns, by meaning alone.

`dialog.recall_paper` looks for turns in the running session only, as the paper does. A labelled
conversation is one long acquaintance, so here all of it is searched.
"""

from __future__ import annotations

from datetime import datetime

import apsw

from companion.config import RetrievalSection
from companion.dialog.notes import Note, memory_note, turn_note
from companion.dialog.recall import RecallResult
from companion.engines.protocols import Embedder
from companion.records import Recalled
from companion.store import log, memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector


class DenseRecall:
    """k_long memories and k_short turns with k_surrounding neighbours, each S_min similar."""

    def __init__(self, store: Store, embedder: Embedder, section: RetrievalSection) -> None:
        self._store = store
        self._embedder = embedder
        self._section = section

    async def recall(self, query: str, now: datetime) -> RecallResult:
        vector = (await self._embedder.embed([query]))[0]
        notes = await self._store.read(self._found, vector, now)
        return RecallResult(
            "\n".join(note.line for note, _ in notes),
            tuple(
                Recalled(id=note.id, kind=note.kind, text=note.line, score=round(score, 4))
                for note, score in notes
            ),
            place="system",
        )

    def _found(self, c: apsw.Connection, vector: Vector, now: datetime) -> list[tuple[Note, float]]:
        section, embedder = self._section, self._embedder.name
        notes: list[tuple[Note, float]] = []
        for id, cosine in memories.nearest(c, vector, section.k_long, embedder=embedder):
            memory = memories.get(c, id)
            if memory is not None and cosine >= section.s_min:
                notes.append((memory_note(memory, now), cosine))
        scores: dict[tuple[str, int], float] = {}
        around = section.k_surrounding
        found = turn_index.nearest_turns(c, vector, section.k_short, embedder=embedder)
        for session, number, cosine in found:
            for near in range(number - around, number + around + 1):
                if cosine >= section.s_min:
                    scores.setdefault((session, near), cosine)
        for key in sorted(scores):
            turn = log.turn(c, *key)
            note = turn_note(turn, "both", questions=True) if turn is not None else None
            if note is not None:
                notes.append((note, scores[key]))
        return notes
