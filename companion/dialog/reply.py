"""A running reply and what it cost."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from companion.engines.protocols import Generation, Usage
from companion.recall.protocol import EMPTY, RecallResult
from companion.records import Recalled


class Delivery(Protocol):
    """Speaks a reply aloud, and knows how much of it was heard."""

    async def heard(self, said: str) -> str:
        """The part of the handed-over text that was heard. Awaited before the reply is stored: it
        returns once the last sound has been played or stopped."""


@dataclass(frozen=True)
class TurnResult:
    """A finished turn."""

    text: str
    """What was said, "" when it was interrupted before a word."""

    session: str | None
    """None when nothing of the turn was kept."""

    turn: int | None
    ttft_ms: float
    """From the call to the model's first piece of text, including everything in between: storing
    the words, recall, evaluating the prompt."""

    recall_ms: float
    """From the call to the end of recall."""

    total_ms: float
    """From the call to the last sentence."""

    prompt_tokens: int
    evaluated_tokens: int
    cached_tokens: int
    generated_tokens: int
    recalled: tuple[Recalled, ...]
    recalled_tokens: int = 0
    """Tokens of the recalled block."""

    example_tokens: int = 0
    """Tokens of the written exchanges put before the words."""

    cut: bool = False
    """Whether it was interrupted; `text` is then what was heard."""

    by: str = "model"
    """Who answered: "model", "guard", or as in `companion.answering.Answer.by`."""


@dataclass
class ReplyRecord:
    """What is known of a turn so far; the dialog fills it in."""

    kept: bool = False
    """Whether the turn belongs to the running session, whether already logged or only in RAM."""

    session: str | None = None
    turn: int | None = None
    said: list[str] = field(default_factory=list)
    """The sentences handed over so far."""

    started: float = field(default_factory=time.perf_counter)
    recall_s: float = 0.0
    ttft_s: float = 0.0
    total_s: float = 0.0
    usage: Usage = field(default_factory=Usage)
    recall: RecallResult = EMPTY
    recall_tokens: int = 0
    read_apart: bool = False
    """Whether what was recalled was read by a prompt of its own."""

    now: str = ""
    """The line that the words begin with in the prompt."""

    example_tokens: int = 0
    generation: Generation | None = None
    """The model's answer, while it is being generated."""

    stopped_for: str | None = None
    """The grave topic for which a guard stopped the turn."""

    stopped: bool = False
    """Whether somebody interrupted it, after which nothing more is handed over."""

    cut: bool = False
    by: str = "model"
    heard: str | None = None
    """What was heard, where that is known to differ from what was handed over."""

    @property
    def key(self) -> tuple[str, int] | None:
        """The turn in the log, when it has one."""
        if self.session is None or self.turn is None:
            return None
        return self.session, self.turn

    @property
    def text(self) -> str:
        return " ".join(self.said) if self.heard is None else self.heard

    @property
    def stays(self) -> RecallResult:
        """What of the recalled stays in the dialog's prompt: what was read apart does not, so that
        it is found again for the next question."""
        return replace(self.recall, block="", items=()) if self.read_apart else self.recall

    def recalled(self, recall: RecallResult, tokens: int) -> None:
        """Note that recall has finished. tokens: the length of its block."""
        self.recall, self.recall_tokens = recall, tokens
        self.recall_s = time.perf_counter() - self.started

    def heard_from_model(self) -> None:
        """Note that the model has produced a piece of text."""
        self.ttft_s = self.ttft_s or time.perf_counter() - self.started

    async def delivered(self, delivery: Delivery | None) -> None:
        """Wait until the reply has been heard, and note how much of it was. Without a delivery,
        everything that was handed over counts as heard."""
        if delivery is not None:
            said = self.text
            self.heard = await delivery.heard(said)
            self.cut = self.cut or self.heard != said

    def hand_over(self, sentence: str) -> str:
        """Count a sentence as said: whether it is heard to its end is not known here."""
        self.said.append(sentence)
        self.total_s = time.perf_counter() - self.started
        return sentence


class ReplyStream(AsyncIterator[str]):
    """The sentences of a reply, as they come.

    Consume it under `contextlib.aclosing`: closing it early stops the model at once and stores
    the reply as cut, with the sentences that had been handed over.
    """

    def __init__(self, speak: Callable[[ReplyRecord], AsyncGenerator[str, None]]) -> None:
        self._record = ReplyRecord()
        self._sentences = speak(self._record)
        self._ended = False

    async def __anext__(self) -> str:
        try:
            return await self._sentences.__anext__()
        except BaseException:
            self._ended = True
            raise

    async def stop(self) -> None:
        """Stop the model now, from any task. The iteration then ends, and the reply is stored as
        cut."""
        self._record.stopped = True
        if self._record.generation is not None:
            await self._record.generation.aclose()

    @property
    def stopped(self) -> bool:
        return self._record.stopped

    @property
    def by(self) -> str:
        """Who answers, as far as it is known yet: as `TurnResult.by`; of a guard that stopped a
        grave topic, with what the turn is marked with: "guard:worry"."""
        mark = self._record.stopped_for
        return f"guard:{mark}" if mark and self._record.by == "guard" else self._record.by

    async def aclose(self) -> None:
        """Stop, and store what was handed over. Calling it twice is harmless."""
        await self._sentences.aclose()
        self._ended = True

    @property
    def result(self) -> TurnResult:
        """The finished turn. Raises RuntimeError while it runs."""
        if not self._ended:
            raise RuntimeError("the reply has not ended: read it to its end or close it")
        record = self._record
        return TurnResult(
            text=record.text,
            session=record.session,
            turn=record.turn,
            ttft_ms=record.ttft_s * 1000,
            recall_ms=record.recall_s * 1000,
            total_ms=record.total_s * 1000,
            prompt_tokens=record.usage.prompt_tokens,
            evaluated_tokens=record.usage.evaluated_tokens,
            cached_tokens=record.usage.cached_tokens,
            generated_tokens=record.usage.generated_tokens,
            recalled=record.recall.items,
            recalled_tokens=record.recall_tokens,
            example_tokens=record.example_tokens,
            cut=record.cut,
            by=record.by,
        )
