"""Does this machine really run the installed llama.cpp, as the engine uses it?

`python -m companion.engines.llama.selftest GGUF`

A build with instructions that the CPU lacks loads a model and decodes single tokens well, then
dies with SIGILL in its first large matrix: the first prompt batch. So the test evaluates a prompt
longer than two slices, through the engine's own context with a profile's parameters, and belongs
in a process of its own, whose death is the answer. What a GPU writes is held against the processor.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama.context import LlamaContext, on_gpu
from companion.errors import CompanionError, EngineError

_SENTENCE = "One day a small toy robot walked to the sea and asked the gulls for a song. "
_REST = 22
"""Tokens beyond two whole slices: a part of one takes its own path through the kernels."""

_ANSWER_TOKENS = 8
_COMPARED_TOKENS = 86
"""Prompt whose answer is compared: short, as a large model reads it on the processor too."""

_NEAR_TIE = 0.5
"""A GPU rounds differently: it may choose a token whose logit on the processor is so much lower."""


@dataclass(frozen=True)
class Report:
    """What a test that was passed has to say."""

    features: str
    """The build's instruction sets and backends, as llama.cpp names them."""

    prompt_tokens_per_s: float
    slice_tokens: int
    """Of the prompt, between two looks at whether somebody has spoken."""

    gives_way_ms: float | None
    """On a GPU, which nobody can stop within a slice: how long one takes. On a processor None: it
    looks at every node of the compute graph."""


def main() -> None:
    """Print a `Report` as one JSON object; or end with one line on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gguf", type=Path)
    parser.add_argument("--gpu-layers", type=int, default=0)
    parser.add_argument("--context-tokens", type=int, default=1024)
    parser.add_argument("--prefill-slice", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--no-mmap", dest="mmap", action="store_false")
    arguments = parser.parse_args()
    section = LlmSection(
        gpu_layers=arguments.gpu_layers,
        context_tokens=arguments.context_tokens,
        prefill_slice=arguments.prefill_slice,
        threads=arguments.threads,
        mmap=arguments.mmap,
    )
    try:
        report = examine(arguments.gguf, section)
    except CompanionError as error:
        raise SystemExit(str(error)) from None
    print(json.dumps(vars(report)))


def examine(path: Path, section: LlmSection) -> Report:
    """Read a prompt and write a few tokens. Raises ModelFileError, EngineError."""
    context = LlamaContext(path, section, exact=not on_gpu(section))
    try:
        length = min(2 * section.prefill_slice + _REST, context.size - _ANSWER_TOKENS)
        ids = _prompt(context, length)
        started = time.perf_counter()
        write(context, ids)
        # The answer's tokens cost as much as a few of the prompt's: the rate is a lower bound.
        rate = length / (time.perf_counter() - started)
        short = _prompt(context, min(length, _COMPARED_TOKENS))
        written = write(context, short) if on_gpu(section) else []
        slices = context.slices
    finally:
        context.free()
    if written:
        compare(path, section, short, written)
    features = llama_cpp.llama_print_system_info().decode().strip(" |")
    wait = None if slices.wait_s is None else round(slices.wait_s * 1000, 1)
    return Report(features, round(rate, 1), slices.length, wait)


def write(context: LlamaContext, ids: Sequence[int]) -> list[int]:
    """The likeliest tokens after a prompt. Raises EngineError when there is no likeliest one."""
    flag = CancelFlag()
    context.prepare(ids)
    context.evaluate(ids, flag)
    written: list[int] = []
    for _ in range(_ANSWER_TOKENS):
        written.append(int(_logits(context).argmax()))
        context.extend(written[-1], flag)
    return written


def compare(path: Path, section: LlmSection, ids: Sequence[int], written: Sequence[int]) -> None:
    """Let the processor judge what a GPU wrote after `ids`. Raises EngineError."""
    flag = CancelFlag()
    context = LlamaContext(path, section.model_copy(update={"gpu_layers": 0}))
    try:
        context.prepare(ids)
        context.evaluate(ids, flag)
        for number, token in enumerate(written, 1):
            logits = _logits(context)
            if logits.max() - logits[token] > _NEAR_TIE:
                raise EngineError(
                    f"the GPU computes something else than the processor (token {number} of the "
                    "answer): build llama.cpp anew for this GPU, scripts/setup --rebuild"
                )
            context.extend(token, flag)
    finally:
        context.free()


def _prompt(context: LlamaContext, length: int) -> list[int]:
    return (context.vocabulary.plain(_SENTENCE) * length)[:length]


def _logits(context: LlamaContext) -> NDArray[np.float32]:
    logits = context.logits()
    # A build that computes nonsense shows it as NaN.
    if not np.isfinite(logits).all():
        raise EngineError("the model's output is not a number: scripts/setup --rebuild")
    return logits


if __name__ == "__main__":
    main()
