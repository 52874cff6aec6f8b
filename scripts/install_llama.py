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
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from compile_llama import BuildFailed, compile_wheel
from llama_builds import Build, builds

from companion.config import detect_profile
from companion.weights.fetch import fetch
from companion.weights.manifest import Manifest
from companion.weights.progress import Terminal

SELFTEST_MODEL = "smollm2-135m"
SELFTEST_TIMEOUT_S = 300
PACKAGE = "llama-cpp-python"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", help="the name of a build in llama_builds.py")
    parser.add_argument("--rebuild", action="store_true", help="forget the wheel that was kept")
    arguments = parser.parse_args()
    cache = Path.home() / ".cache" / "companion"
    version = wanted_version()
    candidates = suitable(arguments.build)
    manifest = Manifest.load()
    fetch(manifest[SELFTEST_MODEL], cache / "models", Terminal())
    gguf = manifest.path(SELFTEST_MODEL, cache / "models")
    failures = []
    for build in candidates:
        kept = kept_wheels(cache / "wheels", version, build)
        if arguments.rebuild:
            shutil.rmtree(kept, ignore_errors=True)
        for origin, wheel in wheels(version, build, kept):
            try:
                install(wheel)
                report = selftest(build, gguf)
            except BuildFailed as error:
                say(f"llama.cpp ({build.name}, {origin}): {error}")
                failures.append(f"{build.name}, {origin}: {error}")
                if wheel.parent == kept:
                    wheel.unlink(missing_ok=True)
                continue
            keep(wheel, kept)
            say(f"llama.cpp ({build.name}, {origin}) runs: {report}")
            return 0
    say(f"No build of llama.cpp runs on this machine: {'; '.join(failures)}")
    return 1


def wanted_version() -> str:
    """The version that pyproject.toml pins."""
    for requirement in metadata.requires("companion") or []:
        if requirement.startswith(f"{PACKAGE}=="):
            return requirement.partition("==")[2].strip()
    raise SystemExit(f"pyproject.toml does not pin {PACKAGE}")


def suitable(name: str | None) -> list[Build]:
    """The builds to try: those for this machine, the one named, or the user's own CMAKE_ARGS."""
    own = os.environ.get("CMAKE_ARGS")
    if own:
        return [Build("own", tuple(own.split()))]
    try:
        cpu_flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split()
    except OSError:
        cpu_flags = []
    jetson = detect_profile() == "jetson"
    found = builds(platform.system(), platform.machine(), frozenset(cpu_flags), jetson=jetson)
    if name is None:
        return [build for build in found if not build.on_request]
    chosen = [build for build in found if build.name == name]
    if not chosen:
        raise SystemExit(
            f"no build {name!r} for this machine; known: {', '.join(b.name for b in found)}"
        )
    return chosen


def kept_wheels(directory: Path, version: str, build: Build) -> Path:
    """Where the wheel of a build is kept: pip's own cache does not tell build options apart."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    system = sysconfig.get_platform().replace("-", "_")
    return directory / f"{version}-{python}-{system}-{build.key}"


def wheels(version: str, build: Build, kept: Path) -> Iterator[tuple[str, Path]]:
    """Wheels to try, each with where it comes from. The next is sought when the last failed.

    Raises SystemExit when a compiler is needed and missing.
    """
    yield from (("kept", wheel) for wheel in sorted(kept.glob("*.whl")))
    with tempfile.TemporaryDirectory(prefix="companion-llama-") as directory:
        if build.index:
            yield from offered_wheel(version, build.index, Path(directory) / "offered")
        yield "compiled", compile_wheel(PACKAGE, version, build, Path(directory))


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
    command = [sys.executable, "-m", "companion.engines.selftest", str(gguf)]
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
