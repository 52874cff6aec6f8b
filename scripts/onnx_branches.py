"""Puts several heads over one trunk into one ONNX file.

Networks that were begun from the same encoder, and of which only the upper layers were trained,
have word vectors and lower layers in common (hard parameter sharing, Caruana 1997): a head more
costs its own layers, 5 MB, and not a whole network's 23.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from onnx import helper

_OF_TRUNK = re.compile(r"/encoder/(?!encoder/layer\.[3-9])")
"""Names of what is computed in the word vectors, the lowest three layers, and of the mask."""


def add_head(base: Any, branch: Any, name: str, kinds: Sequence[str]) -> None:
    """base, branch: onnx models with the inputs of a text classifier. The branch's `logits` become
    the base's output `name`, computed from the base's own trunk; one of that name is replaced.
    kinds: what they stand for, written into the base's properties as `kinds.NAME`."""
    remove_head(base, name)
    graph, prefix = branch.graph, f"{name}:"
    shared = {each.name for each in base.graph.input}
    shared |= {out for node in base.graph.node for out in node.output if _OF_TRUNK.match(out)}
    made_by = {out: node for node in graph.node for out in node.output}
    needed: set[str] = set()
    waiting = ["logits"]
    while waiting:
        tensor = waiting.pop()
        if tensor in needed or tensor in shared or not tensor:
            continue
        needed.add(tensor)
        waiting += made_by[tensor].input if tensor in made_by else ()

    def renamed(tensor: str) -> str:
        if not tensor or tensor in shared:
            return tensor
        return name if tensor == "logits" else prefix + tensor

    for node in graph.node:
        if needed.intersection(node.output):
            copy = base.graph.node.add()
            copy.CopyFrom(node)
            copy.name = prefix + (node.name or node.output[0])
            copy.input[:] = [renamed(each) for each in node.input]
            copy.output[:] = [renamed(each) for each in node.output]
    for kept in graph.initializer:
        if kept.name in needed:
            added = base.graph.initializer.add()
            added.CopyFrom(kept)
            added.name = renamed(kept.name)
    [logits] = graph.output
    output = base.graph.output.add()
    output.CopyFrom(logits)
    output.name = name
    helper.set_model_props(base, _said(base) | {f"kinds.{name}": " ".join(kinds)})


def copy_heads(source: Any, target: Any) -> list[str]:
    """Give one file all heads that `add_head` put into another over the same trunk; their names."""
    found = [each.name for each in source.graph.output if f"kinds.{each.name}" in _said(source)]
    for name in found:
        remove_head(target, name)
        prefix = f"{name}:"
        kept = [each for each in source.graph.initializer if each.name.startswith(prefix)]
        target.graph.initializer.extend(kept)
        target.graph.node.extend(n for n in source.graph.node if n.name.startswith(prefix))
        target.graph.output.extend(each for each in source.graph.output if each.name == name)
    kinds = {f"kinds.{name}": _said(source)[f"kinds.{name}"] for name in found}
    helper.set_model_props(target, _said(target) | kinds)
    return found


def _said(model: Any) -> dict[str, str]:
    return {each.key: each.value for each in model.metadata_props}


def remove_head(base: Any, name: str) -> None:
    """Whatever `add_head` put there under this name."""
    prefix, graph = f"{name}:", base.graph
    for kept in [each for each in graph.initializer if each.name.startswith(prefix)]:
        graph.initializer.remove(kept)
    for node in [each for each in graph.node if each.name.startswith(prefix)]:
        graph.node.remove(node)
    for output in [each for each in graph.output if each.name == name]:
        graph.output.remove(output)
