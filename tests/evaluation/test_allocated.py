"""What llama.cpp's log of buffers comes to, on a processor and on GPUs that no machine here has."""

from __future__ import annotations

from pathlib import Path

from companion.evaluation.bench.allocated import Allocated, available
from companion.evaluation.bench.buffers import Buffer

MB = 10**6


def test_on_a_processor_what_was_repacked_is_a_copy() -> None:
    found = Allocated(
        [
            Buffer("CPU_Mapped", "model", 4680 * MB),
            Buffer("CPU_REPACK", "model", 3500 * MB),
            Buffer("CPU", "KV", 235 * MB),
            Buffer("CPU", "compute", 286 * MB),
            Buffer("CPU", "output", MB),
        ]
    )
    assert found.weights == 4680 * MB
    assert found.unmapped == found.repacked == 3500 * MB
    assert found.on_device("model") == 0
    assert found.kinds() == {"model": 8180 * MB, "KV": 235 * MB, "compute": 287 * MB}


def test_on_an_integrated_gpu_nothing_is_mapped_and_nothing_is_missed() -> None:
    """A Jetson: llama.cpp reads the file, and the token table stays on the host."""
    found = Allocated(
        [
            Buffer("CPU", "model", 307 * MB),
            Buffer("CUDA0", "model", 4370 * MB),
            Buffer("CUDA0", "KV", 235 * MB),
            Buffer("CUDA0", "compute", 152 * MB),
            Buffer("CUDA_Host", "compute", 19 * MB),
            Buffer("CUDA_Host", "output", MB),
        ]
    )
    assert found.weights == 4677 * MB
    assert found.unmapped == 307 * MB
    assert found.on_device("model") == 4370 * MB
    assert found.on_device("compute") == 172 * MB, "pinned memory is a device's as well"


def test_weights_that_are_read_on_a_processor_are_seen() -> None:
    found = Allocated([Buffer("CPU", "model", 98 * MB), Buffer("CPU_REPACK", "model", 5 * MB)])
    assert found.weights == found.unmapped == 103 * MB


def test_what_the_machine_has_left_is_read(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:  7802796 kB\nMemAvailable:   5000000 kB\n")
    assert available(file) == 5_120_000_000
    assert available(tmp_path / "none") is None
