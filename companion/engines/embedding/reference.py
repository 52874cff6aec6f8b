"""Sentence embeddings through sentence-transformers, and their export for onnxruntime.

The reference backend: any model of that family, as its authors publish it. It brings torch, so
it is an extra (`pip install --editable '.[sentence-transformers]'`), and on small machines its
exported twin (`onnx_embedder`) does the same work in a fraction of the memory.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from companion.engines.embedding.onnx import OnnxNetwork
from companion.engines.protocols import TextVectors
from companion.engines.resident import Resident
from companion.engines.utf8 import encodable
from companion.errors import EngineError, ModelFileError, first_line

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SAMPLES = (
    "Rain.",
    "My dog is called Rex and he is four years old.",
    "Yesterday we walked to the old mill with grandma, and on the way back it rained so hard "
    "that all of us ran to the car.",
)
"""Texts of different lengths that an exported model is compared on."""

LEAST_COSINE = 0.999

POOLING = frozenset({"mean", "cls"})
"""What the ONNX embedder can do with token vectors."""


class SentenceTransformerEmbedder(Resident["SentenceTransformer"]):
    """An Embedder over sentence-transformers on the CPU; see `protocols.Embedder`."""

    @property
    def dimension(self) -> int:
        return int(self.engine.get_embedding_dimension())

    @classmethod
    async def load(cls, model: str, threads: int) -> SentenceTransformerEmbedder:
        """Load a folder, or a model that is in the local Hugging Face cache.

        Never from the network. Raises EngineError when the extra is not installed,
        ModelFileError when the model is not there.
        """
        name = Path(model).name
        return await cls.start("embedder", name, _load, model, threads)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return await self.run(_embed, [encodable(text) for text in texts])

    async def embed_tokens(self, texts: Sequence[str]) -> list[TextVectors]:
        if not texts:
            return []
        return await self.run(_embed_tokens, [encodable(text) for text in texts])


def _embed_tokens(model: SentenceTransformer, texts: list[str]) -> list[TextVectors]:
    """See `Embedder.embed_tokens`. The tokenizer is run once more, for where its tokens stand."""
    found = model.encode(
        texts, output_value=None, normalize_embeddings=True, show_progress_bar=False
    )
    places = model.tokenizer(
        texts,
        truncation=True,
        max_length=model.max_seq_length,
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
    )
    return [
        _text_vectors(each, np.array(offsets, np.int64), np.array(special) == 0)
        for each, offsets, special in zip(
            found, places["offset_mapping"], places["special_tokens_mask"], strict=True
        )
    ]


def _text_vectors(
    features: dict[str, Any], spans: NDArray[np.int64], words: NDArray[np.bool_]
) -> TextVectors:
    vector = np.asarray(features["sentence_embedding"], dtype=np.float32)
    tokens = np.asarray(features["token_embeddings"], dtype=np.float32)[: len(spans)][words]
    norms = np.linalg.norm(tokens, axis=1, keepdims=True).clip(min=1e-12)
    unit = vector / np.linalg.norm(vector).clip(min=1e-12)
    return TextVectors(unit, tokens / norms, spans[words])


def _embed(model: SentenceTransformer, texts: list[str]) -> NDArray[np.float32]:
    vectors = model.encode(
        texts, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
    )
    return np.asarray(vectors, dtype=np.float32)


def export_onnx(model: str, directory: Path) -> None:
    """Write a folder that `OnnxEmbedder` loads: network, tokenizer, pooling, in full precision.

    Takes what `SentenceTransformerEmbedder.load` takes. The folder appears complete or not at
    all, in place of one of that name. Raises EngineError, ModelFileError.
    """
    source = _load(model, os.cpu_count() or 1)
    pooling = _pooling(source, model)
    directory.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        _export_network(source, unfinished / "model.onnx")
        tokenizer = source.tokenizer.backend_tokenizer
        tokenizer.enable_truncation(max_length=source.max_seq_length)
        tokenizer.save(str(unfinished / "tokenizer.json"))
        (unfinished / "1_Pooling").mkdir()
        (unfinished / "1_Pooling" / "config.json").write_text(
            json.dumps({"pooling_mode": pooling}), encoding="utf-8"
        )
        _check_twin(source, unfinished, model)
        unfinished.chmod(0o755)
        if directory.exists():
            shutil.rmtree(directory)
        unfinished.rename(directory)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def _load(model: str, threads: int) -> SentenceTransformer:
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise EngineError(
            "embedder.backend sentence-transformers is not installed; "
            "run `pip install --editable '.[sentence-transformers]'`, or use backend onnx"
        ) from None
    torch.set_num_threads(threads)
    try:
        return SentenceTransformer(model, device="cpu", local_files_only=True)
    except (OSError, ValueError) as error:
        raise ModelFileError(
            f"{model}: is not a sentence-transformers model on this machine ({first_line(error)}); "
            "name its folder in embedder.model, or fetch it with `hf download`"
        ) from None


def _pooling(source: SentenceTransformer, model: str) -> str:
    """How the model makes one vector of many; EngineError when the export cannot do it."""
    kinds = [type(module).__name__ for module in source]
    if kinds[:2] == ["Transformer", "Pooling"] and kinds[2:] in ([], ["Normalize"]):
        mode = source[1].pooling_mode
        if mode in POOLING:
            return str(mode)
    raise EngineError(
        f"{model}: cannot be exported, only transformers with mean or cls pooling can; "
        "use it with embedder.backend: sentence-transformers"
    )


def _export_network(source: SentenceTransformer, path: Path) -> None:
    import torch

    class Encoder(torch.nn.Module):  # type: ignore[misc]
        """Token ids and mask to token vectors, and nothing else."""

        def __init__(self, transformer: Any) -> None:
            super().__init__()
            self.transformer = transformer

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.transformer(
                input_ids=input_ids, attention_mask=attention_mask
            ).last_hidden_state

    example = torch.ones(2, 7, dtype=torch.long)
    axes = {0: "texts", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # About tracing; `_check_twin` looks at the result.
        torch.onnx.export(
            Encoder(source[0].auto_model).eval(),
            (example, example),
            str(path),
            input_names=["input_ids", "attention_mask"],
            output_names=["token_vectors"],
            dynamic_axes={"input_ids": axes, "attention_mask": axes, "token_vectors": axes},
            opset_version=17,
            # The newer exporter took seven times as long and, for MiniLM with torch 2.13 and
            # transformers 5.23, wrote a network with other results (cosine 0.1).
            dynamo=False,
        )


def _check_twin(source: SentenceTransformer, directory: Path, model: str) -> None:
    """The exported network must say what its source says. Raises EngineError."""
    theirs = source.encode(list(SAMPLES), normalize_embeddings=True, show_progress_bar=False)
    mine = OnnxNetwork(directory, threads=1).embed(SAMPLES)
    worst = float((theirs * mine).sum(axis=1).min())
    if worst < LEAST_COSINE:
        raise EngineError(
            f"{model}: its export differs from it (cosine {worst:.3f}); "
            "use it with embedder.backend: sentence-transformers"
        )
