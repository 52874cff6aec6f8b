"""The file of an adapter, as llama.cpp loads it: a GGUF with two tensors for each matrix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import torch

MATRICES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
"""Matrices that are updated: their path in transformers' model, their name in a GGUF."""


def write(model: Any, file: Path, lowest: int, layers: int, alpha: float) -> None:
    """As llama.cpp reads it: `adapter.type` lora, `blk.N.X.weight.lora_a` and `_b`."""
    writer = gguf.GGUFWriter(file, "qwen2")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    for layer in range(lowest, layers):
        for path, name in MATRICES.items():
            update = model.model.layers[layer].get_submodule(path)
            for side in ("a", "b"):
                array = getattr(update, side).detach().to(torch.float16).numpy()
                writer.add_tensor(f"blk.{layer}.{name}.weight.lora_{side}", array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def begin_with(model: Any, file: Path) -> None:
    """Put the numbers of a written adapter into the updates."""
    paths = {name: path for path, name in MATRICES.items()}
    for tensor in gguf.GGUFReader(file).tensors:
        _, layer, name, _, side = tensor.name.split(".")
        update = model.model.layers[int(layer)].get_submodule(paths[name])
        value = torch.from_numpy(tensor.data.copy()).float()
        with torch.no_grad():
            getattr(update, side.removeprefix("lora_")).copy_(value)
