"""Which builds of llama.cpp suit a machine, best first.

llama.cpp's own default, `-march=native`, believes what the CPU claims. A virtual CPU may claim
AMX and trap on its first tile instruction, so on x86-64 every instruction set is named here, and
whatever is built still has to pass `companion.engines.llama.selftest`.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Collection
from dataclasses import dataclass

AUTHOR_INDEX = "https://abetlen.github.io/llama-cpp-python/whl"

# CPU flag in /proc/cpuinfo -> option of llama.cpp's CMake files, which it also reports.
_SETS = {
    "sse4_2": "SSE42",
    "avx": "AVX",
    "avx2": "AVX2",
    "fma": "FMA",
    "f16c": "F16C",
    "bmi2": "BMI2",
}
_WIDE_SETS = {
    "avx512f": "AVX512",
    "avx512vbmi": "AVX512_VBMI",
    "avx512_vnni": "AVX512_VNNI",
    "avx512_bf16": "AVX512_BF16",
}
_WIDE_NEEDS = {"avx512f", "avx512cd", "avx512vl", "avx512dq", "avx512bw", "avx512_vnni"}
"""What the compiler uses once GGML_AVX512 is on, and VNNI: CPUs without it gain little and
lower their clock."""

_DECISIVE = {"AVX2", "FMA", "F16C", "AVX512", "AVX512_VNNI"}
"""A wheel built without one of these (and the CPU has it) runs, but much slower."""


@dataclass(frozen=True)
class Build:
    """One way to build llama.cpp."""

    name: str
    options: tuple[str, ...] = ()
    """Arguments for CMake."""

    index: str | None = None
    """Where the author of llama-cpp-python offers wheels that may do instead."""

    features: tuple[str, ...] = ()
    """What the build must report about itself."""

    gpu_layers: int = 0
    """For the self-test; -1: all."""

    @property
    def cmake_args(self) -> str:
        return shlex.join(self.options)

    @property
    def key(self) -> str:
        """Names the wheel in the cache: other options, other key."""
        return f"{self.name}-{hashlib.sha256(self.cmake_args.encode()).hexdigest()[:10]}"


def builds(
    system: str,
    machine: str,
    cpu_flags: Collection[str],
    *,
    jetson: bool,
    allocates_short: bool = False,
) -> list[Build]:
    """The builds to try on a machine, in order.

    system and machine as `platform` names them; cpu_flags as /proc/cpuinfo does. allocates_short:
    of a Jetson's release (jetson_release).
    """
    if jetson:
        cuda = ("-DGGML_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=87")
        both = [
            Build("jetson", cuda, gpu_layers=-1),
            # Where the driver cannot reserve virtual memory, the first one fails its self-test.
            Build("jetson-no-vmm", (*cuda, "-DGGML_CUDA_NO_VMM=ON"), gpu_layers=-1),
        ]
        # The small model of the self-test would not show it there: the large one reserves more.
        return both[::-1] if allocates_short else both
    if system == "Darwin":
        return [Build("metal", index=f"{AUTHOR_INDEX}/metal", gpu_layers=-1)]
    if machine not in ("x86_64", "AMD64"):
        return [Build("native", index=f"{AUTHOR_INDEX}/cpu")]
    # Prompts are evaluated 1.7 times as fast with AVX-512 and VNNI as with AVX2 (0.5B Q4_K_M, one
    # thread of a Sapphire Rapids). The author's wheels do not have it.
    wide = [_x86("avx512", _SETS | _WIDE_SETS, cpu_flags)] if set(cpu_flags) >= _WIDE_NEEDS else []
    return [*wide, _x86("avx2", _SETS, cpu_flags, index=f"{AUTHOR_INDEX}/cpu")]


def _x86(
    name: str, sets: dict[str, str], cpu_flags: Collection[str], *, index: str | None = None
) -> Build:
    # Each set is switched on or off by name: those left out default to on.
    switches = [f"-DGGML_{s}={'ON' if f in cpu_flags else 'OFF'}" for f, s in sets.items()]
    features = [s for f, s in sets.items() if f in cpu_flags and s in _DECISIVE]
    return Build(name, ("-DGGML_NATIVE=OFF", *switches), index=index, features=tuple(features))
