"""The paper's arm of eval qa: its prompt, its window, its threshold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import config
from companion.assembly.models import Models, open_embedder
from companion.engines.protocols import ChatMessage
from companion.evaluation.answers import NOT_TOLD
from companion.evaluation.arms import S_MIN, QaArm, for_qa
from companion.evaluation.figures import percentile
from companion.evaluation.keywords import is_right
from companion.evaluation.lives import read_life, read_life_gold
from companion.evaluation.published import MEMORIES
from companion.evaluation.qa.run import Asking
from tests.evaluation.memories import life
from tests.fakes import HashEmbedder, ScriptedModel, with_labels

LIVES = Path(__file__).resolve().parent.parent / "strangers" / "lives"

CALIBRATED_ON = ("Banjo", "Desmond", "Gwilym", "Ngozi", "Orla", "Rui", "Zara")
"""The lives that were open when the paper's arm was measured. Those that come later change no
threshold: figures before and after could not be compared."""


def remembers_a_parrot(messages: Sequence[ChatMessage]) -> str:
    """At night one memory, by day an answer from the system prompt alone."""
    task, last = messages[0].text, messages[-1].text
    if task.startswith("You read a talk"):
        return json.dumps({"memories": ["The parrot is Rio."] if "parrot" in last else []})
    if task.startswith(("Say what", "You sum up")):
        return life.keeps_and_answers(messages)
    return "It is Rio." if "The parrot is Rio." in task else "It is lost."


async def ask(folder: Path, arm: QaArm, *, expired: bool = False) -> tuple[Asking, ScriptedModel]:
    settings = for_qa(config.load(), arm)
    # The real threshold is for the real embedder.
    near = settings.retrieval.model_copy(update={"s_min": -1.0})
    window = settings.dialog.model_copy(update={"window_messages": 4})
    settings = settings.model_copy(update={"retrieval": near, "dialog": window})
    written = read_life(*life.write(folder))
    model = ScriptedModel(remembers_a_parrot)
    engines = Models(model, model, HashEmbedder(256))
    asking = Asking(settings, engines, arm, expired, folder / "work", lambda line: None)
    await asking.ask(written.user, written.sessions, written.gold.questions[:1])
    return asking, model


async def test_everything_known_stands_in_the_system_prompt_and_the_window_follows(
    tmp_path: Path,
) -> None:
    asking, model = await ask(tmp_path, "paper")
    assert asking.tally.as_json()["right"] == 1
    system, *window, question = model.calls[-1]
    assert MEMORIES in system.text
    assert "[Notes" not in "".join(each.text for each in model.calls[-1])
    assert [each.text for each in window] == [
        text for pair in life.TALK["2026-10-07"] for text in pair
    ]
    assert question.text == "What is my parrot called?"
    assert [folder.name for folder in asking.folders] == ["Ana-paper"]


async def test_without_raw_turns_there_is_no_window(tmp_path: Path) -> None:
    asking, model = await ask(tmp_path, "paper", expired=True)
    assert len(model.calls[-1]) == 2
    assert asking.tally.as_json()["right"] == 1


def test_the_arm_forgets_only_in_its_second_row() -> None:
    for arm, forgets in (("paper", False), ("paper-forgetting", True)):
        settings = for_qa(with_labels(config.load()), arm)  # type: ignore[arg-type]
        assert settings.forgetting.enabled is forgets
        assert settings.consolidation.mode == settings.retrieval.mode == "paper"
    assert for_qa(config.load(), "paper-recall").consolidation.mode == "words"


@pytest.mark.real
async def test_the_threshold_keeps_95_of_100_answers() -> None:
    cosines = []
    async with open_embedder(config.load()) as embedder:
        for name in CALIBRATED_ON:
            gold = read_life_gold(LIVES / f"{name}_gold.json")
            facts = [fact.text for fact in gold.current.values()]
            vectors = await embedder.embed(facts)
            for question in gold.questions:
                answers = [is_right(fact, question.all_of) for fact in facts]
                if question.type not in NOT_TOLD and any(answers):
                    (asked,) = await embedder.embed([question.words])
                    cosines.append(float((vectors @ asked)[answers].max()))
        assert len(cosines) > 50
        assert S_MIN[embedder.name] == pytest.approx(percentile(cosines, 0.05), abs=0.005)
