"""Sequence classification: how likely a text is of each of some kinds.

A small transformer encoder (MiniLM, 22 million weights) with a linear layer over the mean and the
maximum of its tokens. Trained by `scripts/train_message_guard.py`; runs in onnxruntime on the CPU,
is loaded with the first text, and has no part in the language model's state.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from companion.engines.heap import give_back
from companion.engines.onnx_session import open_session
from companion.engines.utf8 import encodable
from companion.errors import EngineError, first_line

MOST_TOKENS = 96
"""Of a stretch; a longer text is read in several."""

STRIDE = 24
"""Tokens that two stretches have in common."""


class OnnxTextClassifier:
    """See `protocols.TextClassifier`. Several may share one file; it is loaded once."""

    def __init__(self, file: Path, threads: int = 1) -> None:
        """file: NAME.onnx, which names its kinds, beside NAME.tokenizer.json."""
        self._file = file
        self._threads = threads

    async def classify(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Raises EngineError."""
        try:
            network = await asyncio.to_thread(_network, self._file, self._threads)
            return await asyncio.to_thread(network.classify, tuple(texts))
        except Exception as error:  # onnxruntime's and tokenizers' classes share no public base.
            raise EngineError(f"{self._file.name} cannot read: {first_line(error)}") from None


@functools.lru_cache(maxsize=2)
def _network(file: Path, threads: int) -> _Network:
    return _Network(file, threads)


class _Network:
    """Blocking."""

    def __init__(self, file: Path, threads: int) -> None:
        self._tokenizer = Tokenizer.from_file(str(file.with_suffix(".tokenizer.json")))
        self._tokenizer.enable_truncation(MOST_TOKENS, stride=STRIDE)
        self._tokenizer.enable_padding()
        self._session = open_session(file, threads, arena=False, folded=False)
        self._last: tuple[bytes, list[dict[str, float]]] | None = None
        """What was classified last, by its digest: guard and repertoire ask of the same words, and
        nothing of these is kept."""
        self._kinds = self._session.get_modelmeta().custom_metadata_map["kinds"].split()
        give_back()

    def classify(self, texts: Sequence[str]) -> list[dict[str, float]]:
        read = [encodable(each) for each in texts]
        digest = hashlib.sha256(repr(read).encode()).digest()
        if (last := self._last) is None or last[0] != digest:
            last = self._last = digest, self._classified(read)
        return last[1]

    def _classified(self, texts: list[str]) -> list[dict[str, float]]:
        if not texts:
            return []
        stretches = [
            each
            for read in self._tokenizer.encode_batch(texts)
            for each in (read, *read.overflowing)
        ]
        feed = {
            "input_ids": np.array([each.ids for each in stretches], dtype=np.int64),
            "attention_mask": np.array([each.attention_mask for each in stretches], dtype=np.int64),
        }
        logits: NDArray[np.float32] = self._session.run(None, feed)[0]
        if len(stretches) > 1:
            give_back()
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [dict(zip(self._kinds, map(float, row), strict=True)) for row in shares]
