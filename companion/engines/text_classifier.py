"""Sequence classification: how likely a text, or a pair of texts, is of each of some kinds.

A small transformer encoder (MiniLM, 22 million weights) with a linear layer over the mean and the
maximum of its tokens. One file may have several heads, which share the lower layers and the word
vectors, each with kinds of its own. Trained by `scripts/train_message_guard.py` and
`scripts/train_health_networks.py`; runs in onnxruntime on the CPU, is loaded with the first text,
and has no part in the language model's state.
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
from companion.engines.protocols import TextOrPair
from companion.engines.utf8 import encodable
from companion.errors import EngineError, first_line

MOST_TOKENS = 96
"""Of a stretch; a longer text is read in several."""

STRIDE = 24
"""Tokens that two stretches have in common."""


GUARD = "logits"
"""The head that `train_message_guard.py` trains."""


class OnnxTextClassifier:
    """See `protocols.TextClassifier`. Several may share one file; it is loaded once."""

    def __init__(self, file: Path, threads: int = 1, *, head: str = GUARD) -> None:
        """file: NAME.onnx, which names the kinds of its heads, beside NAME.tokenizer.json."""
        self._file = file
        self._threads = threads
        self._head = head

    async def classify(self, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        """Raises EngineError."""
        try:
            network = await asyncio.to_thread(_network, self._file, self._threads)
            return await asyncio.to_thread(network.classify, self._head, tuple(texts))
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
        self._last: dict[str, tuple[bytes, list[dict[str, float]]]] = {}
        """What each head classified last, by its digest: guard and repertoire ask of the same
        words, and nothing of these is kept."""
        said = self._session.get_modelmeta().custom_metadata_map
        self._kinds = {
            key.partition(".")[2] or GUARD: kinds.split()
            for key, kinds in said.items()
            if key.partition(".")[0] == "kinds"
        }
        give_back()

    def classify(self, head: str, texts: Sequence[TextOrPair]) -> list[dict[str, float]]:
        read = [_encodable(each) for each in texts]
        digest = hashlib.sha256(repr(read).encode()).digest()
        last = self._last.get(head)
        if last is None or last[0] != digest:
            last = self._last[head] = digest, self._classified(head, read)
        return last[1]

    def _classified(self, head: str, texts: list[TextOrPair]) -> list[dict[str, float]]:
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
        logits: NDArray[np.float32] = self._session.run([head], feed)[0]
        if len(stretches) > 1:
            give_back()
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares = powers / powers.sum(axis=1, keepdims=True)
        return [dict(zip(self._kinds[head], map(float, row), strict=True)) for row in shares]


def _encodable(text: TextOrPair) -> TextOrPair:
    if isinstance(text, str):
        return encodable(text)
    one, other = text
    return encodable(one), encodable(other)
