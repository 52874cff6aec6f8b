"""What a profile will take on its machine, term by term. Pure arithmetic.

Sizes of weights are the manifest's; KV cache and compute buffers follow from the model's shape by
llama.cpp's own rules, which `bench memory` checks against what llama.cpp reports for the model
that it loads; what stands beside them (program, embedder, voice) is what `bench memory` measured;
the rest is assumed, and says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.config import Config, LlmSection
from companion.weights.manifest import Manifest

GRID = 8
"""Tokens that a batch may be longer than a slice of the prompt (`engines.llama_context`)."""


@dataclass(frozen=True)
class Geometry:
    """What decides how much memory a language model takes beside its weights."""

    layers: int
    heads: int
    heads_kv: int
    width: int
    """Of the embedding: `heads` times the width of a head."""

    vocabulary: int


GEOMETRIES = {
    # config.json of Qwen2.5-7B-Instruct: 28 layers, 28 heads of 128, 4 for keys and values.
    "qwen2.5-7b": Geometry(layers=28, heads=28, heads_kv=4, width=3584, vocabulary=152_064),
    "qwen2.5-coder-1.5b": Geometry(layers=28, heads=12, heads_kv=2, width=1536, vocabulary=151_936),
    "qwen2.5-coder-0.5b": Geometry(layers=24, heads=14, heads_kv=2, width=896, vocabulary=151_936),
    "smollm2-135m": Geometry(layers=30, heads=9, heads_kv=3, width=576, vocabulary=49_152),
}
"""Shapes of models by their name in the manifest, for those whose file is not on this machine."""

ROOM = {"tiny": 2 * 2**30, "laptop": 4 * 2**30, "jetson": 7620 * 2**20}
"""Bytes that a machine of a profile has: as config.yaml promises; and what the firmware of a Jetson
Orin Nano 8 GB leaves (tegrastats of JetPack 6 shows 7620MB)."""

SYSTEM = {"tiny": 350 * 10**6, "laptop": 900 * 10**6, "jetson": 929 * 2**20}
"""Assumed for what runs beside it. Jetson: the most that tegrastats of idle boards shows."""

CUDA_RUNTIME = 300 * 10**6
"""Assumed: CUDA's context and kernels."""


@dataclass(frozen=True)
class Term:
    """A part of a prediction."""

    size: int
    """Bytes."""

    how: str
    """Where the number comes from."""


def kv_bytes(shape: Geometry, context: int) -> int:
    """Keys and values in 16 bits, for each layer and token of the context. llama.cpp rounds a
    context up to multiples of 256."""
    head = shape.width // shape.heads
    return shape.layers * 2 * shape.heads_kv * head * 2 * (-(-context // 256) * 256)


def compute_bytes(shape: Geometry, context: int, batch: int, *, gpu: bool) -> int:
    """Buffers for one batch, in 32 bits: logits for each token of it are the most of them.

    An upper bound since the engine asks for the last token's logits alone (`n_outputs_max`).
    On a GPU (flash attention) hidden states come beside them, and on the host the attention mask.
    """
    logits = (shape.vocabulary + shape.width) * batch * 4
    if gpu:
        return logits + (context + 2 * shape.width) * batch * 4
    return logits + context * batch * 4


def compute_of(shape: Geometry, section: LlmSection) -> int:
    """Compute buffers for a model as it is configured."""
    batch = max(GRID, section.prefill_slice // GRID * GRID) + GRID
    return compute_bytes(shape, section.context_tokens, batch, gpu=section.gpu_layers != 0)


def knows(section: LlmSection) -> bool:
    """Whether `predict` can tell what this model takes."""
    return section.backend == "llama-cpp" and section.file is None and section.model in GEOMETRIES


def predict(config: Config, manifest: Manifest, measured: dict[str, int]) -> dict[str, Any]:
    """A profile's terms, their sum, and whether its machine has room.

    measured: bytes of the parts beside the language model (`bench memory`), by name.
    Only for what `knows`.
    """
    section = config.llm.active
    terms = _language_model(section, manifest)
    terms |= {name: Term(size, "measured here") for name, size in measured.items()}
    terms["system"] = Term(SYSTEM.get(config.profile, SYSTEM["laptop"]), "assumed")
    total = sum(term.size for term in terms.values())
    room = ROOM.get(config.profile)
    return {
        "model": section.model,
        "context_tokens": section.context_tokens,
        "terms": {name: {"bytes": term.size, "how": term.how} for name, term in terms.items()},
        "total": total,
        "room": room,
        "left": None if room is None else room - total,
        "fits": None if room is None else total <= room,
    }


def _language_model(section: LlmSection, manifest: Manifest) -> dict[str, Term]:
    shape = GEOMETRIES[section.model]
    context = section.context_tokens
    head = shape.width // shape.heads
    terms = {
        "weights": Term(
            sum(file.size for file in manifest[section.model].files), "size in the manifest"
        ),
        "kv": Term(
            kv_bytes(shape, context),
            f"{shape.layers} layers x 2 x {shape.heads_kv} heads x {head} x 2 bytes x "
            f"{context:,} tokens",
        ),
        "compute": Term(
            compute_of(shape, section),
            f"at most: a batch of {section.prefill_slice + GRID} tokens, with "
            f"{shape.vocabulary:,} logits of 4 bytes for each",
        ),
    }
    if section.gpu_layers != 0:
        terms["cuda_runtime"] = Term(CUDA_RUNTIME, "assumed")
    return terms
