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
from companion.engines.llama.geometry import Geometry
from companion.weights.manifest import Manifest

GRID = 8
"""Tokens that a batch may be longer than a slice of the prompt (`engines.llama_context`)."""

GEOMETRIES = {
    # By each model's config.json.
    "qwen2.5-7b": Geometry(28, 28, 4, 128, 3584, 18944, 152_064),
    "qwen3-4b-instruct-2507": Geometry(36, 32, 8, 128, 2560, 9728, 151_936),
    "qwen2.5-1.5b": Geometry(28, 12, 2, 128, 1536, 8960, 151_936),
    "qwen2.5-coder-1.5b": Geometry(28, 12, 2, 128, 1536, 8960, 151_936),
    "qwen2.5-coder-0.5b": Geometry(24, 14, 2, 64, 896, 4864, 151_936),
    "smollm2-135m": Geometry(30, 9, 3, 64, 576, 1536, 49_152),
}
"""Shapes of models by their name in the manifest, for those whose file is not on this machine."""

TIED = {"qwen3-4b-instruct-2507": 151_936 * 2560 // 256 * 210}
"""Bytes of the token table (Q6_K) of models whose output is the same tensor: with layers on a GPU,
llama.cpp keeps it on the host too."""

REPACKED = {
    "qwen2.5-7b": 3_121_348_608,
    "qwen3-4b-instruct-2507": 1_765_048_320,
    "qwen2.5-1.5b": 625_508_352,
    "qwen2.5-coder-1.5b": 625_508_352,
    "qwen2.5-coder-0.5b": 29_417_472,
}
"""Bytes of the layers' matrices in Q4_K, which llama.cpp lays out anew for a processor's wide
registers (AVX2 and more, or ARM's dot products), beside the mapped file."""

BOARD = 7620 * 2**20
"""Bytes that the firmware of a Jetson Orin Nano 8 GB leaves (tegrastats of JetPack 6: 7620MB)."""

IDLE_BOARD = 929 * 2**20
"""The most that tegrastats of idle boards shows."""

ROOM = {
    "tiny": 2 * 2**30,
    "laptop": 4 * 2**30,
    "desktop": 8 * 2**30,
    "jetson": BOARD,
    "jetson-4b": BOARD,
}
"""Bytes that a machine of a profile has, as config.yaml promises; of `desktop`, that are free."""

SYSTEM = {
    "tiny": 350 * 10**6,
    "laptop": 900 * 10**6,
    "desktop": 0,
    "jetson": IDLE_BOARD,
    "jetson-4b": IDLE_BOARD,
}
"""Assumed for what runs beside it; of `desktop` it is left out of its room."""

CUDA_RUNTIME = 300 * 10**6
"""Assumed: CUDA's context and kernels."""

CUDA_GRAPHS = 16 * 10**6
"""Assumed: some 700 recorded launches for one token, and their copies."""


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
    return token_bytes(shape) * _rounded(context)


def token_bytes(shape: Geometry) -> int:
    """Keys and values of one token, in the cache or set aside."""
    return shape.layers * 2 * shape.heads_kv * shape.head * 2


def _rounded(context: int) -> int:
    return -(-context // 256) * 256


def compute_bytes(shape: Geometry, context: int, batch: int, *, gpu: bool) -> int:
    """Buffers for one batch whose last token alone has logits, by llama.cpp's graph.

    Its allocator lays tensors of 32 bits over each other whose lives do not meet; the most that
    lives at once, a token of the batch, is the greater of two moments:

    - attention (without flash attention): the scores of every head over the context and their mask;
      beside them three hidden states, queries, their result, keys and values;
    - feed-forward: gate, up and their product; beside them two hidden states, the queries' room,
      that of keys and values (with flash attention a third hidden state), and the mask, which is of
      16 bits with flash attention.

    On a GPU, inputs lie on the host too: the mask and two hidden states (by a log of CUDA).
    Within 0.1 % of what llama.cpp 0.3.36 allocates on a processor, with flash attention and
    without, for the shapes of real models at contexts of 1,024 to 4,096 and slices of 64 to 512.
    """
    context = _rounded(context)
    queries, keys = shape.heads * shape.head, shape.heads_kv * shape.head
    forward = 3 * shape.feed_forward + 2 * shape.width + queries
    if gpu:
        host = context // 2 + 2 * shape.width
        floats = context // 2 + forward + shape.width + host
    else:
        attention = shape.heads * context + 3 * shape.width + 2 * queries + 2 * keys
        floats = context + max(forward + 2 * keys, attention)
    return (floats * batch + shape.vocabulary) * 4


def pool_bytes(shape: Geometry, batch: int) -> int:
    """What CUDA's kernels borrow while they multiply: a batch of the widest rows in 8 bits
    (q8_1: 36 bytes for 32 numbers), in pieces of 2 MiB."""
    size = max(shape.feed_forward, shape.width) * batch * 36 // 32
    return -(-size // 2**21) * 2**21


def _batch(section: LlmSection) -> int:
    return max(GRID, section.prefill_slice // GRID * GRID) + GRID


def compute_of(shape: Geometry, section: LlmSection) -> int:
    """Compute buffers for a model as it is configured."""
    gpu = section.gpu_layers != 0
    return compute_bytes(shape, section.context_tokens, _batch(section), gpu=gpu)


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
    terms = {
        "weights": Term(
            sum(file.size for file in manifest[section.model].files), "size in the manifest"
        ),
        "kv": Term(
            kv_bytes(shape, context),
            f"{shape.layers} layers x 2 x {shape.heads_kv} heads x {shape.head} x 2 bytes x "
            f"{context:,} tokens",
        ),
        "compute": Term(
            compute_of(shape, section),
            f"a batch of {_batch(section)} tokens, by llama.cpp's graph",
        ),
        "set_aside": Term(
            token_bytes(shape) * context,
            "at most: keys and values of the dialog while consolidation has its model",
        ),
    }
    if section.gpu_layers == 0 and section.model in REPACKED:
        terms["repacked"] = Term(
            REPACKED[section.model], "a second layout of weights, for this processor"
        )
    if section.gpu_layers != 0:
        terms["cuda_runtime"] = Term(CUDA_RUNTIME, "assumed")
        terms["cuda_graphs"] = Term(CUDA_GRAPHS, "assumed")
        terms["cuda_pool"] = Term(
            pool_bytes(shape, _batch(section)), "a batch of the widest rows in 8 bits"
        )
        if section.model in TIED:
            terms["token_table"] = Term(
                TIED[section.model], "on the host too: its output is the same tensor"
            )
    return terms
