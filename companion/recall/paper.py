"""Recall as the embedded-companion paper describes it (section 4.2, appendix D): the baseline.

It takes the k_long memories and the k_short turns of the running session that are nearest to the
query, each with a similarity of at least S_min; a turn brings k_surrounding neighbours on each
side. All of this stands in the system prompt, as in the paper's appendix B.2, and therefore changes
it at every turn.
"""

from __future__ import annotations

import apsw

from companion.clock import Clock
from companion.config import RetrievalSection
from companion.engines.protocols import Embedder
from companion.recall.notes import Note, memory_note, turn_note
from companion.recall.protocol import Query, RecallResult, TurnKey
from companion.store import history, memories, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector


class PaperRecall:
    """Dense recall over memories and over the running session."""

    def __init__(
        self, store: Store, embedder: Embedder, clock: Clock, section: RetrievalSection
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._section = section

    async def recall(self, query: Query) -> RecallResult:
        """See `Recalls.recall`."""
        vector = (await self._embedder.embed([query.text]))[0]
        near = await self._store.read(self._memories, vector)
        turns = await self._store.read(self._turns, vector, query.session, query.known)
        lines = [note.line for note, _ in near]
        if turns:
            lines += ["Earlier in this conversation:", *(note.line for note, _ in turns)]
        return RecallResult(
            "\n".join(lines),
            tuple(note.recalled(score) for note, score in (*near, *turns)),
            tuple(int(note.id[1:]) for note, _ in near),
            place="system",
        )

    def _memories(self, c: apsw.Connection, vector: Vector) -> list[tuple[Note, float]]:
        today = self._clock.wall()
        found = memories.nearest(c, vector, self._section.k_long, embedder=self._embedder.name)
        known = memories.get_all(c, [id for id, _ in found])
        return [
            (memory_note(known[id], today), cosine)
            for id, cosine in found
            if cosine >= self._section.s_min
        ]

    def _turns(
        self, c: apsw.Connection, vector: Vector, session: str | None, shown: frozenset[TurnKey]
    ) -> list[tuple[Note, float]]:
        if session is None:
            return []
        found = turn_index.nearest_turns(
            c,
            vector,
            self._section.k_short,
            embedder=self._embedder.name,
            of="query",
            session=session,
        )
        scores: dict[int, float] = {}
        around = self._section.k_surrounding
        for _, number, cosine in found:
            if cosine >= self._section.s_min:
                for near in range(number - around, number + around + 1):
                    scores.setdefault(near, cosine)
        turns = history.turns_named(c, {(session, number) for number in scores} - shown)
        chosen = []
        for (_, number), turn in turns.items():
            note = turn_note(turn) if turn.stopped is None else None
            if note is not None:
                chosen.append((note, scores[number]))
        return chosen
