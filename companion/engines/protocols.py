"""What the rest of the program knows of its engines.

An engine owns a blocking library on one thread of its own; everything here is awaited from
the event loop. Text goes in and comes out: token ids stay inside the engine, which keeps the
ids of every message it has seen, so that history is never tokenized anew.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

ChatRole = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "deadline", "cancelled", "running"]


@dataclass(frozen=True)
class ChatMessage:
    """One message of a prompt."""

    role: ChatRole
    text: str


@dataclass(frozen=True)
class Options:
    """How to generate."""

    max_tokens: int = 160
    temperature: float = 0.0
    """0 is greedy: the same prompt gives the same text."""

    seed: int = 0
    grammar: str | None = None
    """GBNF whose root the answer must match. Engines over a plain server may ignore it."""

    json_schema: dict[str, Any] | None = None
    """JSON schema of the answer. At most one of `grammar` and `json_schema`."""

    stop: tuple[str, ...] = ()
    """The answer ends before any of these; they are not part of it."""

    deadline_s: float | None = None
    """Longest wall time for the whole call, in seconds."""

    trained: bool = False
    """With the adapter that was trained for this prompt, where the model has one."""


@dataclass
class Usage:
    """What a call cost. Complete once its stream has ended or was closed."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens that already lay in the KV cache."""

    evaluated_tokens: int = 0
    """Prompt tokens evaluated by this call: prompt_tokens - cached_tokens when it finished."""

    generated_tokens: int = 0
    ttft_s: float = 0.0
    """Seconds from the call to the first piece of text."""

    total_s: float = 0.0
    finish: Finish = "running"


@dataclass
class Snapshot:
    """An engine's state for one prompt prefix, set aside (opaque to everyone else)."""

    token_ids: tuple[int, ...]
    state: bytes = field(repr=False)
    trained: bool = False
    """Whether the adapter was on when it was evaluated."""


class Generation(Protocol):
    """A running answer: iterate for pieces of text; close to stop it at once.

    Leaving it half-read is a leak: consume it under `contextlib.aclosing`.
    """

    usage: Usage

    def __aiter__(self) -> AsyncIterator[str]: ...

    async def __anext__(self) -> str: ...

    async def aclose(self) -> None:
        """Stop now (within one slice of a prefill or one token) and free the engine."""


@runtime_checkable
class LanguageModel(Protocol):
    """A chat model. One call at a time: a second one waits for the first to end."""

    @property
    def name(self) -> str:
        """What identifies the weights, for records of measurements."""

    @property
    def context_tokens(self) -> int:
        """The most tokens that prompt and answer may take together."""

    def count(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens of the whole prompt, with its template and the opening of the answer."""

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        """Answer. Raises (while iterating) EngineError, or ContextTooSmall when the prompt and
        one token of answer do not fit."""

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        """Evaluate the prompt up to the end of its last message, so that it lies in the cache.

        Call it after every answer, with the answer among the messages, while nobody waits: on a
        CPU an answer's tokens, generated one by one, are evaluated once more in slices, so that
        answers never depend on what was cached (see `llama_context`). The next prompt then
        evaluates its new words, its template tokens and at most 7 tokens before them.
        Stops within one slice when the awaiting task is cancelled; what was evaluated stays.
        """

    async def snapshot(self) -> Snapshot | None:
        """Set the present state aside; None when this engine has none to give."""

    async def restore(self, snapshot: Snapshot) -> bool:
        """Put a state back; False when it does not fit this engine."""

    async def close(self) -> None:
        """Free the weights. Calling twice is harmless."""


@runtime_checkable
class ReadsStates(Protocol):
    """A language model whose last layer can be looked into (a server's cannot)."""

    async def hidden_state(self, messages: Sequence[ChatMessage]) -> NDArray[np.float32]:
        """What the last layer holds where the answer to a prompt begins, shape (hidden size,):
        what a linear probe reads (Alain and Bengio, 2016). Without the adapter. Raises EngineError,
        ContextTooSmall."""


def is_tuned(model: LanguageModel) -> bool:
    """Whether a model was trained on the companion's own prompts (an adapter lies over its
    weights), so that these need no examples. Models say so by an attribute `tuned`."""
    return bool(getattr(model, "tuned", False))


@dataclass(frozen=True)
class TextVectors:
    """A text as an embedder reads it: as a whole, and token by token, each in its context."""

    vector: NDArray[np.float32]
    """Shape (dimension,), L2 norm 1."""

    tokens: NDArray[np.float32]
    """Shape (tokens, dimension), rows of L2 norm 1. An embedder that has no vectors of tokens gives
    one row, the whole text."""

    spans: NDArray[np.int64]
    """Shape (tokens, 2): the characters of each token, the end excluded."""


@runtime_checkable
class Embedder(Protocol):
    """Turns text into unit vectors."""

    @property
    def name(self) -> str:
        """Identifies model and quantization; stored beside every vector."""

    @property
    def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of L2 norm 1. Long texts are cut by the model."""

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        """The same, and the vectors of their tokens, from one pass."""

    async def close(self) -> None:
        """Free the weights. Calling twice is harmless."""


@dataclass(frozen=True)
class Span:
    """Words of a passage."""

    text: str
    at: int
    """Where in the passage they begin, in characters."""

    score: float
    """How much likelier they are the answer than that it is not there, in log odds."""


TextOrPair = str | tuple[str, str]


class TextClassifier(Protocol):
    """Says of what kind a text is."""

    async def classify(self, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        """How likely each text, or pair of texts, is of each kind, 0 to 1, adding up to 1; of a
        long one for each stretch of it. Raises EngineError."""


class SpanReader(Protocol):
    """Finds the words of a passage that answer a question: extractive question answering."""

    async def read(self, question: str, passages: Sequence[str]) -> list[Span]:
        """The best span of each passage, in their order. Raises EngineError."""

    def forget(self) -> None:
        """Hold nothing of what was read."""


async def complete(
    model: LanguageModel, messages: Sequence[ChatMessage], options: Options
) -> tuple[str, Usage]:
    """Read a whole answer: its text, and what it cost. Cancelling stops the engine at once."""
    generation = model.generate(messages, options)
    try:
        pieces = [piece async for piece in generation]
    finally:
        await generation.aclose()
    return "".join(pieces), generation.usage
