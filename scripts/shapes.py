"""The tensors of models, one by one, as llama.cpp's Q4_K_M has them.

Shapes are those of each model's config.json; which tensor gets which type follows llama.cpp's
src/llama-quant.cpp. Held against the real files, where they are on this machine, by
tests/scripts/test_shape_model.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from gguf_file import KINDS, Tensor

_SMALLER_BLOCKS = {"Q4_K": "Q5_0", "Q6_K": "Q8_0"}
"""What llama.cpp takes where a row is no multiple of 256 numbers."""


@dataclass(frozen=True)
class Shape:
    """What decides a model's tensors."""

    title: str
    architecture: str
    """`qwen2` has biases of queries, keys and values; `qwen3` norms of queries and keys."""

    layers: int
    heads: int
    heads_kv: int
    head: int
    """Width of a head."""

    width: int
    feed_forward: int
    vocabulary: int
    context: int
    rope_base: float
    tied: bool = False
    """Embedding and output are one tensor."""

    by_name: bool = False
    """Layers stand in the file as their names are sorted (0, 1, 10, 11, 2): which of them get more
    bits goes by that order."""


SHAPES = {
    "qwen2.5-7b": Shape(
        "Qwen2.5-7B-Instruct", "qwen2", 28, 28, 4, 128, 3584, 18944, 152_064, 32_768, 1e6,
        by_name=True,
    ),
    "qwen3-4b-instruct-2507": Shape(
        "Qwen3-4B-Instruct-2507", "qwen3", 36, 32, 8, 128, 2560, 9728, 151_936, 262_144, 5e6,
        tied=True,
    ),
    "qwen2.5-coder-1.5b": Shape(
        "Qwen2.5-Coder-1.5B-Instruct", "qwen2", 28, 12, 2, 128, 1536, 8960, 151_936, 32_768, 1e6,
        by_name=True,
    ),
    "qwen2.5-coder-0.5b": Shape(
        "Qwen2.5-Coder-0.5B-Instruct", "qwen2", 24, 14, 2, 64, 896, 4864, 151_936, 32_768, 1e6,
        by_name=True,
    ),
}  # fmt: skip
"""By the model's name in models/manifest.yaml."""


def tensors(shape: Shape) -> list[Tensor]:
    """All of them, in the order of the file."""
    found = []
    if not shape.tied:
        found.append(_matrix("output.weight", shape.width, shape.vocabulary, "Q6_K"))
    embedding = "Q6_K" if shape.tied else "Q4_K"
    found.append(_matrix("token_embd.weight", shape.width, shape.vocabulary, embedding))
    order = sorted(range(shape.layers), key=str if shape.by_name else int)
    for place, layer in enumerate(order):
        found += _layer(shape, layer, "Q6_K" if _more_bits(place, shape.layers) else "Q4_K")
    found.append(Tensor("output_norm.weight", (shape.width,), "F32"))
    return found


def _layer(shape: Shape, layer: int, important: str) -> list[Tensor]:
    """important: the type of the two matrices that the quantization spares in some layers."""
    at = f"blk.{layer}."
    queries, keys = shape.heads * shape.head, shape.heads_kv * shape.head
    found = [
        Tensor(f"{at}attn_norm.weight", (shape.width,), "F32"),
        _matrix(f"{at}ffn_down.weight", shape.feed_forward, shape.width, important),
        _matrix(f"{at}ffn_gate.weight", shape.width, shape.feed_forward, "Q4_K"),
        _matrix(f"{at}ffn_up.weight", shape.width, shape.feed_forward, "Q4_K"),
        Tensor(f"{at}ffn_norm.weight", (shape.width,), "F32"),
        _matrix(f"{at}attn_k.weight", shape.width, keys, "Q4_K"),
        _matrix(f"{at}attn_output.weight", queries, shape.width, "Q4_K"),
        _matrix(f"{at}attn_q.weight", shape.width, queries, "Q4_K"),
        _matrix(f"{at}attn_v.weight", shape.width, keys, important),
    ]
    if shape.architecture == "qwen3":
        return found + [
            Tensor(f"{at}attn_{name}_norm.weight", (shape.head,), "F32") for name in "qk"
        ]
    lengths = {"q": queries, "k": keys, "v": keys}
    return found + [
        Tensor(f"{at}attn_{name}.bias", (length,), "F32") for name, length in lengths.items()
    ]


def _matrix(name: str, columns: int, rows: int, kind: str) -> Tensor:
    if columns % KINDS[kind].block:
        kind = _SMALLER_BLOCKS[kind]
    return Tensor(name, (columns, rows), kind)


def _more_bits(place: int, layers: int) -> bool:
    """llama-quant.cpp, use_more_bits: the first and the last eighth, and every third between."""
    eighth = layers // 8
    return place < eighth or place >= 7 * layers // 8 or (place - eighth) % 3 == 2
