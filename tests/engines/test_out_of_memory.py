"""Memory that runs out: told apart from a damaged file, in one line with sizes and the key."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.engines.llama import out_of_memory
from companion.engines.llama.devices import Gpu
from companion.engines.llama.out_of_memory import shortage

# Takes so many MB more than the process has, loads, and says what became of it.
LIMITED = """
import resource, sys
from pathlib import Path
from companion.config import LlmSection
from companion.engines.llama.context import LlamaContext
from companion.errors import CompanionError
path, extra, context_tokens, prefill_slice = sys.argv[1], *map(int, sys.argv[2:])
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + extra * 10**6,) * 2)
section = LlmSection(context_tokens=context_tokens, prefill_slice=prefill_slice, threads=1)
try:
    LlamaContext(Path(path), section)
except CompanionError as error:
    print(type(error).__name__, error)
"""


def said(path: Path, extra_mb: int, context_tokens: int, prefill_slice: int) -> str:
    """What loading says that may take so much more memory."""
    sizes = [str(each) for each in (extra_mb, context_tokens, prefill_slice)]
    command = [sys.executable, "-c", LIMITED, str(path), *sizes]
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert child.returncode == 0, child.stderr[-500:]
    return child.stdout.strip()


@pytest.mark.real
def test_weights_that_do_not_fit_are_no_damaged_file(llm_tiny_path: Path) -> None:
    line = said(llm_tiny_path, 20, 1024, 64)
    assert line.startswith(f"EngineError {llm_tiny_path}: not enough memory for the weights")
    assert "98 MB needed at once, " in line
    assert "MB free); end other programs, or choose a smaller llm.active.model" in line
    assert "fetch" not in line
    assert "\n" not in line


@pytest.mark.real
def test_a_cache_that_does_not_fit_names_the_key_and_the_sizes(llm_tiny_path: Path) -> None:
    line = said(llm_tiny_path, 130, 8192, 64)
    assert "no room for a context of 8192 tokens (189 MB needed at once, " in line
    assert line.endswith("lower llm.active.context_tokens")


@pytest.mark.real
def test_batches_that_do_not_fit_name_another_key(llm_tiny_path: Path) -> None:
    line = said(llm_tiny_path, 260, 2048, 2048)
    assert "no room for batches of 2048 tokens (" in line
    assert line.endswith("lower llm.active.prefill_slice")


# Reads a long prompt with so little memory left.
AT_A_PROMPT = """
import resource, sys
from pathlib import Path
from companion.config import LlmSection
from companion.engines.cancel import CancelFlag
from companion.engines.llama.context import LlamaContext
section = LlmSection(context_tokens=1024, prefill_slice=512, threads=1)
context = LlamaContext(Path(sys.argv[1]), section)
ids = context.vocabulary.plain("One day a whale swam far. " * 200)[:900]
context.prepare(ids)
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + 500_000,) * 2)
context.evaluate(ids, CancelFlag())
"""


@pytest.mark.real
def test_memory_that_runs_out_within_a_prompt_is_told_before_the_process_ends(
    llm_tiny_path: Path,
) -> None:
    """llama.cpp catches no failed allocation there: it ends the process, and the service is started
    anew."""
    command = [sys.executable, "-c", AT_A_PROMPT, str(llm_tiny_path)]
    child = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert child.returncode == -signal.SIGABRT
    (line,) = child.stderr.splitlines()
    assert line.startswith("companion: out of memory while computing; lower llm.active.prefill")


# ---- lines of llama.cpp's log, from its threads and from small runs

CUDA = [
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4168.09 MiB on device 0: "
    "cudaMalloc failed: out of memory",
    "alloc_tensor_range: failed to allocate CUDA0 buffer of size 4370554880",
    "llama_model_load: error loading model: unable to allocate CUDA0 buffer",
    "llama_model_load_from_file_impl: failed to load model",
]


def test_a_gpus_memory_is_looked_up_on_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out_of_memory, "gpus", lambda: (Gpu("CUDA0", 3_500_000_000),))
    short = shortage(CUDA, 4_680_000_000)
    assert short is not None
    assert str(short) == "4.37 GB needed at once on the GPU, 3.50 GB free"


@pytest.mark.parametrize(
    "line",
    [
        "llama_model_load: error loading model: tensor 'output.weight' data is not within bounds",
        "llama_model_load: error loading model: mmap failed: No such device",
        "gguf_init_from_file_impl: failed to read magic",
    ],
)
def test_other_failures_are_not_taken_for_it(line: str) -> None:
    assert shortage([line], 98_000_000) is None


def test_a_size_that_no_such_file_can_need_is_damage() -> None:
    absurd = "ggml_aligned_malloc: insufficient memory (attempted to allocate 98765432.10 MB)"
    assert shortage([absurd], 98_000_000) is None
    assert shortage(["error loading model: std::bad_alloc"], 1000) is None
