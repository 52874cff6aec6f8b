"""Compile one wheel of llama-cpp-python, with a line that shows it is still at work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from llama_builds import Build

_NEEDED_BYTES = 2 * 10**9
_CUDA_JOB_BYTES = 2 * 10**9
"""Assumed of the largest CUDA file: six at once do not fit into the 8 GB of a Jetson."""

_LINE_EVERY_S = 30.0
_STEP = re.compile(rb"\[(\d+)/(\d+)\]")
_NVCC = Path("/usr/local/cuda/bin/nvcc")

_INSTALLERS = {
    "apt-get": "sudo apt-get install build-essential",
    "dnf": "sudo dnf install gcc gcc-c++ make",
    "pacman": "sudo pacman -S base-devel",
    "zypper": "sudo zypper install gcc gcc-c++ make",
    "apk": "sudo apk add build-base linux-headers",
}


class BuildFailed(Exception):
    """This wheel is no use here; the message is why."""


def compile_wheel(name: str, version: str, build: Build, directory: Path) -> Path:
    """Build a package from source with the build's options; the wheel lands in `directory`.

    pip brings CMake and ninja itself where the system has none. Raises BuildFailed; when a
    compiler or disk space is missing, with the command that mends it.
    """
    _require_compilers(build)
    _require_space()
    # No pip cache: it would hand back a wheel that was built with other options.
    command = [sys.executable, "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-cache-dir"]
    command += ["--disable-pip-version-check", "--no-input", f"--no-binary={name}"]
    command += ["--wheel-dir", str(directory), f"{name}=={version}"]
    duration = "half an hour or more" if _is_cuda(build) else "about ten minutes on two cores"
    _say(f"Compiling llama.cpp ({build.name}), {duration}. {build.cmake_args}")
    log = directory / "build.log"
    code = _run(command, _environment(build), log)
    wheels = list(directory.glob("*.whl"))
    if code != 0 or not wheels:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        _say("\n".join(lines[-20:]))
        raise BuildFailed("does not compile; the end of its log stands above")
    return wheels[0]


def _require_compilers(build: Build) -> None:
    c = any(shutil.which(tool) for tool in (os.environ.get("CC", "cc"), "gcc", "clang"))
    cxx = any(shutil.which(tool) for tool in (os.environ.get("CXX", "c++"), "g++", "clang++"))
    if not (c and cxx):
        mend = "xcode-select --install"
        if sys.platform != "darwin":
            known = (how for tool, how in _INSTALLERS.items() if shutil.which(tool))
            mend = next(known, "install gcc and g++ with your system's package manager")
        raise BuildFailed(f"needs a C/C++ compiler, and there is none; get one with: {mend}")
    if _is_cuda(build) and not (shutil.which("nvcc") or _NVCC.exists()):
        raise BuildFailed("needs CUDA's compiler: sudo apt-get install nvidia-jetpack")


def _require_space() -> None:
    directory = tempfile.gettempdir()
    free = shutil.disk_usage(directory).free
    if free < _NEEDED_BYTES:
        raise BuildFailed(
            f"compiling needs {_NEEDED_BYTES / 1e9:.0f} GB in {directory} and {free / 1e9:.1f} GB "
            "are free; free some, or set TMPDIR to another disk"
        )


def _environment(build: Build) -> dict[str, str]:
    environment = os.environ | {"CMAKE_ARGS": build.cmake_args}
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(_jobs(build)))
    if _is_cuda(build) and not shutil.which("nvcc"):
        environment["CUDACXX"] = str(_NVCC)
    return environment


def _is_cuda(build: Build) -> bool:
    return "-DGGML_CUDA=ON" in build.options


def _jobs(build: Build) -> int:
    """As many compilers as there are cores; of CUDA's, as many as memory has room for."""
    cores = os.cpu_count() or 1
    if not _is_cuda(build):
        return cores
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(cores, memory // _CUDA_JOB_BYTES))


def _run(command: list[str], environment: dict[str, str], log: Path) -> int:
    """Run to the end with all output in `log`; how far it is, on one line."""
    started = time.monotonic()
    watched = sys.stderr.isatty()
    next_line = _LINE_EVERY_S
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        )
        try:
            while process.poll() is None:
                elapsed = time.monotonic() - started
                if watched or elapsed >= next_line:
                    next_line += _LINE_EVERY_S
                    line = f"  {int(elapsed) // 60}:{int(elapsed) % 60:02d} {_step(log)}"
                    print(line, end="\r" if watched else "\n", file=sys.stderr, flush=True)
                time.sleep(0.5)
        finally:
            process.kill()
            code = process.wait()
    if watched:
        print(" " * 40, end="\r", file=sys.stderr)
    return code


def _step(log: Path) -> str:
    """Ninja's last `[done/all]`, when it has begun."""
    with log.open("rb") as stream:
        stream.seek(max(0, log.stat().st_size - 20_000))
        steps = _STEP.findall(stream.read())
    return f"step {steps[-1][0].decode()} of {steps[-1][1].decode()}" if steps else "preparing"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
