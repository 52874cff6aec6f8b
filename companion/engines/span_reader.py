"""Extractive question answering: which words of a passage answer a question, if any do.

A small transformer encoder (MiniLM, 22 million weights) with two numbers for each token: how likely
the answer begins, and ends, there; the first token stands for "not here" (Devlin et al. 2019,
section 4.3). Trained by `scripts/train_span_reader.py`; runs in onnxruntime on the CPU, is loaded
with the first question, and has no part in the language model's state.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

from companion.engines.heap import give_back
from companion.engines.onnx_session import open_session
from companion.engines.protocols import Span
from companion.engines.utf8 import encodable
from companion.errors import EngineError, first_line

MOST_TOKENS = 200
"""Of question and passage together; the rest of a passage is not read."""

LONGEST = 14
"""Tokens of an answer."""

BATCH = 8
"""Passages in one call of the network."""


class OnnxSpanReader:
    """See `protocols.SpanReader`. Several may share one file; it is loaded once."""

    def __init__(self, file: Path, threads: int = 1) -> None:
        """file: NAME.onnx, beside NAME.tokenizer.json."""
        self._file = file
        self._threads = threads
        self._last: tuple[str, tuple[str, ...], list[Span]] | None = None
        self._forgotten = 0
        """How often; what was being read meanwhile is not kept either."""

    async def read(self, question: str, passages: Sequence[str]) -> list[Span]:
        """One span for each passage, in their order. What was asked last is not read again. Raises
        EngineError."""
        texts, forgotten = tuple(passages), self._forgotten
        if self._last is not None and self._last[:2] == (question, texts):
            return self._last[2]
        try:
            network = await asyncio.to_thread(_network, self._file, self._threads)
            found = await asyncio.to_thread(network.read, question, texts)
        except Exception as error:  # onnxruntime's and tokenizers' classes share no public base.
            raise EngineError(f"{self._file.name} cannot read: {first_line(error)}") from None
        if forgotten == self._forgotten:
            self._last = (question, texts, found)
        return found

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        self._last = None
        self._forgotten += 1


@functools.lru_cache(maxsize=2)
def _network(file: Path, threads: int) -> _Network:
    tokenizer = Tokenizer.from_file(str(file.with_suffix(".tokenizer.json")))
    tokenizer.enable_truncation(MOST_TOKENS, strategy="only_second")
    tokenizer.enable_padding()
    session = open_session(file, threads, arena=False, folded=False)
    give_back()
    return _Network(session, tokenizer)


class _Network:
    """Blocking."""

    def __init__(self, session: InferenceSession, tokenizer: Tokenizer) -> None:
        self._session = session
        self._tokenizer = tokenizer

    def read(self, question: str, passages: Sequence[str]) -> list[Span]:
        order = sorted(range(len(passages)), key=lambda at: len(passages[at]))
        found: dict[int, Span] = {}
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            read = self._batch(question, [passages[row] for row in rows])
            found.update(zip(rows, read, strict=True))
        return [found[row] for row in range(len(passages))]

    def _batch(self, question: str, passages: list[str]) -> list[Span]:
        pairs = [(encodable(question)[-MOST_TOKENS:], encodable(each)) for each in passages]
        encoded = self._tokenizer.encode_batch(pairs)
        feed = {
            "input_ids": np.array([each.ids for each in encoded], dtype=np.int64),
            "attention_mask": np.array([each.attention_mask for each in encoded], dtype=np.int64),
            "token_type_ids": np.array([each.type_ids for each in encoded], dtype=np.int64),
        }
        logits: NDArray[np.float32] = self._session.run(None, feed)[0]
        spans = []
        for passage, each, row in zip(passages, encoded, logits, strict=True):
            inside = [
                at
                for at, (sequence, (a, b)) in enumerate(
                    zip(each.sequence_ids, each.offsets, strict=True)
                )
                if sequence == 1 and b > a
            ]
            spans.append(_best(passage, row, [(at, each.offsets[at]) for at in inside]))
        return spans


def _best(
    passage: str, logits: NDArray[np.float32], tokens: Sequence[tuple[int, tuple[int, int]]]
) -> Span:
    """logits: (tokens of the pair, 2). tokens: places of the passage's, with their characters."""
    if not tokens:
        return Span("", 0, -float(np.inf))
    places = [at for at, _ in tokens]
    scores = logits[places, 0][:, None] + logits[places, 1][None, :]
    distance = np.arange(len(places))[None, :] - np.arange(len(places))[:, None]
    scores[(distance < 0) | (distance > LONGEST)] = -np.inf
    begin, end = divmod(int(scores.argmax()), len(places))
    a, b = tokens[begin][1][0], tokens[end][1][1]
    while a > 0 and passage[a - 1].isalnum():
        a -= 1
    while b < len(passage) and passage[b].isalnum():
        b += 1
    return Span(passage[a:b], a, float(scores[begin, end] - logits[0].sum()))
