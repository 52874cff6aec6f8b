"""The arms of eval qa that leave something out, over a written life and a model that reads out its
notes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.assembly.models import Models
from companion.cli import main
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.arms import QaArm, for_qa
from companion.evaluation.lives import read_life
from companion.evaluation.qa.run import Asking, run
from tests.evaluation.memories import life
from tests.fakes import HashEmbedder, ScriptedModel, with_labels


@pytest.fixture
def settings() -> Config:
    loaded = with_labels(config.load())
    patterns = loaded.safety.model_copy(update={"guard": "patterns"})
    # The model of these tests reads out all notes in one long sentence, which no note bears out.
    plain = {"held_to_notes": False, "notes_prompt": False}
    dialog = loaded.dialog.model_copy(update=plain)
    return loaded.model_copy(update={"safety": patterns, "dialog": dialog})


async def ask(folder: Path, settings: Config, arm: QaArm, *, expired: bool) -> dict[str, Any]:
    written = read_life(*life.write(folder))
    model = ScriptedModel(life.keeps_and_answers)
    engines = Models(model, model, HashEmbedder(256))
    asking = Asking(
        for_qa(settings, arm), engines, arm, expired, folder / "work", lambda line: None
    )
    await asking.ask(written.user, written.sessions, written.gold.questions)
    assert sorted(each.name for each in (folder / "work").iterdir()) == ["Ana"], "no copy is left"
    return asking.tally.as_json()


def kinds(document: dict[str, Any]) -> set[str]:
    notes = [note["id"] for answer in document["answers"] for note in answer["recalled"]]
    return {"turn" if "#" in id else "memory" for id in notes}


@pytest.mark.parametrize(
    ("arm", "expired", "recalled", "right"),
    [
        ("hybrid", False, {"turn", "memory"}, 3),
        ("hybrid", True, {"memory"}, 3),
        ("no-memories", False, {"turn"}, 3),
        ("no-memories", True, set(), 1),
    ],
)
async def test_an_arm_recalls_only_what_is_left_to_it(
    tmp_path: Path, settings: Config, arm: QaArm, expired: bool, recalled: set[str], right: int
) -> None:
    document = await ask(tmp_path, settings, arm, expired=expired)
    assert kinds(document) == recalled
    assert document["right"] == right


async def test_what_one_arm_leaves_out_the_next_one_finds(tmp_path: Path, settings: Config) -> None:
    for arm, expired in (("no-memories", True), ("hybrid", False)):
        document = await ask(tmp_path, settings, arm, expired=expired)  # type: ignore[arg-type]
    assert kinds(document) == {"turn", "memory"}


async def test_questions_of_a_life_are_read_and_belong_to_its_person(
    tmp_path: Path, settings: Config
) -> None:
    sessions, gold = life.write(tmp_path)
    gold.write_text(gold.read_text().replace('"user": "Ana"', '"user": "Zoe"'))
    with pytest.raises(InputError, match="Ana 1: no session of user 'Zoe'"):
        await run(
            settings, sessions, [gold], arm="hybrid", work_dir=None, on_progress=lambda line: None
        )


def test_recent_talk_alone_cannot_be_asked_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["eval", "qa", *map(str, life.write(tmp_path)), "--arm", "raw", "--turns-expired"]
    assert main(command) == 2
    assert "nothing but raw turns" in capsys.readouterr().err
