"""The arms that evaluations compare, as configurations of the same model."""

from __future__ import annotations

from typing import Literal, get_args

from companion.config import Config

Arm = Literal["raw", "paper", "hybrid"]
"""`hybrid` and `paper` are retrieval modes; `raw` is the model with recent talk and no memory."""

ARMS: tuple[Arm, ...] = get_args(Arm)


def for_arm(config: Config, arm: Arm) -> Config:
    """The configuration of an arm: no greeting phase and greedy answers, so that a run can be
    repeated."""
    mode = "paper" if arm == "paper" else "hybrid"
    changes = {
        "retrieval": config.retrieval.model_copy(update={"mode": mode}),
        "persona": config.persona.model_copy(
            # The examples teach how our notes are read; the paper's prompt has none.
            update={"greeting": False, "examples": arm == "hybrid" and config.persona.examples}
        ),
        "dialog": config.dialog.model_copy(update={"temperature": 0.0}),
        "store": config.store.model_copy(update={"encrypt": False, "backups": 0}),
    }
    return config.model_copy(update=changes)
