"""The models of a proof: their weights, or random ones of their shape, and configurations."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shape_model
import yaml
from gguf_file import GgufError
from proof_steps import LIGHTER, SHORT, WHOLE, Extent
from shapes import SHAPES, Shape

from companion import config
from companion.weights.fetch import fetch
from companion.weights.manifest import Manifest
from companion.weights.progress import Terminal

MINI = Shape("a model of nothing", "qwen2", 2, 4, 2, 64, 256, 512, 151_936, 32_768, 1e6)
"""Small enough for the tests; its tokenizer's size is the real one."""

SHORT_CONTEXT = 2048


@dataclass(frozen=True)
class Asked:
    """What the command line says."""

    folder: Path
    names: Sequence[str]
    shapes: bool
    short: bool
    fetch: bool = False

    def extent(self, name: str) -> Extent:
        if self.short:
            return SHORT
        return WHOLE if name == self.names[0] else LIGHTER


def configure(
    folder: Path,
    name: str,
    gguf: Path,
    extent: Extent,
    *,
    gpu: bool,
    short: bool,
    fitted: Mapping[str, object],
) -> tuple[Path, dict[int, Path]]:
    """The configurations of one model: with the longest slices, and those with others. fitted:
    keys of llm.active with which it loads on this board."""
    layers = -1 if gpu else 0
    # Where the GPU comes later, what the processor did is measured anew.
    place = "" if gpu else "-processor"

    def written(of: str, size: int) -> Path:
        active: dict[str, Any] = {"file": str(gguf), "gpu_layers": layers, "prefill_slice": size}
        active |= fitted
        document: dict[str, Any] = {
            "profile": "laptop",
            # Of the embedder and of what hears and speaks.
            "models_dir": str(config.load().models_dir.expanduser()),
            "llm": {"active": active},
            # Replies are no measure of anything here: each costs seconds to hear to its end.
            "dialog": {"reply_tokens": 24},
            "retrieval": {"budget_tokens": 200},
        }
        if short:
            active |= {"context_tokens": SHORT_CONTEXT, "threads": 1}
            document["dialog"] = {"reply_tokens": 8}
            document["persona"] = {"examples": False, "character": "You are kind."}
        file = folder / f"{name}-{of}{place}.yaml"
        file.write_text(yaml.safe_dump(document), encoding="utf-8")
        return file

    return written("config", max(extent.slices)), {
        size: written(f"slice-{size}", size) for size in extent.slices
    }


def weights(asked: Asked) -> dict[str, Path]:
    """The file of each model that has one, or one of its shape. Raises CompanionError, GgufError
    where there is none at all, OSError."""
    models_dir = config.load().models_dir.expanduser()
    if asked.shapes or asked.short:
        return {name: _shape(asked, name, models_dir) for name in asked.names}
    manifest, found = Manifest.load(), {}
    missing = []
    for name in asked.names:
        if asked.fetch:
            fetch(manifest[name], models_dir, Terminal())
        path = manifest.path(name, models_dir)
        if path.is_file():
            found[name] = path
        else:
            missing.append(f"{path}: is not there; companion models fetch {name}, or --fetch")
    if not found:
        raise GgufError(missing[0] + ", or --shapes")
    for line in missing:
        note(f"left out: {line}")
    return found


def _shape(asked: Asked, name: str, models_dir: Path) -> Path:
    file = asked.folder / "shapes" / f"{name}.gguf"
    if not file.is_file():
        file.parent.mkdir(parents=True, exist_ok=True)
        note(f"writing {file}, random weights")
        shape = MINI if asked.short else SHAPES[name]
        donor = shape_model.find_donor(models_dir)
        shape_model.write(shape, file, donor, seed=0, note=lambda line: None)
    return file


def note(text: str) -> None:
    print(f"scripts/prove-board: {text}", file=sys.stderr, flush=True)
