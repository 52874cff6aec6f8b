"""`companion doctor`: looks at machine, configuration, weights and store, and changes nothing.

Every finding says what is so and, where it is not well, what mends it.
"""

from __future__ import annotations

import asyncio
import ctypes.util
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config, LlmSection
from companion.doctor import board
from companion.doctor.finding import Finding
from companion.errors import CompanionError, ModelFileError
from companion.weights.located import model_file
from companion.weights.manifest import Entry, Manifest
from companion.weights.needed import VOICE_LIBRARIES, has_voice, needed
from companion.weights.stand_in import in_use, stands_in
from companion.weights.verify import check

_WANTED_CPU = ("avx2", "fma", "f16c", "bmi2")
_LEAST_FREE_BYTES = 100 * 10**6
_GOOD_FREE_BYTES = 10**9
_SELFTEST_TIMEOUT_S = 300
_GIVES_WAY_MS = 100
"""Most milliseconds until the model is free for whoever speaks (performance contract)."""


async def examine(
    load_config: Callable[[], Config], clock: Clock, *, selftest: bool
) -> list[Finding]:
    """Every finding, the machine first.

    `load_config` is called here, so that a broken configuration is a finding too. `selftest`
    also runs a real prompt through the installed llama.cpp, in a process of its own.
    """
    findings = [_python(), _processor(), _llama_cpp(), _voice()]
    if has_voice():
        findings.append(_portaudio())
    try:
        config = load_config()
    except CompanionError as error:
        return [*findings, Finding("config", "bad", str(error))]
    because = f" (auto: {config.automatic})" if config.automatic else ""
    findings.append(Finding("config", "ok", f"profile {config.profile}{because}"))
    findings += _models(config)
    findings += [_disk("data_dir", config.data_dir), _disk("models_dir", config.models_dir)]
    looked = [await asyncio.to_thread(_disk_speed, config), await asyncio.to_thread(board.power)]
    findings += [finding for finding in looked if finding is not None]
    findings.append(await _store(config, clock))
    if selftest:
        findings += await asyncio.to_thread(_selftest, config)
    return findings


def _python() -> Finding:
    what = f"{platform.python_version()}, {platform.system()} {platform.machine()}"
    return Finding("python", "ok", what)


def _processor() -> Finding:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    what = f"{cores} cores"
    try:
        words = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        return Finding("processor", "ok", what)
    lacking = [flag for flag in _WANTED_CPU if flag not in words]
    if platform.machine() == "x86_64" and lacking:
        return Finding(
            "processor",
            "warn",
            f"{what} without {', '.join(lacking)}: replies are several times slower",
            "use the profile tiny, or an OpenAI-compatible server on another machine",
        )
    return Finding("processor", "ok", what)


def _llama_cpp() -> Finding:
    try:
        return Finding(
            "llama.cpp", "ok", f"llama-cpp-python {metadata.version('llama_cpp_python')}"
        )
    except metadata.PackageNotFoundError:
        return Finding("llama.cpp", "bad", "llama-cpp-python is not installed", "scripts/setup")


def _voice() -> Finding:
    lacking = [library for library in VOICE_LIBRARIES if find_spec(library) is None]
    if not lacking:
        return Finding("voice", "ok", "the libraries for hearing and speaking are installed")
    if len(lacking) == len(VOICE_LIBRARIES):
        what = "not installed: it writes only (scripts/setup --voice lets it hear and speak)"
        return Finding("voice", "ok", what)
    what = f"it cannot hear and speak: {', '.join(lacking)} not installed"
    return Finding("voice", "warn", what, "scripts/setup --voice")


def _portaudio() -> Finding:
    # On other systems than Linux sounddevice brings the library along.
    if platform.system() == "Linux" and ctypes.util.find_library("portaudio") is None:
        what = "libportaudio2 is not installed: no microphone and no speaker; sound files work"
        return Finding("portaudio", "warn", what, "sudo apt-get install libportaudio2")
    return Finding("portaudio", "ok", "live microphones and speakers can be opened")


def _models(config: Config) -> list[Finding]:
    try:
        manifest = Manifest.load()
        named = needed(config, manifest)
    except CompanionError as error:
        return [Finding("models", "bad", str(error))]
    entries = [in_use(entry, manifest, config.models_dir) for entry in named]
    findings = [
        _model(entry, config.models_dir, other) for entry, other in zip(entries, named, strict=True)
    ]
    for section in _llama_cpp_sections(config):
        if section.file is not None:
            findings.append(_own_gguf(section.file.expanduser()))
    return [*findings, _memory(config, entries)]


def _llama_cpp_sections(config: Config) -> list[LlmSection]:
    sections = (config.llm.active, config.llm.inactive)
    return [s for s in sections if s is not None and s.backend == "llama-cpp"]


def _model(entry: Entry, models_dir: Path, named: Entry) -> Finding:
    """named: the entry that the configuration names, for which `entry` may stand in."""
    try:
        check(entry, models_dir)
    except ModelFileError as error:
        return Finding(f"model {entry.name}", "bad", str(error))
    if entry is not named:
        return Finding(f"model {entry.name}", "warn", stands_in(named))
    return Finding(f"model {entry.name}", "ok", entry.title)


def _own_gguf(path: Path) -> Finding:
    name = f"model {path.name}"
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
    except OSError as error:
        return Finding(name, "bad", f"{path}: {error.strerror}", "name another file")
    if magic != b"GGUF":
        return Finding(name, "bad", f"{path}: is not a GGUF file", "name another file")
    return Finding(name, "ok", f"{path} (your own: nothing to compare it with)")


def _memory(config: Config, entries: list[Entry]) -> Finding:
    own = {s.file.expanduser() for s in _llama_cpp_sections(config) if s.file is not None}
    weights = sum(entry.size for entry in entries)
    weights += sum(file.stat().st_size for file in own if file.is_file())
    return board.room(weights, running=_runs(config))


def _runs(config: Config) -> bool:
    """Whether a companion runs, which holds memory itself; asked without taking its lock."""
    try:
        held = Path("/proc/locks").read_text(encoding="ascii")
        return any(
            f":{(config.data_dir / name).stat().st_ino} " in held
            for name in ("daemon.lock", "store.lock")
            if _seen(config.data_dir / name)
        )
    except OSError:
        return False


def _disk_speed(config: Config) -> Finding | None:
    section = config.llm.active
    if section.backend != "llama-cpp":
        return None
    try:
        file = model_file(section, config.models_dir)
        return board.reading(file, board.disk_speed(file))
    except (CompanionError, OSError):
        return None  # that it is not there is a finding already


def _disk(name: str, directory: Path) -> Finding:
    existing = next(place for place in (directory, *directory.parents) if _seen(place))
    free = shutil.disk_usage(existing).free
    what = f"{directory}: {free / 1e9:.1f} GB free"
    mend = f"free some space, or set {name} to another disk"
    if not os.access(existing, os.W_OK):
        return Finding(
            name, "bad", f"{existing} is not writable", f"mend its rights, or set {name}"
        )
    if free >= _GOOD_FREE_BYTES:
        return Finding(name, "ok", what)
    return Finding(name, "bad" if free < _LEAST_FREE_BYTES else "warn", what, mend)


def _seen(place: Path) -> bool:
    """Whether something is there; False also where we may not look."""
    return os.path.exists(place)


async def _store(config: Config, clock: Clock) -> Finding:
    if not _seen(config.data_dir):
        return Finding("store", "ok", f"{config.data_dir}: nothing is remembered yet")
    try:
        async with open_store(config, clock, mode="reader"):
            return Finding("store", "ok", f"{config.data_dir}: opens")
    except CompanionError as error:
        return Finding("store", "bad", str(error))


def _selftest(config: Config) -> list[Finding]:
    """Run the self-test of llama.cpp; its process may die, which is what we want to know."""
    section = config.llm.active
    if section.backend != "llama-cpp":
        return [Finding("self-test", "ok", "not needed: the model runs on a server")]
    try:
        gguf = model_file(section, config.models_dir)
        size = gguf.stat().st_size
    except CompanionError as error:
        return [Finding("self-test", "bad", str(error))]
    except OSError as error:
        return [Finding("self-test", "bad", f"{gguf}: {error.strerror}", "name another file")]
    command = [sys.executable, "-m", "companion.engines.llama.selftest", str(gguf)]
    command += ["--gpu-layers", str(section.gpu_layers), "--threads", str(section.threads)]
    command += ["--context-tokens", str(section.context_tokens)]
    command += ["--prefill-slice", str(section.prefill_slice)]
    command += [] if section.mmap else ["--no-mmap"]
    # The processor judges what a GPU writes: the weights are read twice.
    slow = 2 * board.slow_start_s(size, board.disk_speed(gguf))
    patience = round(_SELFTEST_TIMEOUT_S + slow)
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=patience, check=False
        )
    except subprocess.TimeoutExpired:
        what = f"no answer in {patience} s"
        return [Finding("self-test", "bad", what, "scripts/setup")]
    if result.returncode != 0:
        what = _end_of_selftest(result)
        return [Finding("self-test", "bad", what, "build it anew: scripts/setup --rebuild")]
    report = json.loads(result.stdout)
    return [Finding("self-test", "ok", result.stdout.strip()), gives_way(report)]


def gives_way(report: dict[str, Any]) -> Finding:
    """How long whoever begins to speak waits for a prompt that is being read, by a self-test's
    `Report`: on a GPU, the length of a slice over its speed."""
    tokens, wait_ms = report["slice_tokens"], report["gives_way_ms"]
    if wait_ms is None:
        what = f"within a slice of {tokens} tokens, at any step of the computation (processor)"
        return Finding("giving way", "ok", what)
    speed = round(tokens * 1000 / wait_ms)
    what = f"after a slice of {tokens} tokens: {wait_ms:.0f} ms at {speed} tokens/s (GPU)"
    if wait_ms <= _GIVES_WAY_MS:
        return Finding("giving way", "ok", what)
    mend = f"{_GIVES_WAY_MS} ms are wanted: a smaller llm.active.model, or a higher power mode"
    return Finding("giving way", "warn", what, mend)


def _end_of_selftest(result: subprocess.CompletedProcess[str]) -> str:
    """Why a self-test failed: what it said last, and by which signal it died if it did. A GPU's
    error comes before where it was, and that it aborts."""
    lines = result.stderr.strip().splitlines()
    said = lines[-1] if lines else ""
    if result.returncode > 0 and said:
        return said
    said = next((line for line in lines if " error: " in line or "out of memory" in line), said)
    reason = f"exit {result.returncode}: {said}" if said else f"exit {result.returncode}"
    return f"llama.cpp dies on this machine ({reason})"
