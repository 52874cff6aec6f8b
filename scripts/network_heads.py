"""Heads of models/guards/minilm-guard.onnx beside the guard's own: how they are made.

Each has three upper layers of all-MiniLM-L6-v2, trained as `train_message_guard.py` trains those of
the guard, over lower layers that all of them share (`onnx_branches`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnx
import torch
import train_message_guard
from numpy.typing import NDArray
from onnx_branches import add_head
from train_message_guard import BATCH, Guard, of_like_length, padded

Texts = Sequence[Any]
Floats = NDArray[np.float32]


class Pairs:
    """A tokenizer of pairs, in place of that of texts."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer

    def __call__(self, pair: tuple[str, str], **options: Any) -> Any:
        return self._tokenizer(*pair, **options)


def trained(
    folder: Path, tokenizer: Any, kinds: tuple[str, ...], learnt: tuple[Texts, Any, Floats]
) -> Guard:
    """learnt: texts, the index into kinds of each, and how much it counts."""
    torch.manual_seed(0)
    model = Guard(folder, kinds).eval()
    texts, labels, counts = learnt
    print(f"{len(texts)} examples of {', '.join(kinds)}", flush=True)
    states = train_message_guard.lower(model, tokenizer, texts)
    train_message_guard.train(model, states, torch.tensor(labels), torch.tensor(counts))
    return model  # type: ignore[no-any-return]  # torch is not installed for the checks


def put_into(file: Path, model: Guard, tokenizer: Any, name: str) -> None:
    """tokenizer: of single texts."""
    with TemporaryDirectory() as folder:
        branch = Path(folder) / "branch.onnx"
        train_message_guard.export(model, tokenizer, branch)
        whole = onnx.load(str(file))
        add_head(whole, onnx.load(str(branch)), name, model.kinds)
    onnx.checker.check_model(whole)
    onnx.save(whole, str(file))


def predicted(model: Guard, tokenizer: Any, texts: Texts) -> Floats:
    """Shape (n, kinds): logits."""
    states = train_message_guard.lower(model, tokenizer, texts)
    found = np.zeros((len(texts), model.head.out_features), np.float32)
    with torch.no_grad():
        for batch in of_like_length(range(len(texts)), states, BATCH):
            found[batch] = model.upper(*padded([states[at] for at in batch])).numpy()
    return found
