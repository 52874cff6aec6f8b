"""Measure everything that a machine has to prove, and write it into one folder.

    scripts/prove-board FOLDER [--model NAME,...] [--fetch] [--shapes] [--short] [--dry-run]

First llama.cpp is built, where this machine has a GPU and the installed one does not find it. Then
for each model: the self-test; memory that runs out at loading, context, batches and prompt; memory
by term against the prediction; the first token in three layouts at five lengths; giving way at
slices of 32 to 512; a talk held against bare llama.cpp; 50 turns with the cache and without; the
start; and 100 spoken turns from files at real pace. FOLDER then has page.md (tables, the verdict),
proof.png, a JSON file and a plot for each step, and what tegrastats saw of temperature and clocks.
What was measured already is not measured again: after a cut, the same line goes on.

  --model   qwen2.5-7b,qwen3-4b-instruct-2507 (the default); names of models/manifest.yaml. Of all
            but the first, less is measured
  --fetch   fetch the weights that are not there. Else a model without weights is left out
  --shapes  in place of the weights, random ones of the same shape (scripts/shape_model): speed and
            memory are the same, words are noise
  --short   a shape of almost nothing, few repeats: whether the proof itself runs. Builds nothing
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import figure_values
import measure
import proof_build
import proof_fit
import proof_page
import proof_steps
import tegrastats
from gguf_file import GgufError
from jetson_release import allocates_short, release
from measure import Figure
from proof_models import SHORT_CONTEXT, Asked, configure, note, weights
from proof_page import Proof
from shapes import SHAPES

from companion.config import LlmSection
from companion.doctor.board import disk_speed, memory, slow_start_s
from companion.errors import CompanionError, EngineError, UsageError

MODELS = ("qwen2.5-7b", "qwen3-4b-instruct-2507")


def machine(gguf: Path, *, shaped: bool) -> dict[str, Any]:
    """What the proof is made on; before anything is loaded."""
    found, (total, available), looked = release(), memory(), proof_build.look()
    return {
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "jetson_linux": None if found is None else ".".join(map(str, found)),
        "allocates_short": allocates_short(found),
        "gpus": looked["gpus"],
        "memory": total,
        "memory_available": available,
        "power_mode": _said("nvpmodel", "-q"),
        "reads_mb_s": disk_speed(gguf),
        "weights": "random, of the same shape" if shaped else "the real ones",
    }


def serves() -> bool:
    """Whether the installed service runs on this machine."""
    if shutil.which("systemctl") is None:
        return False
    command = ["systemctl", "is-active", "--quiet", "companion.service"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _said(*command: str) -> str | None:
    if shutil.which(command[0]) is None:
        return None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or None


def prove(asked: Asked) -> dict[str, str]:
    """Measure what is not measured yet; what could not be, and why.

    Raises CompanionError, GgufError, OSError.
    """
    folder = asked.folder
    if not asked.short and serves():
        raise UsageError("the companion runs and holds memory: sudo systemctl stop companion")
    folder.mkdir(parents=True, exist_ok=True)
    files = weights(asked)
    first = proof_steps.build(as_it_is=asked.short)
    failed = _measure([first], [first], folder)
    if figure_values.find(measure.kept(folder / f"{first.name}.json"), "ready") == 0:
        # Not measured so, and asked again by the same line.
        (folder / f"{first.name}.json").unlink()
        raise EngineError("llama.cpp does not find this machine's GPU; see the lines above")
    found = measure.kept(folder / "machine.json") or {}
    looked = machine(next(iter(files.values())), shaped=asked.shapes or asked.short)
    # After a cut: what was free at the first start counts.
    measure.keep(
        folder / "machine.json",
        looked | {"memory_available": found.get("memory_available", looked["memory_available"])},
    )
    known: list[Figure] = []
    for name, gguf in files.items():
        extent, gpu = asked.extent(name), bool(looked["gpus"])
        section = LlmSection(gpu_layers=-1, prefill_slice=max(extent.slices))
        fits = proof_fit.changes if gpu and looked["allocates_short"] else _as_it_is
        fitted = fits(folder, name, gguf, section, note)
        settings, sliced = configure(
            folder, name, gguf, extent, gpu=gpu, short=asked.short, fitted=fitted
        )
        slow = slow_start_s(gguf.stat().st_size, looked["reads_mb_s"])
        tokens = SHORT_CONTEXT if asked.short else 4096
        known += proof_steps.steps(
            name,
            settings,
            str(gguf),
            extent,
            sliced,
            gpu=gpu,
            context_tokens=tokens,
            slow_s=slow,
            fitted=fitted,
        )
    note(f"{len(known)} steps, about {sum(each.minutes for each in known):.0f} min on a board")
    with tegrastats.watched(folder) as there:
        failed |= _measure([first, *known], known, folder)
    if not there:
        note("tegrastats is not on this machine: temperature and clocks are not seen")
    measure.keep(folder / "tegrastats.json", tegrastats.document(folder, there=there))
    proof_page.write(Proof(folder, list(files)), failed)
    return failed


def _as_it_is(*of: object) -> dict[str, object]:
    """Where nothing is known to keep a model from loading."""
    return {}


def _measure(known: Sequence[Figure], now: Sequence[Figure], folder: Path) -> dict[str, str]:
    jobs = [(figure, figure.command({}, folder) or []) for figure in now]
    return measure.measure_all(known, jobs, folder, again=False)


def plan(asked: Asked) -> None:
    """Print every step and its minutes on a board; changes nothing."""
    folder = asked.folder
    figures = [proof_steps.build(as_it_is=asked.short)]
    for name in asked.names:
        extent = asked.extent(name)
        sliced = {size: folder / f"{name}-slice-{size}.yaml" for size in extent.slices}
        settings = folder / f"{name}-config.yaml"
        figures += proof_steps.steps(name, settings, f"{name}.gguf", extent, sliced, gpu=True)
    for figure in figures:
        print(f"{figure.name:<40}{figure.minutes:>6.1f} min  {figure.what}")
    print(f"{'all':<40}{sum(each.minutes for each in figures):>6.1f} min on a board, reckoned")


def main(arguments: Sequence[str] | None = None) -> int:
    parsed = _parser().parse_args(arguments)
    names = ["nothing"] if parsed.short else parsed.model.split(",")
    unknown = [name for name in names if not parsed.short and name not in SHAPES]
    if unknown:
        note(f"--model {unknown[0]}: there are {', '.join(SHAPES)}")
        return 2
    asked = Asked(parsed.folder.resolve(), names, parsed.shapes, parsed.short, parsed.fetch)
    if parsed.dry_run:
        plan(asked)
        return 0
    began = time.monotonic()
    try:
        failed = prove(asked)
    except (CompanionError, GgufError) as error:
        note(str(error))
        return 1
    except OSError as error:
        note(f"{error.filename or asked.folder}: {error.strerror}; the same line goes on from here")
        return 1
    for name, why in failed.items():
        note(f"NOT measured: {name}: {why}")
    spent = (time.monotonic() - began) / 60
    note(f"{spent:.0f} min; everything lies in {asked.folder}; begin with {proof_page.PAGE}")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/prove-board",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--model", default=",".join(MODELS), metavar="NAME,...")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--dry-run", action="store_true", help="list steps and minutes")
    return parser


if __name__ == "__main__":
    sys.exit(main())
