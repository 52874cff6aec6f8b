"""Networks in ONNX files, run by onnxruntime on the CPU."""

from __future__ import annotations

from pathlib import Path

from onnxruntime import InferenceSession, SessionOptions


def open_session(
    path: Path, threads: int = 1, *, arena: bool = True, severity: int = 4, folded: bool = True
) -> InferenceSession:
    """A network, loaded. arena: keep the most memory that any call ever took. severity: of what is
    logged at least; 3 an error, 4 what is fatal. folded: False: what is made of constants is made
    anew in each call, and matrices that are stored small stay small. Raises what onnxruntime does:
    any Exception."""
    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = severity
    options.enable_cpu_mem_arena = arena
    # Threads that spin while they wait would take the cores from the language model.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    without = [] if folded else ["ConstantFolding"]
    return InferenceSession(
        str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=without
    )
