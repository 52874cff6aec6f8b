"""`eval memories` over a written life: a real store and clock, a model that follows rules."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.assembly.models import Models
from companion.cli import main
from companion.engines.protocols import ChatMessage
from companion.errors import EngineError
from companion.evaluation.lives import read_life
from companion.evaluation.memories.form import read_key
from companion.evaluation.memories.run import measure
from tests.evaluation.memories import life
from tests.fakes import HashEmbedder, Script, ScriptedModel, with_labels


class Run:
    """Runs with the same folder and a fresh model each."""

    def __init__(self, folder: Path) -> None:
        self.life = read_life(*life.write(folder))
        self.work_dir = folder / "work"
        self.model = ScriptedModel()
        self.told: list[str] = []

    async def __call__(self, script: Script = life.keeps_and_answers) -> dict[str, Any]:
        self.model, self.told = ScriptedModel(script), []
        engines = Models(self.model, self.model, HashEmbedder(256))
        loaded = with_labels(config.load())
        patterns = loaded.safety.model_copy(update={"guard": "patterns"})
        # The model of these tests reads all its notes out, as one sentence: no answer of one note.
        dialog = loaded.dialog.model_copy(update={"held_to_notes": False})
        settings = loaded.model_copy(update={"safety": patterns, "dialog": dialog})
        return await measure(settings, engines, self.life, self.work_dir, self.told.append)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


async def test_a_life_is_lived_and_what_is_kept_is_counted(run: Run) -> None:
    document = await run()
    texts = [each["text"] for each in document["memories"]]
    assert document["kept"] == len(texts) > 2
    parrot = next(each for each in document["memories"] if "parrot" in each["text"])
    assert parrot["quote"] == "I have a parrot called Rio."
    assert parrot["tells"] == ["f2"]
    around = [(each["turn"], each["text"]) for each in parrot["sources"][0]["around"]]
    assert around[0] == (1, "I am Ana.")
    assert around[-1] == (3, "So loud!")
    assert document["profile"]["name"] == "Ana"
    assert document["facts"] == {
        "n": 3, "found": 2, "found_or_quoted": 2, "lasting": {"n": 2, "found": 2}
    }  # fmt: skip
    assert document["traps"]["by_status"]["superseded"] == {"n": 1, "stored": 0}
    assert document["seconds_per_turn"] >= 0
    assert [line for line in run.told if "2026-10-05: 3 turns" in line]


async def test_questions_are_asked_with_raw_turns_and_without(run: Run) -> None:
    document = await run()
    now, later = document["questions"], document["questions_expired"]
    assert now["n"] == later["n"] == 3
    assert now["right"] == 3
    assert now["never_told"] == {"n": 1, "admitted": 1}
    assert later["turns_left"] == 0
    recalled = [note["id"] for answer in now["answers"] for note in answer["recalled"]]
    assert any("#" in id for id in recalled), "a turn, by session and number"
    recalled = [note["id"] for answer in later["answers"] for note in answer["recalled"]]
    assert recalled
    assert not any("#" in id for id in recalled), "memories only"


async def test_a_second_run_sleeps_no_night_again_and_still_has_its_turns(run: Run) -> None:
    first = await run()
    nights = sum("notebook" in call[0].text for call in run.model.calls)
    second = await run()
    assert nights
    assert not any("notebook" in call[0].text for call in run.model.calls)
    assert "2 of them consolidated before" in run.told[0]
    for key in ("kept", "facts", "traps", "memories", "seconds_per_turn"):
        assert second[key] == first[key]
    assert second["questions"]["right"] == first["questions"]["right"]


async def test_a_run_that_is_cut_goes_on_with_the_night_it_was_in(run: Run) -> None:
    nights = 0

    def breaks(messages: Sequence[ChatMessage]) -> str:
        nonlocal nights
        nights += "dragon" in messages[-1].text
        if nights == 1:
            raise EngineError("the power went")
        return life.keeps_and_answers(messages)

    with pytest.raises(EngineError, match="the power went"):
        await run(breaks)
    document = await run(breaks)
    assert "1 of them consolidated before" in run.told[0]
    drafted = [call[-1].text for call in run.model.calls if "notebook" in call[0].text]
    assert drafted
    assert not any("parrot" in words for words in drafted), "of the first day"
    assert document["facts"]["found"] == 2


@pytest.mark.real
def test_the_command_measures_with_real_engines(
    tmp_path: Path, llm_tiny_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sessions, gold = life.write(tmp_path)
    command = ["--llm", str(llm_tiny_path), "eval", "memories", str(sessions), str(gold)]
    form = tmp_path / "form.md"
    assert main([*command, "--form", str(form), "--json"]) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert {"kept", "facts", "traps", "questions", "questions_expired", "seconds_per_turn"} <= (
        document.keys()
    )
    assert document["questions"]["n"] == 3
    assert "2026-10-07: 2 turns" in err
    assert form.read_text().count("\n### ") == len(read_key(form.with_suffix(".key.json")).items)
    assert main([*command, "--form", str(form)]) == 1
    assert "form.md: is there already" in capsys.readouterr().err
