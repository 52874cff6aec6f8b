"""Measure everything that a board has to prove, and write it into one folder.

    scripts/prove-board FOLDER [--model NAME,...] [--shapes] [--short] [--dry-run]

For each model: the self-test; the first token in three layouts at five lengths; giving way at
slices of 32 to 512; a talk of 50 turns held against bare llama.cpp; memory by term against the
prediction; the start; and memory that runs out at loading, context and prompt. FOLDER then has a
JSON file for each step, plots, summary.md (a page of tables) and, on a Jetson, what tegrastats saw.
What was measured already is not measured again: after a cut, the same line goes on.

  --model   qwen2.5-7b,qwen3-4b-instruct-2507 (the default); names of models/manifest.yaml
  --shapes  in place of the weights, random ones of the same shape (scripts/shape_model): speed and
            memory are the same, words are noise
  --short   a shape of almost nothing on the processor, few repeats: whether the proof itself runs
"""

from __future__ import annotations

import argparse
import platform
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import measure
import shape_model
import yaml
from gguf_file import GgufError
from jetson_release import allocates_short, release
from measure import Figure, Value
from shapes import SHAPES, Shape

from companion import config
from companion.engines.llama.devices import gpus
from companion.errors import CompanionError
from companion.weights.manifest import Manifest

MODELS = ("qwen2.5-7b", "qwen3-4b-instruct-2507")
SLICES = (32, 64, 128, 256, 512)
LENGTHS = "500,1000,1500,2000,2500"
TEGRASTATS_MS = 1000

MINI = Shape("a model of nothing", "qwen2", 2, 4, 2, 64, 256, 512, 151_936, 32_768, 1e6)
"""Small enough for the tests; its tokenizer's size is the real one."""


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    lengths: str
    slices: tuple[int, ...]
    repeats: int
    interruptions: int
    turns: int
    starts: int


WHOLE = Extent(LENGTHS, SLICES, 3, 50, 50, 3)
SHORT = Extent("500,700", (32, 64), 1, 2, 2, 1)


def steps(
    name: str, settings: Path, gguf: str, extent: Extent, sliced: dict[int, Path]
) -> Iterator[Figure]:
    """What is measured of one model, the quickest to fail first.

    settings: its configuration; sliced: the same with other slices.
    """
    run = f"companion --config {shlex.quote(str(settings))} bench"
    yield Figure(
        f"{name}-out-of-memory", f"memory that runs out, {name}",
        f"python scripts/starve.py {shlex.quote(gguf)}", 1,
        (Value("load.named", "", ">= 1"), Value("context.named", "", ">= 1"),
         Value("batch.named", "", ">= 1")),
    )  # fmt: skip
    yield Figure(
        f"{name}-memory", f"memory by term, {name}", f"{run} memory --json", 3,
        (Value("total"), Value("machine_grew"), *_pairs("weights", "kv", "compute", "set_aside"),
         Value("beyond_weights_kv_compute", "", "<= 600000000")),
        plot=True,
    )  # fmt: skip
    yield Figure(
        f"{name}-ttft", f"first token in three layouts, {name}",
        f"{run} ttft --json --context {extent.lengths} --repeats {extent.repeats}", 4,
        (Value("arms.paper.ttft_ms"), Value("arms.stable.ttft_ms", "", "<= 1000"),
         Value("arms.spoken.ttft_ms"), Value("arms.stable.decode_tokens_per_s"),
         Value("ratio_stable", "", ">= 8"), Value("ratio_spoken", "", ">= 20")),
        plot=True,
    )  # fmt: skip
    for size, file in sliced.items():
        yield Figure(
            f"{name}-preempt-{size}", f"giving way, slices of {size} at most, {name}",
            f"companion --config {shlex.quote(str(file))} bench preempt --json --interruptions "
            f"{extent.interruptions}", 2,
            (Value("free_p99_ms"), Value("restore_p99_ms"), Value("ready_p99_ms", "", "<= 150"),
             Value("ratio", "", "<= 1.1")),
        )  # fmt: skip
    yield Figure(
        f"{name}-turns", f"a talk against bare llama.cpp, {name}",
        f"{run} turns --json --turns {extent.turns}", 4,
        (Value("ttft_p50_ms", "", "<= 1000"), Value("ttft_p99_ms"), Value("warm_p50_s"),
         Value("turns_within_contract"), Value("overhead.per_token")),
        plot=True,
    )  # fmt: skip
    yield Figure(
        f"{name}-start", f"from a process to the first token, {name}",
        f"{run} start --json --starts {extent.starts}", 3,
        (Value("arms.with_prefix.listening_ms"), Value("arms.with_prefix.first_token_ms")),
    )  # fmt: skip


def _pairs(*terms: str) -> Iterator[Value]:
    for term in terms:
        yield Value(f"check.{term}.0")
        yield Value(f"check.{term}.1")


def configure(
    folder: Path, name: str, gguf: Path, extent: Extent, *, gpu: bool, short: bool
) -> tuple[Path, dict[int, Path]]:
    """The configurations of one model: that of its profile, and those with other slices."""
    layers = -1 if gpu else 0

    def written(of: str, size: int) -> Path:
        active: dict[str, Any] = {"file": str(gguf), "gpu_layers": layers, "prefill_slice": size}
        document: dict[str, Any] = {"profile": "laptop", "llm": {"active": active}}
        if short:
            active |= {"context_tokens": 2048, "threads": 1}
            document["dialog"] = {"reply_tokens": 8}
            document["persona"] = {"examples": False, "character": "You are kind."}
        file = folder / f"{name}-{of}.yaml"
        file.write_text(yaml.safe_dump(document), encoding="utf-8")
        return file

    return written("config", max(extent.slices)), {
        size: written(f"slice-{size}", size) for size in extent.slices
    }


def weights(folder: Path, name: str, *, shaped: bool, short: bool) -> Path:
    """The model's file, or one of its shape. Raises CompanionError, GgufError, OSError."""
    models_dir = config.load().models_dir.expanduser()
    if not shaped:
        manifest = Manifest.load()
        path = manifest.path(name, models_dir)
        if not path.is_file():
            raise GgufError(f"{path}: is not there; companion models fetch {name}, or --shapes")
        return path
    file = folder / "shapes" / f"{name}.gguf"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        _note(f"writing {file}, random weights")
        shape = MINI if short else SHAPES[name]
        donor = shape_model.find_donor(models_dir)
        shape_model.write(shape, file, donor, seed=0, note=lambda line: None)
    return file


def machine() -> dict[str, Any]:
    """What the proof was made on."""
    found = release()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "jetson_linux": None if found is None else ".".join(map(str, found)),
        "allocates_short": allocates_short(found),
        "gpus": [{"name": each.name, "free": each.free} for each in gpus()],
        "power_mode": _said("nvpmodel", "-q"),
    }


def _said(*command: str) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


@contextmanager
def watched(folder: Path) -> Iterator[None]:
    """tegrastats beside it, where there is one: clocks, temperatures, power."""
    if shutil.which("tegrastats") is None:
        yield
        return
    with (folder / "tegrastats.log").open("ab") as log:
        command = ["tegrastats", "--interval", str(TEGRASTATS_MS)]
        process = subprocess.Popen(command, stdout=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    folder: Path = asked.folder.resolve()
    names = ["nothing"] if asked.short else asked.model.split(",")
    extent = SHORT if asked.short else WHOLE
    unknown = [name for name in names if not asked.short and name not in SHAPES]
    if unknown:
        _note(f"--model {unknown[0]}: there are {', '.join(SHAPES)}")
        return 2
    if asked.dry_run:
        for name in names:
            sliced = {size: folder / f"{name}-slice-{size}.yaml" for size in extent.slices}
            each = steps(name, folder / f"{name}-config.yaml", f"{name}.gguf", extent, sliced)
            for figure in each:
                print(f"{figure.name:<40}{figure.minutes:>5.0f} min  {figure.what}")
        return 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = machine()
        known: list[Figure] = []
        for name in names:
            gguf = weights(folder, name, shaped=asked.shapes or asked.short, short=asked.short)
            settings, sliced = configure(
                folder, name, gguf, extent, gpu=bool(found["gpus"]), short=asked.short
            )
            known += steps(name, settings, str(gguf), extent, sliced)
        measure.keep(folder / "machine.json", found)
        with watched(folder):
            jobs = [(figure, figure.command({}, folder) or []) for figure in known]
            failed = measure.measure_all(known, jobs, folder, again=False)
    except (CompanionError, GgufError) as error:
        _note(str(error))
        return 1
    except OSError as error:
        _note(f"{error.filename or folder}: {error.strerror}; the same line goes on from here")
        return 1
    for name, why in failed.items():
        _note(f"NOT measured: {name}: {why}")
    _note(f"everything lies in {folder}; begin with summary.md")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/prove-board",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--model", default=",".join(MODELS), metavar="NAME,...")
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--dry-run", action="store_true", help="list steps and minutes")
    return parser


def _note(text: str) -> None:
    print(f"scripts/prove-board: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
