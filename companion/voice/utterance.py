"""One thing that somebody may be saying, and what of it has been understood so far."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from companion.engines.sound_protocols import Samples
from companion.voice.ears import Heard
from companion.voice.endpoint import Committed
from companion.voice.report import Times

Understand = Callable[[Samples], Awaitable[Heard]]


class Utterance:
    """From the first sound to the endpoint. Work for an endpoint that was withdrawn drops itself:
    whatever comes back bears a revision, and only the newest one counts."""

    def __init__(self, *, interrupts: bool, audible: Sequence[str] = ()) -> None:
        """interrupts: it began while the companion was speaking, or about to.
        audible: what the companion said that could be heard when it began."""
        self.interrupts = interrupts
        self.audible = audible
        self.revision = -1
        self.stopped_us = False
        """It was speech enough to end what the companion was saying."""

        self.committed: Committed | None = None
        self.abandoned = False
        self.speech_ms = 0
        """Speech in it, by the detector, up to the newest possible end."""

        self.times: Times | None = None
        self.understood_at = 0.0
        self._understanding: asyncio.Task[Heard] | None = None
        self._news = asyncio.Event()
        self._partial: str | None = None

    def understand(self, revision: int, samples: Samples, understand: Understand) -> None:
        """Begin to find out what was said, up to a possible endpoint."""
        self.forget()
        self.revision = revision
        task = asyncio.create_task(_call(understand, samples), name="understand")
        task.add_done_callback(lambda _: self._news.set())
        self._understanding = task

    def forget(self) -> None:
        """Speech went on: what was begun is stale."""
        if self._understanding is not None:
            self._understanding.cancel()
            self._understanding = None

    def hint(self, words: str) -> None:
        """These words have most likely been said so far."""
        self._partial = words
        self._news.set()

    def commit(self, committed: Committed, understand: Understand) -> None:
        """The endpoint is certain."""
        if self._understanding is None or self.revision != committed.revision:
            self.understand(committed.revision, committed.samples, understand)
        self.committed = committed
        self._news.set()

    def abandon(self) -> None:
        """Nobody will hear its end."""
        self.forget()
        self.abandoned = True
        self._news.set()

    @property
    def over(self) -> bool:
        """No more of it will come."""
        return self.committed is not None or self.abandoned

    @property
    def ended(self) -> Times | None:
        """Its times, once the endpoint is certain."""
        return self.times if self.committed is not None else None

    async def likely(self) -> str | None:
        """Wait for news; the words that are likely to be all, when there are any by now."""
        await self._news.wait()
        self._news.clear()
        task = self._understanding
        if task is not None and task.done() and not task.cancelled() and not task.exception():
            heard = task.result()
            return heard.text if heard.kind == "words" else None
        partial, self._partial = self._partial, None
        return partial

    async def heard(self) -> Heard:
        """What was said, once the endpoint is certain. Raises EngineError."""
        assert self._understanding is not None, "committed"
        return await self._understanding


async def _call(understand: Understand, samples: Samples) -> Heard:
    return await understand(samples)
