"""The arms that evaluations compare, as configurations of the same model."""

from __future__ import annotations

from typing import Literal, get_args

from companion.config import Config

Arm = Literal["raw", "paper", "hybrid"]
"""`hybrid` and `paper` are retrieval modes; `raw` is the model with recent talk and no memory."""

ARMS: tuple[Arm, ...] = get_args(Arm)

QaArm = Literal["raw", "no-memories", "paper", "paper-forgetting", "paper-recall", "hybrid"]
"""`no-memories`: `hybrid` over raw turns alone. `paper`: extraction, prompt, window and recall as
published, without forgetting, since the paper simulates no time; `paper-forgetting`: with it.
`paper-recall`: the published recall in our dialog, over our memories."""

QA_ARMS: tuple[QaArm, ...] = get_args(QaArm)

PUBLISHED = ("paper", "paper-forgetting")
"""The arms that are the paper's from the night to the answer."""

S_MIN = {"minilm-int8": 0.16}
"""The published threshold is for the paper's embedder. For others it is found by one rule: of the
questions of seven lives of `tests/strangers/lives` whose answer is a gold fact, 95 in 100 come at
least this near to it (`tests/evaluation/test_published.py`, which names the seven)."""


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
        "dialog": config.dialog.model_copy(
            # The published system says whatever its model says, and is told no day.
            update={
                "temperature": 0.0,
                "held_to_notes": arm != "paper" and config.dialog.held_to_notes,
                "notes_prompt": arm == "hybrid" and config.dialog.notes_prompt,
                "today": arm == "hybrid" and config.dialog.today,
            }
        ),
        "store": config.store.model_copy(update={"encrypt": False, "backups": 0}),
    }
    return config.model_copy(update=changes)


def for_qa(config: Config, arm: QaArm) -> Config:
    """The same for the arms of `eval qa`."""
    if arm not in PUBLISHED:
        own: Arm = "raw" if arm == "raw" else "paper" if arm == "paper-recall" else "hybrid"
        return for_arm(config, own)
    config = for_arm(config, "paper")
    least = S_MIN.get(config.embedder.model, config.retrieval.s_min)
    changes = {
        "retrieval": config.retrieval.model_copy(update={"s_min": least}),
        "consolidation": config.consolidation.model_copy(update={"mode": "paper"}),
        "forgetting": config.forgetting.model_copy(
            update={"enabled": arm == "paper-forgetting", "rule": "paper"}
        ),
    }
    return config.model_copy(update=changes)
