"""Sentence embeddings through onnxruntime: the default, without torch.

Reads a folder with `model.onnx` and `tokenizer.json`. A model that `companion models
export-embedder` wrote (see `st_embedder`) also has `1_Pooling/config.json` of the
sentence-transformers format, which says how token vectors become one; without it they are
averaged, as MiniLM wants.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession
from tokenizers import Encoding, Tokenizer

from companion.engines.heap import give_back
from companion.engines.onnx_session import open_session
from companion.engines.protocols import TextVectors
from companion.engines.resident import Resident
from companion.engines.utf8 import encodable
from companion.errors import EngineError, ModelFileError, first_line

BATCH = 32
"""Most texts in one call of the model."""

MOST_TOKENS = 512
"""Where long texts are cut when the tokenizer file does not say."""

Vectors = NDArray[np.float32]


class OnnxEmbedder(Resident["OnnxNetwork"]):
    """An exported transformer encoder; see `protocols.Embedder`."""

    @property
    def dimension(self) -> int:
        return self.engine.dimension

    @classmethod
    async def load(cls, directory: Path, *, name: str, threads: int) -> OnnxEmbedder:
        """Load from a folder. Raises ModelFileError when a file is missing or unreadable."""
        return await cls.start("embedder", name, OnnxNetwork, directory, threads)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self.run(OnnxNetwork.embed, list(texts))

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        return await self.run(OnnxNetwork.embed_tokens, list(texts))


class OnnxNetwork:
    """Tokenizer and network of one folder. Blocking, for one thread."""

    def __init__(self, directory: Path, threads: int) -> None:
        self._tokenizer = _load_tokenizer(directory / "tokenizer.json")
        self._session = _load_session(directory / "model.onnx", threads)
        self._pool_first = _pools_first_token(directory)
        self._inputs = {node.name for node in self._session.get_inputs()}
        unknown = self._inputs - {"input_ids", "attention_mask", "token_type_ids"}
        if unknown:
            raise ModelFileError(
                f"{directory / 'model.onnx'}: is not a text encoder (unknown input "
                f"{sorted(unknown)[0]!r}); export one with `companion models export-embedder`"
            )
        self.dimension: int = self._run(["a"])[0].vector.size
        give_back()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), rows of L2 norm 1."""
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        for row, found in self._in_batches(texts):
            vectors[row] = found.vector
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        """In the order of the texts."""
        found = dict(self._in_batches(texts))
        return [found[row] for row in range(len(texts))]

    def _in_batches(self, texts: Sequence[str]) -> Iterator[tuple[int, TextVectors]]:
        # Texts of like length share a batch: less padding, and padding is paid for in full.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            yield from zip(rows, self._run([texts[row] for row in rows]), strict=True)

    def _run(self, texts: list[str]) -> list[TextVectors]:
        encodings = self._tokenizer.encode_batch([encodable(text) for text in texts])
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        feed = {
            "input_ids": np.array([encoding.ids for encoding in encodings], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        try:
            outputs = self._session.run(
                None, {name: array for name, array in feed.items() if name in self._inputs}
            )
        except Exception as error:  # onnxruntime's own classes share no public base.
            raise EngineError(f"the embedder failed: {first_line(error)}") from None
        vectors = _unit(self._pool(outputs[0], mask))
        if outputs[0].ndim == 2:
            return [_without_tokens(*each) for each in zip(vectors, texts, strict=True)]
        return [_with_tokens(*each) for each in zip(vectors, outputs[0], encodings, strict=True)]

    def _pool(self, tokens: Vectors, mask: NDArray[np.int64]) -> Vectors:
        """(texts, tokens, dimension) to (texts, dimension)."""
        if tokens.ndim == 2:
            return tokens  # The network pools by itself.
        if self._pool_first:
            return tokens[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        pooled: Vectors = (tokens * weights).sum(axis=1) / weights.sum(axis=1).clip(min=1)
        return pooled


def name_of(directory: Path) -> str:
    """What to call a model in a folder of one's own: the folder's name, and a digest of the model.

    Vectors are kept apart by the name. Another model in the same folder, or in a folder of the same
    name, must not be compared with what the first one made.
    """
    try:
        with (directory / "model.onnx").open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            digest = hashlib.sha256(str(size).encode())
            for start in (0, max(0, size - _READ_BYTES)):  # all of a large one would take seconds
                file.seek(start)
                digest.update(file.read(_READ_BYTES))
    except OSError:
        return directory.name  # loading it says what is wrong
    return f"{directory.name} {digest.hexdigest()[:12]}"


_READ_BYTES = 4 << 20


def _load_tokenizer(path: Path) -> Tokenizer:
    _require(path)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare Exception.
        raise ModelFileError(
            f"{path}: is not a tokenizer ({first_line(error)}); "
            "fetch it again with `companion models fetch`"
        ) from None
    cut = tokenizer.truncation
    tokenizer.enable_truncation(max_length=cut["max_length"] if cut else MOST_TOKENS)
    padding = tokenizer.padding or {}
    # A fixed padding length (as in MiniLM's own file: 128) would cost the same for every word.
    tokenizer.enable_padding(
        pad_id=padding.get("pad_id", 0), pad_token=padding.get("pad_token", "[PAD]")
    )
    return tokenizer


def _load_session(path: Path, threads: int) -> InferenceSession:
    _require(path)
    try:
        # The arena keeps the most that any text ever took, and is no quicker.
        return open_session(path, threads, arena=False, severity=3)
    except Exception as error:  # onnxruntime's own classes share no public base.
        raise ModelFileError(
            f"{path}: is not a usable ONNX model ({first_line(error)}); "
            "fetch it again with `companion models fetch`"
        ) from None


def _pools_first_token(directory: Path) -> bool:
    path = directory / "1_Pooling" / "config.json"
    if not path.exists():
        return False
    try:
        modes = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise ModelFileError(f"{path}: is not valid JSON; export the model again") from None
    mode = modes.get("pooling_mode")  # Older files have one switch per mode instead.
    if mode == "mean" or modes.get("pooling_mode_mean_tokens"):
        return False
    if mode == "cls" or modes.get("pooling_mode_cls_token"):
        return True
    raise ModelFileError(f"{path}: only mean and cls pooling are supported; use another model")


def _require(path: Path) -> None:
    if not path.is_file():
        raise ModelFileError(f"{path}: no such file; fetch it with `companion models fetch`")


def _with_tokens(vector: Vectors, tokens: Vectors, encoding: Encoding) -> TextVectors:
    words = (np.array(encoding.attention_mask) == 1) & (np.array(encoding.special_tokens_mask) == 0)
    spans = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    return TextVectors(vector, _unit(tokens[words]), spans[words])


def _without_tokens(vector: Vectors, text: str) -> TextVectors:
    """For a network that pools by itself."""
    return TextVectors(vector, vector[None], np.array([[0, len(text)]], dtype=np.int64))


def _unit(vectors: Vectors) -> Vectors:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = (vectors / norms.clip(min=1e-12)).astype(np.float32)
    return unit
