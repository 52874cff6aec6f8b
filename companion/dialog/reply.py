"""A running reply and what it cost."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol

from companion.dialog.recall_protocol import EMPTY, RecallResult
from companion.engines.protocols import Generation, Usage
from companion.records import Recalled


class Delivery(Protocol):
    """Who speaks a reply, and knows how much of it was heard."""

    async def heard(self, said: str) -> str:
        """What was heard of all that was handed over. Awaited before the reply is stored: it
        returns when the last sound has been played, or was stopped."""


@dataclass(frozen=True)
class TurnResult:
    """A finished turn."""

    text: str
    """What was said, "" when it was interrupted before a word."""

    session: str | None
    """None when nothing of the turn was kept."""

    turn: int | None
    ttft_ms: float
    """From the call to the model's first piece of text, with everything in between: storing the
    words, recall, the prompt."""

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

    cut: bool = False
    """It was interrupted; `text` is what was heard."""


@dataclass
class Account:
    """What is known of a turn so far; the dialog fills it in."""

    kept: bool = False
    """It belongs to the running session, be it in the log already or in RAM."""

    session: str | None = None
    turn: int | None = None
    said: list[str] = field(default_factory=list)
    """The sentences that were handed over."""

    started: float = field(default_factory=time.perf_counter)
    recall_s: float = 0.0
    ttft_s: float = 0.0
    total_s: float = 0.0
    usage: Usage = field(default_factory=Usage)
    recall: RecallResult = EMPTY
    recall_tokens: int = 0
    generation: Generation | None = None
    """The model's answer, while it is written."""

    barred: str | None = None
    """The grave topic for which a guard stopped the turn."""

    stopped: bool = False
    """Somebody interrupted it: nothing more is handed over."""

    cut: bool = False
    heard: str | None = None
    """What was heard, when that is known to differ from what was handed over."""

    @property
    def key(self) -> tuple[str, int] | None:
        """The turn in the log, when it has one."""
        if self.session is None or self.turn is None:
            return None
        return self.session, self.turn

    @property
    def text(self) -> str:
        return " ".join(self.said) if self.heard is None else self.heard

    def recalled(self, recall: RecallResult, tokens: int) -> None:
        """Recall has come to its end, with a block of so many tokens."""
        self.recall, self.recall_tokens = recall, tokens
        self.recall_s = time.perf_counter() - self.started

    def heard_from_model(self) -> None:
        """A piece of text has come."""
        self.ttft_s = self.ttft_s or time.perf_counter() - self.started

    async def delivered(self, delivery: Delivery | None) -> None:
        """Wait until the reply was heard, and keep what of it was; without a delivery it was
        heard as it was handed over."""
        if delivery is not None:
            said = self.text
            self.heard = await delivery.heard(said)
            self.cut = self.cut or self.heard != said

    def hand_over(self, sentence: str) -> str:
        """Count a sentence as said: nobody here can know whether it is heard to its end."""
        self.said.append(sentence)
        self.total_s = time.perf_counter() - self.started
        return sentence


class ReplyStream(AsyncIterator[str]):
    """The sentences of a reply, as they come.

    Consume it under `contextlib.aclosing`: closing it early stops the model at once and stores
    the reply as cut, with the sentences that had been handed over.
    """

    def __init__(self, speak: Callable[[Account], AsyncGenerator[str, None]]) -> None:
        self._account = Account()
        self._sentences = speak(self._account)
        self._ended = False

    async def __anext__(self) -> str:
        try:
            return await self._sentences.__anext__()
        except BaseException:
            self._ended = True
            raise

    async def stop(self) -> None:
        """Stop the model now, from any task. Whoever iterates then comes to the end, and the
        reply is stored as cut."""
        self._account.stopped = True
        if self._account.generation is not None:
            await self._account.generation.aclose()

    @property
    def stopped(self) -> bool:
        return self._account.stopped

    async def aclose(self) -> None:
        """Stop. What was handed over is stored; calling twice is harmless."""
        await self._sentences.aclose()
        self._ended = True

    @property
    def result(self) -> TurnResult:
        """The finished turn. Raises RuntimeError while it runs."""
        if not self._ended:
            raise RuntimeError("the reply has not ended: read it to its end or close it")
        account = self._account
        return TurnResult(
            text=account.text,
            session=account.session,
            turn=account.turn,
            ttft_ms=account.ttft_s * 1000,
            recall_ms=account.recall_s * 1000,
            total_ms=account.total_s * 1000,
            prompt_tokens=account.usage.prompt_tokens,
            evaluated_tokens=account.usage.evaluated_tokens,
            cached_tokens=account.usage.cached_tokens,
            generated_tokens=account.usage.generated_tokens,
            recalled=account.recall.items,
            recalled_tokens=account.recall_tokens,
            cut=account.cut,
        )
