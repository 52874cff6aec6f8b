"""Let memory run out while a model is loaded, given a context, given room for batches, and read to.

    python scripts/starve.py GGUF

Each time in a process of its own. On the processor its address space is limited. A GPU's memory
knows no such limit: there it is filled beforehand, never to the end where it is the machine's own.
Prints a JSON object: for each case the line that was said, and `named` 1 where it tells that memory
was short and the key to lower.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TIMEOUT_S = 600
GPU, INTEGRATED = 1, 2  # GGML_BACKEND_DEVICE_TYPE_GPU, _IGPU of ggml-backend.h
LEFT_TO_THE_MACHINE = 400 * 2**20
"""Bytes of an integrated GPU's memory that are never taken: they are the system's too."""

ON_A_GPU = ("load", "context")
"""Cases that are tried on every GPU; `prompt` too where its memory is its own: what is left then
would not do for a system."""

_PIECE = 256 * 2**20


@dataclass(frozen=True)
class Case:
    """One way to run out."""

    when: str
    """Before what the memory is taken: `load`, `context` or `prompt`."""

    extra: int
    """Bytes that are left then."""

    context_tokens: int
    batch: int


def cases(size: int) -> dict[str, Case]:
    """size: of the model's file, bytes."""
    return {
        "load": Case("load", size // 5, 1024, 64),
        "context": Case("context", 16 * 10**6, 131_072, 64),
        "batch": Case("context", max(60 * 10**6, size // 3), 4096, 4096),
        "prompt": Case("prompt", 500_000, 1024, 512),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("gguf", type=Path)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    parser.add_argument("--gpu", action="store_true", help="also on the GPU")
    asked = parser.parse_args()
    known = cases(asked.gguf.stat().st_size)
    if asked.case:
        return _run_out(asked.gguf, known[asked.case], gpu=asked.gpu)
    found = {name: _outcome(asked.gguf, name, gpu=False) for name in known}
    if asked.gpu:
        found |= {
            f"gpu_{name}": _outcome(asked.gguf, name, gpu=True)
            for name in (*ON_A_GPU, *(() if _integrated() else ("prompt",)))
        }
    print(json.dumps(found))
    return 0


def _outcome(path: Path, name: str, *, gpu: bool) -> dict[str, Any]:
    command = [sys.executable, __file__, str(path), "--case", name, *(["--gpu"] if gpu else [])]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return {"said": f"no answer in {TIMEOUT_S} s", "named": 0}
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    # A GPU's error has three lines more: where, the call, and that it aborts.
    line = next((each for each in lines if "memory" in each or "no room" in each), "")
    named = "llm.active." in line and ("needed at once" in line or "out of memory" in line)
    said = line or f"exit {done.returncode}: {lines[-1] if lines else 'nothing'}"
    return {"said": said.replace(str(path), path.name), "named": int(named)}


def _run_out(path: Path, case: Case, *, gpu: bool) -> int:
    from companion.config import LlmSection
    from companion.engines.cancel import CancelFlag
    from companion.engines.llama import context
    from companion.errors import CompanionError

    def take() -> None:
        if gpu:
            fill(max(case.extra, LEFT_TO_THE_MACHINE) if _integrated() else case.extra)
        else:
            _limit(case.extra)

    section = LlmSection(
        context_tokens=case.context_tokens,
        prefill_slice=case.batch,
        threads=1,
        gpu_layers=-1 if gpu else 0,
    )
    if case.when == "load":
        take()
    elif case.when == "context":
        names = vars(context)
        names["load_model"] = _then(names["load_model"], take)
    try:
        engine = context.LlamaContext(path, section, exact=not gpu)
        ids = (engine.vocabulary.plain("One day a whale swam far. ") * 200)[:900]
        engine.prepare(ids)
        if case.when == "prompt":
            take()
        engine.evaluate(ids, CancelFlag())
        print("there was enough: nothing ran out")
    except CompanionError as error:
        print(type(error).__name__, error)
    return 0


def _then(load: Callable[..., Any], take: Callable[[], None]) -> Callable[..., Any]:
    def load_then_take(*arguments: Any, **more: Any) -> Any:
        model = load(*arguments, **more)
        take()
        return model

    return load_then_take


def _limit(extra: int) -> None:
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + extra,) * 2)


def fill(leave: int, kinds: tuple[int, ...] = (GPU, INTEGRATED), most: int | None = None) -> int:
    """Take memory of devices of these kinds until so many bytes of each are left; the bytes that
    were taken. They are freed when the process ends. most: of each, for a test."""
    taken = 0
    for device in _devices(kinds):
        kind = _ggml("ggml_backend_dev_buffer_type", ctypes.c_void_p, device)
        of_this = 0
        while True:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            sizes = ctypes.byref(free), ctypes.byref(total)
            _ggml("ggml_backend_dev_memory", None, device, *sizes)
            room = min(free.value - leave, _PIECE)
            if most is not None:
                room = min(room, most - of_this)
            if room < 2**20:
                break
            arguments = ctypes.c_void_p(kind), ctypes.c_size_t(room)
            if not _ggml("ggml_backend_buft_alloc_buffer", ctypes.c_void_p, *arguments):
                break
            of_this += room
        taken += of_this
    return taken


def _integrated() -> bool:
    return bool(_devices((INTEGRATED,)))


def _devices(kinds: tuple[int, ...]) -> list[ctypes.c_void_p]:
    found = []
    for index in range(_ggml("ggml_backend_dev_count", ctypes.c_size_t)):
        handle = _ggml("ggml_backend_dev_get", ctypes.c_void_p, ctypes.c_size_t(index))
        device = ctypes.c_void_p(handle)
        if _ggml("ggml_backend_dev_type", ctypes.c_int, device) in kinds:
            found.append(device)
    return found


def _ggml(name: str, result: Any, *arguments: Any) -> Any:
    import llama_cpp

    function = getattr(llama_cpp.llama_cpp._lib, name)
    function.restype = result
    return function(*arguments)


if __name__ == "__main__":
    sys.exit(main())
