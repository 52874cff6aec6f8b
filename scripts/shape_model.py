"""Write a model of nothing: a GGUF with a known model's shape and types, and random weights.

Speed, memory, states and giving way depend on shapes alone: they can be measured without the
weights. What it writes is noise; its tokenizer is that of a file of the same family.

  scripts/shape_model NAME FILE [--tokenizer GGUF] [--layers N] [--seed N]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf_file as gguf
import numpy as np
from gguf_file import GgufError, Tensor, Value
from numpy.typing import NDArray
from shapes import SHAPES, Shape, tensors

from companion.config import load
from companion.errors import CompanionError
from companion.weights.manifest import Manifest

DONORS = ("qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b")
"""Models of the manifest whose tokenizer serves: that of Qwen2.5 and Qwen3, but for a few special
tokens at the end, which are unused here."""

UNUSED = 5  # LLAMA_TOKEN_TYPE_UNUSED of llama.h
CHUNK = 2**17
"""Blocks made at a time."""

# Blocks as ggml-common.h has them, with the spread of a block's numbers for a scale of 1.
_BLOCKS: dict[str, tuple[np.dtype[np.void], float]] = {
    "Q4_K": (np.dtype([("d", "<f2"), ("dmin", "<f2"), ("bits", "u1", 140)]), 258.0),
    "Q6_K": (np.dtype([("bits", "u1", 208), ("d", "<f2")]), 1369.0),
    "Q5_0": (np.dtype([("d", "<f2"), ("bits", "u1", 20)]), 9.2),
    "Q8_0": (np.dtype([("d", "<f2"), ("bits", "u1", 32)]), 74.0),
}
_MIDDLE = 7.5
"""Q4_K subtracts a least value: so many times the scale makes the mean 0."""


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/shape_model", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("name", choices=sorted(SHAPES))
    parser.add_argument("file", type=Path)
    parser.add_argument("--tokenizer", type=Path, help="a GGUF of the family of Qwen2.5")
    parser.add_argument("--layers", type=int, help="fewer layers than the model has")
    parser.add_argument("--seed", type=int, default=0)
    parsed = parser.parse_args(arguments)
    shape = SHAPES[parsed.name]
    if parsed.layers is not None:
        shape = replace(shape, layers=max(1, min(parsed.layers, shape.layers)))
    try:
        donor = parsed.tokenizer or find_donor(load().models_dir)
        write(shape, parsed.file, donor, seed=parsed.seed, note=_note)
    except (CompanionError, GgufError) as error:
        print(f"scripts/shape_model: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        where = error.filename or parsed.file
        print(f"scripts/shape_model: {where}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"{parsed.file}: {parsed.file.stat().st_size:,} bytes, the shape of {shape.title}")
    return 0


def find_donor(models_dir: Path) -> Path:
    """A model of the family that is on this machine. Raises GgufError."""
    manifest = Manifest.load()
    for name in DONORS:
        path = manifest.path(name, models_dir)
        if path.is_file():
            return path
    raise GgufError(
        f"no model in {models_dir} to take the tokenizer from: companion models fetch {DONORS[0]}"
    )


def write(shape: Shape, file: Path, donor: Path, *, seed: int, note: Callable[[str], None]) -> None:
    """Whole or not at all. donor: whose tokenizer it gets. Raises GgufError, OSError."""
    metadata, _ = gguf.read(donor)
    every = tensors(shape)
    need = sum(gguf.padded(each.size) for each in every) + donor.stat().st_size // 10
    free = shutil.disk_usage(file.absolute().parent).free
    if need > free:
        raise GgufError(f"{file}: {need / 1e9:.1f} GB are needed and {free / 1e9:.1f} GB are free")
    temporary = file.with_name(f"{file.name}.{os.getpid()}.part")
    random = np.random.Generator(np.random.SFC64(seed))
    written = 0
    try:
        with temporary.open("wb") as stream:
            gguf.write_head(stream, described(shape, metadata), every)
            for number, each in enumerate(every):
                for piece in weights(each, random):
                    stream.write(piece.tobytes())
                stream.write(bytes(gguf.padded(each.size) - each.size))
                written += each.size
                if number % 50 == 0:
                    note(f"{written / 1e9:.1f} of {need / 1e9:.1f} GB")
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


def described(shape: Shape, donor: dict[str, Value]) -> dict[str, Value]:
    """The donor's metadata, with the shape's numbers."""
    of = shape.architecture
    found = {
        "general.architecture": gguf.text(of),
        "general.type": gguf.text("model"),
        "general.name": gguf.text(f"the shape of {shape.title}, random weights"),
        "general.file_type": gguf.uint32(15),
        "general.quantization_version": gguf.uint32(2),
        f"{of}.block_count": gguf.uint32(shape.layers),
        f"{of}.context_length": gguf.uint32(shape.context),
        f"{of}.embedding_length": gguf.uint32(shape.width),
        f"{of}.feed_forward_length": gguf.uint32(shape.feed_forward),
        f"{of}.attention.head_count": gguf.uint32(shape.heads),
        f"{of}.attention.head_count_kv": gguf.uint32(shape.heads_kv),
        f"{of}.attention.layer_norm_rms_epsilon": gguf.float32(1e-6),
        f"{of}.rope.freq_base": gguf.float32(shape.rope_base),
    }
    if of == "qwen3":
        found[f"{of}.attention.key_length"] = gguf.uint32(shape.head)
        found[f"{of}.attention.value_length"] = gguf.uint32(shape.head)
    found |= {name: value for name, value in donor.items() if name.startswith("tokenizer.")}
    tokens = found["tokenizer.ggml.tokens"].strings
    more = shape.vocabulary - len(tokens)
    if more < 0:
        raise GgufError(f"the tokenizer has {len(tokens):,} tokens, more than {shape.title}")
    padding = [b"[PAD%d]" % number for number in range(len(tokens), shape.vocabulary)]
    found["tokenizer.ggml.tokens"] = gguf.strings([*tokens, *padding])
    kinds = np.frombuffer(found["tokenizer.ggml.token_type"].data, "<i4", offset=12)
    kinds = np.concatenate([kinds, np.full(more, UNUSED, "<i4")])
    head = np.array([gguf.INT32], "<u4").tobytes() + np.array([len(kinds)], "<u8").tobytes()
    found["tokenizer.ggml.token_type"] = Value(gguf.ARRAY, head + kinds.tobytes())
    return found


def weights(tensor: Tensor, random: np.random.Generator) -> Iterator[NDArray[Any]]:
    """Random numbers around 0 whose products with a normed row are about 1; ones for norms."""
    if tensor.kind == "F32":
        length = tensor.dimensions[0]
        fill = np.ones if tensor.name.endswith("norm.weight") else np.zeros
        yield fill(length, "<f4")
        return
    form, spread = _BLOCKS[tensor.kind]
    scale = tensor.dimensions[0] ** -0.5 / spread
    count = tensor.size // form.itemsize
    for start in range(0, count, CHUNK):
        size = min(CHUNK, count - start)
        blocks = np.frombuffer(bytearray(random.bytes(size * form.itemsize)), dtype=form)
        blocks["d"] = scale
        if "dmin" in (form.names or ()):
            blocks["dmin"] = scale * _MIDDLE
        yield blocks


def _note(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{line} ", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
