"""A store with two days of talk, for recall."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone

from companion.clock import ManualClock
from companion.config import RetrievalSection
from companion.engines.protocols import Embedder
from companion.recall.embedding import embed_turn
from companion.recall.hybrid import Recall
from companion.recall.protocol import Query, RecallResult, TurnKey
from companion.records import Role, Source
from companion.store import history, log, memories, token_bits
from companion.store.database import Store

MONDAY = datetime(2026, 10, 5, 17, tzinfo=timezone.utc)

TALK = {
    "2026-10-05-1": [
        ("My hamster Biscuit can climb the curtain.", "What a brave hamster! Whales sing, too."),
        ("Tell me about whales.", "Blue whales are the biggest animals, and their song is deep."),
        ("I had pasta with peas for lunch.", "Peas are tiny green balls of fun."),
    ],
    "2026-10-07-1": [
        ("Yesterday we went to the castle with Grandpa.", "Castles have thick walls."),
        ("What colour is the sun?", "It is white, and looks yellow to us."),
        ("Teddy.", "That is a fine name for a bear."),
    ],
}


@dataclass
class World:
    """A store with two days of talk, seen from two days later."""

    store: Store
    embedder: Embedder
    clock: ManualClock
    section: RetrievalSection = field(default_factory=RetrievalSection)

    async def recall(
        self,
        words: str,
        *,
        previous: str | None = None,
        shown: frozenset[TurnKey] = frozenset(),
        of_memory: bool = False,
        **changes: int,
    ) -> RecallResult:
        found = Recall(
            self.store,
            self.embedder,
            self.clock,
            self.section.model_copy(update=changes),
            lambda text: len(text.split()),
        )
        return await found.recall(Query(words, None, shown, previous, of_memory=of_memory))

    async def talked(self, session: str, *exchanges: tuple[str, str]) -> None:
        """One more talk, on the day that its name begins with."""
        day = datetime.fromisoformat(f"{session[:10]}T17:00:00+00:00")
        rows: list[tuple[Role, str, datetime]] = []
        for said, reply in exchanges:
            rows += [("user", said, day), ("assistant", reply, day)]
        await self.store.write(log.import_messages, session, rows)
        for turn in await self.store.read(history.turns, session):
            await self.store.write((await embed_turn(self.embedder, turn)).put)

    async def learn(self, text: str, session: str, turn: int, quote: str) -> int:
        [embedded] = await self.embedder.embed_tokens([text])
        id: int = await self.store.write(
            memories.add,
            text,
            kind="fact",
            sources=[Source(session, turn, quote)],
            vector=embedded.vector,
            tokens=token_bits.signs(embedded.tokens),
            embedder=self.embedder.name,
            now=self.clock.wall(),
        )
        return id
