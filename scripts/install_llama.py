"""Put a llama-cpp-python into this environment that really runs on this machine.

For each build that suits the machine (llama_builds.py) three sources in turn: the wheel kept
from last time, the author's wheel index, a compiler. What comes is installed and self-tested with
a real model; what fails is replaced by the next. Run by scripts/setup inside the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from compile_llama import BuildFailed, compile_wheel
from jetson_release import allocates_short, release
from llama_builds import Build, builds

from companion.config import detect_profile
from companion.weights.fetch import fetch
from companion.weights.manifest import Manifest
from companion.weights.progress import Terminal

SELFTEST_MODEL = "smollm2-135m"
SELFTEST_TIMEOUT_S = 300
PACKAGE = "llama-cpp-python"
FAILED = "failed.txt"
"""Beside where a wheel is kept: what these options build was tried and dies here."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rebuild", action="store_true", help="forget the wheel that was kept")
    arguments = parser.parse_args()
    cache = Path.home() / ".cache" / "companion"
    manifest = Manifest.load()
    fetch(manifest[SELFTEST_MODEL], cache / "models", Terminal())
    gguf = manifest.path(SELFTEST_MODEL, cache / "models")
    version = wanted_version()
    for build in suitable():
        kept = kept_wheels(cache / "wheels", version, build)
        if arguments.rebuild:
            shutil.rmtree(kept, ignore_errors=True)
        if settle(build, version, kept, gguf):
            return 0
    say("No build of llama.cpp runs on this machine. Try all again: scripts/setup --rebuild")
    return 1


def settle(build: Build, version: str, kept: Path, gguf: Path) -> bool:
    """Install the first wheel of a build that passes the self-test, and keep it."""
    with tempfile.TemporaryDirectory(prefix="companion-llama-") as directory:
        for origin, wheel in wheels(build, version, kept, Path(directory)):
            try:
                install(wheel)
            except BuildFailed as error:
                say(f"llama.cpp ({build.name}, {origin}): {error}")
                wheel.unlink()
                continue
            try:
                report = selftest(build, gguf)
            except BuildFailed as error:
                say(f"llama.cpp ({build.name}, {origin}): {error}")
                if origin in ("kept", "compiled"):
                    # The same options would build the same: not again until --rebuild.
                    kept.mkdir(parents=True, exist_ok=True)
                    (kept / FAILED).write_text(f"{error}\n", encoding="utf-8")
                continue
            keep(wheel, kept)
            say(f"llama.cpp ({build.name}, {origin}) runs: {report}")
            return True
    return False


def wanted_version() -> str:
    """The version that pyproject.toml pins."""
    for requirement in metadata.requires("companion") or []:
        if requirement.startswith(f"{PACKAGE}=="):
            return requirement.partition("==")[2].strip()
    raise SystemExit(f"pyproject.toml does not pin {PACKAGE}")


def suitable() -> list[Build]:
    """The builds to try, best first: those for this machine, or the user's own CMAKE_ARGS."""
    own = os.environ.get("CMAKE_ARGS")
    if own:
        options = tuple(shlex.split(own))
        return [Build("own", options, gpu_layers=-1 if _for_a_gpu(options) else 0)]
    try:
        cpu_flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        cpu_flags = []
    jetson = detect_profile() == "jetson"
    return builds(
        platform.system(),
        platform.machine(),
        frozenset(cpu_flags),
        jetson=jetson,
        allocates_short=jetson and allocates_short(release()),
    )


def _for_a_gpu(options: tuple[str, ...]) -> bool:
    """Whether a build has a GPU's code, which its self-test then has to take."""
    on = (f"-DGGML_{name}=ON" for name in ("CUDA", "HIP", "VULKAN", "METAL", "SYCL"))
    return any(option in options for option in on)


def kept_wheels(directory: Path, version: str, build: Build) -> Path:
    """Where the wheel of a build is kept: pip's own cache does not tell build options apart."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform().replace("-", "_")
    return directory / f"{version}-{python}-{system}-{build.key}"


def wheels(build: Build, version: str, kept: Path, directory: Path) -> Iterator[tuple[str, Path]]:
    """Wheels to try, each with where it comes from; the next is sought when the last failed."""
    if (kept / FAILED).exists():
        return
    yield from (("kept", wheel) for wheel in sorted(kept.glob("*.whl")))
    if build.index:
        yield from offered_wheel(version, build.index, directory / "offered")
    if (kept / FAILED).exists():
        return
    try:
        wheel = compile_wheel(PACKAGE, version, build, directory)
    except BuildFailed as error:
        say(f"llama.cpp ({build.name}): {error}")
    else:
        yield "compiled", wheel


def offered_wheel(version: str, index: str, directory: Path) -> Iterator[tuple[str, Path]]:
    """The author's own wheel, if the index answers quickly."""
    command = ["download", "--index-url", index, "--only-binary=:all:", "--no-deps"]
    command += ["--timeout", "5", "--retries", "0", "--dest", str(directory)]
    pip(*command, f"{PACKAGE}=={version}")
    yield from ((f"from {index}", wheel) for wheel in directory.glob("*.whl"))


def install(wheel: Path) -> None:
    """Replace whatever llama-cpp-python is installed. Raises BuildFailed."""
    replaced = pip("install", "--no-deps", "--force-reinstall", str(wheel))
    result = pip("install", str(wheel)) if replaced.returncode == 0 else replaced
    if result.returncode != 0:
        raise BuildFailed(f"pip cannot install {wheel.name}: {result.stderr.strip()[-300:]}")


def selftest(build: Build, gguf: Path) -> str:
    """Run a real prompt in a process that may die. Raises BuildFailed."""
    command = [sys.executable, "-m", "companion.engines.llama.selftest", str(gguf)]
    command += ["--gpu-layers", str(build.gpu_layers)]
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=SELFTEST_TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise BuildFailed(f"the self-test did not end in {SELFTEST_TIMEOUT_S} s") from None
    if result.returncode != 0:
        reason = result.stderr.strip().rpartition("\n")[2] or f"exit {result.returncode}"
        raise BuildFailed(f"dies in the self-test ({reason})")
    report = json.loads(result.stdout)
    lacking = [f for f in build.features if f"{f} = 1" not in report["features"]]
    if lacking:
        raise BuildFailed(f"was built without {', '.join(lacking)}: several times slower")
    return f"{report['prompt_tokens_per_s']} prompt tokens/s on the 135M, one thread"


def keep(wheel: Path, kept: Path) -> None:
    """Store a wheel that passed for the next environment."""
    if wheel.parent == kept:
        return
    kept.mkdir(parents=True, exist_ok=True)
    temporary = kept / f"{wheel.name}.{os.getpid()}"
    shutil.copyfile(wheel, temporary)
    temporary.replace(kept / wheel.name)


def pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    command += [arguments[0], "--no-cache-dir", *arguments[1:]]
    return subprocess.run(
        command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
