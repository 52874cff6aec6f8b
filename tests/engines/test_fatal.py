"""Why a GPU aborted reaches the journal, though the process ends without another step of Python."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

BEGIN = """
import llama_cpp as native
from companion.engines.llama import library
say = lambda level, line: library._listen(level, line, None)
"""
# ggml_cuda_error of ggml-cuda.cu: three lines of the log, then GGML_ABORT.
CUDA_ERROR = """
say(4, b"an older complaint\\n")
say(4, b"CUDA error: an illegal memory access was encountered\\n")
say(4, b"  current device: 0, in function ggml_backend_cuda_synchronize at ggml-cuda.cu:2981\\n")
say(4, b"  cudaStreamSynchronize(cuda_ctx->stream())\\n")
say(4, b"a later complaint\\n")
say(2, b"CUDA error: only told of, not an error of the log\\n")
"""
ABORT = """
native.llama_cpp._lib.ggml_abort(b"ggml-cuda.cu", 98, b"CUDA error")
"""
OUT_OF_MEMORY = CUDA_ERROR.replace("an illegal memory access was encountered", "out of memory")
TERMINATE = """
import ctypes
ctypes.CDLL("libstdc++.so.6")._ZSt9terminatev()
"""
KILL = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"


def last_words(program: str) -> tuple[int, list[str]]:
    """How a process ended that ran this, and what it wrote to stderr."""
    command = [sys.executable, "-c", BEGIN + program]
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert child.stdout == ""
    return child.returncode, child.stderr.splitlines()


def test_why_a_gpu_failed_is_on_stderr_before_the_process_dies() -> None:
    code, lines = last_words(CUDA_ERROR + KILL)
    assert code == -signal.SIGKILL
    assert lines == [
        "llama.cpp: CUDA error: an illegal memory access was encountered",
        "llama.cpp: current device: 0, in function ggml_backend_cuda_synchronize at "
        "ggml-cuda.cu:2981",
        "llama.cpp: cudaStreamSynchronize(cuda_ctx->stream())",
    ]


def test_an_abort_of_ggml_says_why_in_one_line() -> None:
    code, lines = last_words(ABORT)
    assert code == -signal.SIGABRT
    assert len(lines) == 1
    assert lines[0].startswith("llama.cpp: aborts: ")
    assert lines[0].endswith("ggml-cuda.cu:98: CUDA error")


def test_a_gpu_without_memory_names_the_keys_to_lower() -> None:
    _, lines = last_words(OUT_OF_MEMORY + KILL)
    assert lines[0].startswith("llama.cpp: CUDA error: out of memory; lower llm.active.prefill")


def test_an_exception_that_nobody_catches_is_one_line_and_starts_no_debugger() -> None:
    """How memory that runs out within a computation looks: test_out_of_memory.py has a real one."""
    code, lines = last_words(TERMINATE)
    assert code == -signal.SIGABRT
    assert lines == ["terminate called without an active exception"]


@pytest.mark.parametrize(
    "line", ["llama_model_load: error loading model: no such key", "failed to allocate buffer"]
)
def test_an_ordinary_error_is_only_collected(line: str) -> None:
    collected = f"say(4, {line!r}.encode())\nassert library.why() == {line!r}"
    assert last_words(collected) == (0, [])


def test_a_ggml_without_such_a_callback_is_lived_with() -> None:
    program = """
from companion.engines.llama import fatal
class Older: ...
native.llama_cpp._lib = Older()
assert fatal.listen_to_aborts() is False
"""
    assert last_words(program) == (0, [])
