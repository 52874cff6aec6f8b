"""Threads that nobody asked for: the cores belong to the engines."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PRODUCT = """
import os
from companion.store import vectors
import numpy
numbers = numpy.ones((2_000, 384), numpy.float32)
numbers @ numbers[0]
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_comparing_vectors_starts_no_threads() -> None:
    plain = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", PRODUCT], env=plain, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == 1
