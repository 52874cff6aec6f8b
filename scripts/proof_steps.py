"""The steps of a proof: what is measured, how much of it, and how long that takes on a board.

Minutes are reckoned from speeds that are assumed of a Jetson Orin Nano (`SPEEDS`): they say whether
the whole fits, and nothing about how quick a board is.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from measure import Figure, Value
from starve import ON_A_GPU, cases

LENGTHS = (500, 1000, 1500, 2000, 2500)
SLICES = (32, 64, 128, 256, 512)
BUILD = "build"


@dataclass(frozen=True)
class Extent:
    """How much is measured of one model."""

    lengths: tuple[int, ...]
    slices: tuple[int, ...]
    repeats: int
    interruptions: int
    """At each slice."""

    turns: int
    exact: int
    starts: int
    spoken: int


WHOLE = Extent(LENGTHS, SLICES, 2, 20, 25, 50, 2, 100)
LIGHTER = replace(WHOLE, slices=(32, 128, 512), exact=30, spoken=30)
"""Of every model after the first."""

SHORT = Extent((500, 700), (32, 64), 1, 2, 2, 3, 1, 2)


@dataclass(frozen=True)
class Speed:
    """Assumed of a model on a board."""

    prompt: float
    """Tokens read a second."""

    writing: float
    """Tokens written a second."""

    start_s: float
    """Until a process has loaded everything, from an NVMe disk."""


SPEEDS = {"qwen2.5-7b": Speed(450, 11, 15), "qwen3-4b-instruct-2507": Speed(750, 18, 10)}
"""Reports of others for the board: 450 prompt tokens a second and a bandwidth of 68 GB/s."""

_OTHER = SPEEDS["qwen2.5-7b"]
_PROMPT = 900
"""Tokens of a prompt with its examples and a short talk."""

_ANSWER = 16
_EXACT_ANSWER = 12
_SPOKEN_S = 6.3
"""A spoken turn: the sentence, until its end is certain, the first sound, the reply, a pause."""


def minutes(step: str, extent: Extent, speed: Speed, slow_s: float = 0) -> float:
    """On a board. step: without the model's name; slow_s: what a slow disk adds to each start."""
    start, read, write = speed.start_s + slow_s, speed.prompt, speed.writing
    answer = _ANSWER / write
    lengths = sum(extent.lengths)
    seconds = {
        "self-test": 2 * start + 1046 / read + 15,
        "out-of-memory": 6 * start,
        "memory": 2 * start + 25 + 3 * (1 + 24 / write),
        "ttft": start
        + (3 + extent.repeats) * lengths / read
        + extent.repeats * len(extent.lengths) * 3 * answer,
        "preempt": start + 5 + extent.interruptions * 1.65,
        "turns": start + 5 + extent.turns * (0.5 + 2 * 24 / write),
        "exact": start + extent.exact * (0.9 + _PROMPT / read + 2 * _EXACT_ANSWER / write),
        "start": (1 + 2 * extent.starts) * (start + 5),
        "spoken": start + 10 + extent.spoken * _SPOKEN_S,
    }
    return round(seconds[step.partition("-")[0] if step.startswith("preempt") else step] / 60, 1)


def build(*, as_it_is: bool) -> Figure:
    """The step before all others: llama.cpp, for this machine's GPU."""
    command = "python scripts/proof_build.py" + (" --as-it-is" if as_it_is else "")
    values = (Value("how"), Value("ready", "", ">= 1"), Value("seconds"))
    return Figure(BUILD, "llama.cpp for this machine", command, 0.3, values)


def steps(
    name: str,
    settings: Path,
    gguf: str,
    extent: Extent,
    sliced: Mapping[int, Path],
    *,
    gpu: bool,
    context_tokens: int = 4096,
    slow_s: float = 0,
    fitted: Mapping[str, object] | None = None,
) -> Iterator[Figure]:
    """What is measured of one model, the quickest to fail first.

    settings: its configuration; sliced: the same with other slices; fitted: keys of llm.active with
    which it loads on this board.
    """
    file = shlex.quote(gguf)
    speed = SPEEDS.get(name, _OTHER)

    def bench(config: Path, rest: str) -> str:
        return f"companion --config {shlex.quote(str(config))} bench {rest}"

    def figure(step: str, what: str, run: str, *values: Value, plot: bool = False) -> Figure:
        long = minutes(step, extent, speed, slow_s)
        return Figure(f"{name}-{step}", f"{what}, {name}", run, long, values, plot)

    fitted = fitted or {}
    layers = fitted.get("gpu_layers", -1 if gpu else 0)
    mapped = "" if fitted.get("mmap", True) else " --no-mmap"
    yield figure(
        "self-test", "does llama.cpp run this model here",
        f"python -m companion.engines.llama.selftest {file} --gpu-layers {layers} --threads 0 "
        f"--context-tokens {context_tokens} --prefill-slice {max(extent.slices)}{mapped}",
        Value("prompt_tokens_per_s"), Value("slice_tokens"), Value("gives_way_ms", "", "<= 100"),
    )  # fmt: skip
    more = tuple(f"gpu_{case}" for case in ON_A_GPU) if gpu else ()
    yield figure(
        "out-of-memory", "memory that runs out",
        f"python scripts/starve.py {file}{' --gpu' if gpu else ''}",
        *(Value(f"{case}.named", "", ">= 1") for case in (*cases(1), *more)),
    )  # fmt: skip
    yield figure(
        "memory", "memory by term", bench(settings, "memory --json"),
        Value("total"), Value("machine_grew"), *_pairs("weights", "kv", "compute", "set_aside"),
        Value("beyond_weights_kv_compute", "", "<= 600000000"),
        plot=True,
    )  # fmt: skip
    lengths = ",".join(map(str, extent.lengths))
    yield figure(
        "ttft", "first token in three layouts",
        bench(settings, f"ttft --json --context {lengths} --repeats {extent.repeats}"),
        Value("arms.paper.ttft_ms"), Value("arms.stable.ttft_ms", "", "<= 1000"),
        Value("arms.spoken.ttft_ms"), Value("arms.stable.decode_tokens_per_s"),
        Value("ratio_stable", "", ">= 8"), Value("ratio_spoken", "", ">= 20"),
        plot=True,
    )  # fmt: skip
    for size, other in sliced.items():
        yield figure(
            f"preempt-{size}", f"giving way, slices of {size} at most",
            bench(other, f"preempt --json --interruptions {extent.interruptions}"),
            Value("free_p99_ms"), Value("restore_p99_ms"), Value("ready_p99_ms", "", "<= 150"),
            Value("ratio", "", "<= 1.1"),
        )  # fmt: skip
    yield figure(
        "turns", "a talk against bare llama.cpp",
        bench(settings, f"turns --json --turns {extent.turns}"),
        Value("ttft_p50_ms", "", "<= 1000"), Value("ttft_p99_ms"), Value("warm_p50_s"),
        Value("turns_within_contract"), Value("overhead.per_token"),
        plot=True,
    )  # fmt: skip
    yield figure(
        "exact", "the same words with the cache and without",
        bench(settings, f"exact --json --turns {extent.exact}"),
        # A GPU has no grid on which reuse is exact: answers may differ in near ties.
        Value("same", "", "" if gpu else f">= {extent.exact}"), Value("evaluated_share"),
        plot=True,
    )  # fmt: skip
    yield figure(
        "start", "from a process to the first token",
        bench(settings, f"start --json --starts {extent.starts}"),
        Value("arms.with_prefix.listening_ms"), Value("arms.with_prefix.first_token_ms"),
    )  # fmt: skip
    yield figure(
        "spoken", "spoken turns from files at real pace",
        bench(settings, f"spoken --json --turns {extent.spoken}"),
        Value("answered"), Value("first_sound_p50_ms", "", "<= 1000"), Value("first_sound_p90_ms"),
        *(Value(f"stages.{stage}.p50_ms") for stage in ("endpoint", "transcript", "first_token")),
        plot=True,
    )  # fmt: skip


def _pairs(*terms: str) -> Iterator[Value]:
    for term in terms:
        yield Value(f"check.{term}.0")
        yield Value(f"check.{term}.1")
