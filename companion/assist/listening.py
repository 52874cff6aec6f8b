"""The mode in which talk with others is overheard: switched on by somebody, for some minutes.

Off unless `assist.listen` stands in the configuration and somebody asks for it; it ends by the
clock, by `stop`, and with the program. What is heard becomes blocks (`buffer`), never turns. What
the guard stops is not kept, neither as a block nor as context. Sound is not kept at all.
"""

from __future__ import annotations

import logging
from collections import deque

from companion import faults
from companion.assist.buffer import Buffer, Piece
from companion.clock import Clock
from companion.config import AssistSection
from companion.engines.protocols import Embedder
from companion.errors import EngineError, InputError, StoreFailing
from companion.safety.verdict import Guard
from companion.store import blocks, token_bits
from companion.store.database import Store

logger = logging.getLogger(__name__)

MOST_MINUTES = 240
MOST_WAITING = 200
"""Blocks that wait in RAM while the disk fails; the oldest are lost first."""

STARTED = "I am listening to you all for a while now, so that I can help you remember."
ENDED = "I have stopped listening."


class Listening:
    """What is overheard, while it is."""

    def __init__(
        self, store: Store, embedder: Embedder, guard: Guard, clock: Clock, section: AssistSection
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._guard = guard
        self._clock = clock
        self._section = section
        self._buffer = Buffer(section.context_chars)
        self._until = 0.0
        self._on = False
        self._waiting: deque[Piece] = deque(maxlen=MOST_WAITING)

    @property
    def running(self) -> bool:
        """Whether what is heard is kept now. By the monotonic clock: whoever sets the wall clock
        neither ends nor prolongs it."""
        return self._on and self._clock.monotonic() < self._until

    @property
    def on(self) -> bool:
        """Whether it was switched on and not stopped since; its time may be over."""
        return self._on

    @property
    def left_s(self) -> float:
        """Seconds until it ends by itself; 0 when it does not run."""
        return max(0.0, self._until - self._clock.monotonic()) if self._on else 0.0

    @property
    def waiting(self) -> int:
        """Blocks that are so far only in RAM, because the disk fails."""
        return len(self._waiting)

    @property
    def context(self) -> str:
        """What was overheard last; "" when it does not run."""
        return self._buffer.context if self.running else ""

    def check(self, minutes: int | None) -> int:
        """For how many minutes it may be switched on. Raises InputError where it may not be."""
        if not self._section.listen:
            raise InputError(
                "listening to others is not allowed here: set assist.listen: true in config.yaml, "
                "and tell those who may be overheard (docs/assist.md)"
            )
        minutes = self._section.listen_minutes if minutes is None else minutes
        if not 1 <= minutes <= MOST_MINUTES:
            raise InputError(f"listening lasts 1 to {MOST_MINUTES} minutes, not {minutes}")
        return minutes

    def start(self, minutes: int | None = None) -> None:
        """Begin, or go on for so long from now. Raises what `check` raises."""
        self._until = self._clock.monotonic() + 60 * self.check(minutes)
        self._on = True

    async def stop(self) -> None:
        """End it; what was heard last becomes a block. Twice is harmless."""
        if self._on:
            self._on = False
            self._waiting.extend(self._buffer.end())
        await self._store_waiting()

    async def hear(self, text: str) -> None:
        """Take in a transcript. Nothing while it does not run, nor of what the guard stops; what it
        would only ask about is kept, as nobody is asked here."""
        if not self.running:
            return
        verdict = await self._guard.judge(text, side="in")
        if verdict.stops and not verdict.cares:
            return
        if not self.running:  # it was stopped while the guard thought
            return
        readable = text.encode(errors="ignore").decode()
        self._waiting.extend(self._buffer.add(readable, self._clock.wall()))
        await self._store_waiting()

    async def _store_waiting(self) -> None:
        """Store the blocks that are full, each with its vector; one that is cut off from it gets it
        at night."""
        while self._waiting:
            piece = self._waiting[0]
            try:
                id = await self._store.write(blocks.add, piece.text, piece.time)
            except StoreFailing as error:
                logger.error("%d overheard blocks wait in RAM: %s", len(self._waiting), error)
                return
            faults.point("overheard:stored")
            if self._waiting and self._waiting[0] is piece:
                self._waiting.popleft()
            try:
                text = blocks.block_text(piece.text, piece.time)
                [read] = await self._embedder.embed_tokens([text])
                bits = token_bits.signs(read.tokens)
                name = self._embedder.name
                await self._store.write(blocks.put_vector, id, name, read.vector, bits)
            except (EngineError, StoreFailing) as error:
                logger.error("an overheard block has no vector yet: %s", error)
