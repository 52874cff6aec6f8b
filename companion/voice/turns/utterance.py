"""One utterance, and what has been understood of it so far."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence

from companion.engines.sound.protocols import Samples
from companion.voice.turns.endpoint import Committed
from companion.voice.turns.report import Times
from companion.voice.turns.transcript_filter import FilteredTranscript

Understand = Callable[[Samples], Coroutine[None, None, FilteredTranscript]]


class Utterance:
    """An utterance from its first sound to its endpoint. Work for a withdrawn endpoint is dropped:
    every result carries a revision, and only the newest revision counts."""

    def __init__(
        self, *, interrupts: bool, audible: Sequence[str] = (), began: float = 0.0
    ) -> None:
        """interrupts: it began while the companion was speaking or about to speak.
        audible: the companion's sentences that could be heard when it began. began: when."""
        self.began = began
        self.interrupts = interrupts
        self.audible = audible
        self.revision = -1
        self.stopped_us = False
        """Whether it was enough speech to stop what the companion was saying."""

        self.committed: Committed | None = None
        self.abandoned = False
        self.speech_ms = 0
        """Milliseconds of speech that the detector found up to the newest possible end."""

        self.times: Times | None = None
        self.understood_at = 0.0
        self._understanding: asyncio.Task[FilteredTranscript] | None = None
        self._news = asyncio.Event()
        self._partial: str | None = None

    def understand(self, revision: int, samples: Samples, understand: Understand) -> None:
        """Begin to transcribe what was said up to a possible endpoint."""
        self.forget()
        self.revision = revision
        task = asyncio.create_task(understand(samples), name="understand")
        task.add_done_callback(lambda _: self._news.set())
        self._understanding = task

    def forget(self) -> None:
        """Drop the work begun, because speech went on."""
        if self._understanding is not None:
            self._understanding.cancel()
            self._understanding = None

    def hint(self, words: str) -> None:
        """Note the words that have most likely been said so far."""
        self._partial = words
        self._news.set()

    def commit(self, committed: Committed, understand: Understand) -> None:
        """Note that the endpoint is certain."""
        if self._understanding is None or self.revision != committed.revision:
            self.understand(committed.revision, committed.samples, understand)
        self.committed = committed
        self._news.set()

    def abandon(self) -> None:
        """Give the utterance up: its end will not be heard."""
        self.forget()
        self.abandoned = True
        self._news.set()

    def hand_over(self) -> asyncio.Task[FilteredTranscript] | None:
        """Let somebody else have what is being understood, if anything is, and be abandoned."""
        understanding, self._understanding = self._understanding, None
        self.abandon()
        return understanding

    @property
    def over(self) -> bool:
        """Whether it has ended or was abandoned."""
        return self.committed is not None or self.abandoned

    @property
    def ended(self) -> Times | None:
        """Its times, once the endpoint is certain."""
        return self.times if self.committed is not None else None

    async def likely(self) -> str | None:
        """Wait for the next change, then return the words that are likely to be all of it; None
        when there are none yet."""
        await self._news.wait()
        self._news.clear()
        task = self._understanding
        if task is not None and task.done() and not task.cancelled() and not task.exception():
            heard = task.result()
            return heard.text if heard.kind == "words" else None
        partial, self._partial = self._partial, None
        return partial

    async def heard(self) -> FilteredTranscript:
        """What was said, once the endpoint is certain. Raises EngineError."""
        assert self._understanding is not None, "committed"
        return await self._understanding
