"""Small working stand-ins behind the engine protocols: no weights, the same manners.

The contract suites in tests/engines run over these and over the real engines alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from companion.answering import UNREAD, Reading
from companion.config import Config
from companion.engines.protocols import (
    ChatMessage,
    Generation,
    Options,
    Snapshot,
    TextVectors,
    Usage,
)
from companion.errors import ContextTooSmall, EngineError

Script = Sequence[str] | Callable[[Sequence[ChatMessage]], str]


class ScriptedModel:
    """A LanguageModel that says what it is told to, word by word.

    `replies` is a list (one per call, the last one again and again) or a function of the
    messages. Tokens are words with the space before them; a message costs one token more.
    `calls` records the messages of every call, `options` the options of every generation,
    `warmed` and `warming_cost` what it was warmed with, and the tokens that were evaluated for it.
    Like a KV cache, it counts the longest common prefix with the last prompt as cached.
    `records` False keeps none of these: talk of half an hour must not grow by what its model keeps.
    """

    def __init__(
        self,
        replies: Script = ("Hello!",),
        *,
        context_tokens: int = 4096,
        seconds_per_token: float = 0.0,
        name: str = "scripted",
        records: bool = True,
    ) -> None:
        self.calls: list[tuple[ChatMessage, ...]] = []
        self.options: list[Options] = []
        self.warmed: list[tuple[ChatMessage, ...]] = []
        self.warming_cost: list[int] = []
        self.busy = asyncio.Lock()
        self.closed = False
        self._replies = replies
        self._records = records
        self._context_tokens = context_tokens
        self.seconds_per_token = seconds_per_token
        self._name = name
        self._cache: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    @property
    def context_tokens(self) -> int:
        return self._context_tokens

    def count(self, messages: Sequence[ChatMessage]) -> int:
        return len(_prompt(messages)) + 1

    def generate(self, messages: Sequence[ChatMessage], options: Options) -> Generation:
        return ScriptedGeneration(self, messages, options)

    async def warm(self, messages: Sequence[ChatMessage], *, trained: bool = False) -> Usage:
        async with self.busy:
            if self._records:
                self.warmed.append(tuple(messages))
            usage = self.evaluate(_prompt(messages))
            if self._records:
                self.warming_cost.append(usage.evaluated_tokens)
            usage.finish = "stop"
            return usage

    async def snapshot(self) -> Snapshot | None:
        async with self.busy:
            return Snapshot(token_ids=(), state="\x1f".join(self._cache).encode())

    async def restore(self, snapshot: Snapshot) -> bool:
        async with self.busy:
            self._cache = snapshot.state.decode().split("\x1f")
            return True

    async def close(self) -> None:
        self.closed = True

    def evaluate(self, prompt: list[str]) -> Usage:
        """Put a prompt into the pretended cache; what it cost."""
        if self.closed:
            raise EngineError(f"{self._name}: was closed and cannot be used any more")
        if len(prompt) >= self._context_tokens:
            raise ContextTooSmall(
                f"a prompt of {len(prompt)} tokens does not fit a context of {self._context_tokens}"
            )
        pairs = zip(prompt, self._cache, strict=False)
        cached = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
        if cached is None:
            cached = min(len(prompt) - 1, len(self._cache))
        self._cache = prompt
        return Usage(len(prompt), cached, len(prompt) - cached)

    def answer(self, messages: Sequence[ChatMessage], options: Options) -> str:
        """What the script says to this call."""
        if self._records:
            self.calls.append(tuple(messages))
            self.options.append(options)
        if callable(self._replies):
            return self._replies(messages)
        return self._replies[min(len(self.calls), len(self._replies)) - 1]


class ScriptedGeneration:
    """A reply of a ScriptedModel; see `protocols.Generation`."""

    def __init__(
        self, model: ScriptedModel, messages: Sequence[ChatMessage], options: Options
    ) -> None:
        self.usage = Usage()
        self._model = model
        self._messages = messages
        self._options = options
        self._closing = asyncio.Event()
        self._step = asyncio.Lock()
        self._pieces = self._run()

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        async with self._step:
            if self._closing.is_set():
                raise StopAsyncIteration
            return await self._pieces.__anext__()

    async def aclose(self) -> None:
        self._closing.set()
        async with self._step:
            await self._pieces.aclose()
        if self.usage.finish == "running":
            self.usage.finish = "cancelled"

    async def _pause(self) -> None:
        """The time that one token takes; ends early when the generation is closed."""
        if self._model.seconds_per_token == 0:
            await asyncio.sleep(0)
            return
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closing.wait(), self._model.seconds_per_token)

    async def _run(self) -> AsyncGenerator[str, None]:
        started = time.monotonic()
        if self._options.grammar is not None and self._options.json_schema is not None:
            raise EngineError("give a grammar or a json_schema, not both")
        async with self._model.busy:
            cost = self._model.evaluate([*_prompt(self._messages), "<answer>"])
            vars(self.usage).update(vars(cost))
            script = self._model.answer(self._messages, self._options)
            text = _before_stop(script, self._options.stop)
            try:
                for word in re.findall(r"\s*\S+|\s+$", text):
                    if self.usage.generated_tokens == self._options.max_tokens:
                        self.usage.finish = "length"
                        return
                    await self._pause()
                    if self._closing.is_set():
                        return
                    elapsed = time.monotonic() - started
                    if self._options.deadline_s is not None and elapsed > self._options.deadline_s:
                        self.usage.finish = "deadline"
                        return
                    self.usage.generated_tokens += 1
                    self.usage.ttft_s = self.usage.ttft_s or elapsed
                    yield word
                self.usage.finish = "stop"
            finally:
                self.usage.total_s = time.monotonic() - started
                if self.usage.finish == "running":
                    self.usage.finish = "cancelled"


class ScriptedActs:
    """Reads messages as it is told to: an act for certain words, nothing for all others."""

    def __init__(self, acts: dict[str, str], probability: float = 0.95) -> None:
        self._acts = acts
        self._probability = probability

    async def read(self, words: str, previous: str) -> Reading:
        act = self._acts.get(words)
        return Reading({act: self._probability}) if act else UNREAD


class HashEmbedder:
    """A deterministic Embedder: hashed bag of words and word parts, so like texts are near."""

    def __init__(self, dimension: int = 64, name: str = "hash") -> None:
        self._dimension = dimension
        self._name = f"{name}-{dimension}"
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.closed:
            raise EngineError(f"{self._name}: was closed and cannot be used any more")
        rows = [self._row(text) for text in texts]
        return np.stack(rows) if rows else np.empty((0, self._dimension), dtype=np.float32)

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        vectors = await self.embed(texts)
        return [self._tokens(*each) for each in zip(vectors, texts, strict=True)]

    async def close(self) -> None:
        self.closed = True

    def _tokens(self, vector: NDArray[np.float32], text: str) -> TextVectors:
        """Each word by itself."""
        found = list(re.finditer(r"\w+", text[:2000]))
        rows = [self._row(each[0]) for each in found]
        return TextVectors(
            vector,
            np.stack(rows) if rows else np.empty((0, self._dimension), np.float32),
            np.array([each.span() for each in found], dtype=np.int64).reshape(-1, 2),
        )

    def _row(self, text: str) -> NDArray[np.float32]:
        row = np.zeros(self._dimension, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()[:2000]) or ["(nothing)"]:
            # Its first letters too, so that "dogs" and "dog" share something.
            for feature, weight in ((word, 1.0), (f"{word[:3]}*", 0.5)):
                digest = blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
                row[int.from_bytes(digest, "big") % self._dimension] += weight
        unit: NDArray[np.float32] = row / np.linalg.norm(row)
        return unit


def _prompt(messages: Sequence[ChatMessage]) -> list[str]:
    words: list[str] = []
    for message in messages:
        words += [f"<{message.role}>", *message.text.split()]
    return words


def _before_stop(text: str, stops: Sequence[str]) -> str:
    ends = [at for at in (text.find(stop) for stop in stops) if at >= 0]
    return text[: min(ends, default=len(text))]


def of_no_weights(config: Config) -> Config:
    """The same for a fake: as of a server no beginning of a prompt is stored, or it would be read
    from, and written beside, the real weights of this machine."""
    server = config.llm.active.model_copy(update={"backend": "openai"})
    return config.model_copy(update={"llm": config.llm.model_copy(update={"active": server})})


def with_labels(config: Config) -> Config:
    """The same, with sentences that the model writes as memories: nights of many calls."""
    turns = config.consolidation.model_copy(update={"mode": "turns"})
    return config.model_copy(update={"consolidation": turns})
