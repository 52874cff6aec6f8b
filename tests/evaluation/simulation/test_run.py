"""`eval run` from end to end, with scripted people: flow, cuts, parking, grading once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.engines.protocols import ChatMessage
from companion.errors import EngineError, InputError, StoreBusy
from companion.evaluation.claim import claim
from companion.evaluation.simulation.journal import Journal
from companion.evaluation.simulation.run import Settings, graded, regrade
from companion.store.lock import Lock
from tests.evaluation.simulation.test_generate import CORE, THEME
from tests.evaluation.simulation.world import (
    BRIEF,
    SMALL,
    TWO_DAYS,
    Cut,
    World,
    companion,
    judge,
    quiet,
    small_config,
)
from tests.fakes import ScriptedModel


def without_cost(document: Any) -> Any:
    """What is the same however often a run is cut: a process that begins reads more tokens."""
    if not isinstance(document, dict):
        return document
    cost = ("spent", "evaluated_tokens_per_turn")
    return {key: without_cost(value) for key, value in document.items() if key not in cost}


@dataclass
class Lived:
    """A run that is complete."""

    folder: Path
    document: dict[str, Any]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = tmp_path_factory.mktemp("lived")
    return Lived(folder, asyncio.run(World().run(folder)))


def test_a_run_lives_asks_judges_and_counts(lived: Lived) -> None:
    document = lived.document
    hybrid, raw = document["arms"]["hybrid"], document["arms"]["raw"]
    assert document["people"] == ["Ana Lund"]
    assert document["parked"] == []
    assert hybrid["naturalness"] == raw["naturalness"] == 3
    assert hybrid["hits"] == 1
    assert hybrid["misses"] == 0
    assert hybrid["made specific"] == 0.5
    assert hybrid["written specific"] == 0.5
    assert hybrid["coverage"] == hybrid["present"] == 0.5
    assert hybrid["completeness"] == 1.0
    assert "coverage" not in raw, "who has no memory has nothing extracted"
    # Without a judge: two facts a session were told, and the notes hold them.
    assert [point["session"] for point in hybrid["curve"]] == [1, 2]
    assert hybrid["said_by_words"] == pytest.approx(4 / 10, abs=1e-3)
    assert hybrid["kept_by_words"] == pytest.approx(4 / 10, abs=1e-3)
    assert hybrid["curve"][0]["tokens"] < hybrid["curve"][1]["tokens"]


def test_a_day_passes_between_days(lived: Lived) -> None:
    talks = Journal(lived.folder / "talks.jsonl")
    ended = [talks[f"ana-lund/hybrid/talk/{number}"]["ended"] for number in (1, 2)]
    assert ended[0].startswith("2026-03-02T16:0")
    assert ended[1].startswith("2026-03-03T16:0")
    known = talks["ana-lund/hybrid/known/2"]["statements"]
    assert any("Rio" in each for each in known), "the first day is remembered on the second"


def test_every_judgement_is_kept_with_prompt_answer_and_values(lived: Lived) -> None:
    lines = (lived.folder / "grades.jsonl").read_text().splitlines()
    assert len(lines) == lived.document["judgements"]
    for record in map(json.loads, lines):
        assert record["messages"][0][0] == "system"
        assert record["judge"] == "judge"
        assert json.loads(record["raw"])
        assert record["values"]


async def test_a_run_that_is_complete_asks_nothing_again(lived: Lived) -> None:
    again = World(answers=0)
    assert without_cost(await again.run(lived.folder)) == without_cost(lived.document)
    assert again.companion.calls == []


async def test_cut_after_every_answer_it_ends_as_if_never_cut(tmp_path: Path) -> None:
    whole = World()
    expected = await whole.run(tmp_path / "whole", TWO_DAYS)
    starts = 0
    while True:
        world = World(answers=1)
        starts += 1
        try:
            found = await world.run(tmp_path / "cut", TWO_DAYS)
        except Cut:
            pass
        else:
            break
        assert starts <= whole.asked + 1, "every start must get on"
    assert without_cost(found) == without_cost(expected)
    assert starts == whole.asked


@pytest.mark.slow
def test_killed_it_goes_on(tmp_path: Path) -> None:
    code = (
        "import asyncio, sys; from pathlib import Path\n"
        "from tests.evaluation.simulation.world import BRIEF, World\n"
        "asyncio.run(World().run(Path(sys.argv[1]), BRIEF))\n"
    )
    root = Path(__file__).resolve().parents[3]
    for point in ("recorded", "slept", "graded"):
        killed = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "killed")],
            env=os.environ | {"COMPANION_FAULT": f"eval:{point}:kill", "PYTHONPATH": str(root)},
            cwd=root,
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL, point
    found, whole = (
        asyncio.run(World().run(tmp_path / each, BRIEF)) for each in ("killed", "whole")
    )
    assert without_cost(found) == without_cost(whole)


async def test_other_settings_are_refused_with_the_difference(lived: Lived) -> None:
    with pytest.raises(InputError, match=r"another turns \(2, now 3\)"):
        await World().run(lived.folder, Settings(**{**vars(SMALL), "turns": 3}))
    config = small_config()
    other = config.retrieval.model_copy(update={"budget_tokens": 1})
    with pytest.raises(InputError, match="another retrieval"):
        await World().run(lived.folder, config=config.model_copy(update={"retrieval": other}))
    smaller = World()
    smaller.judge = ScriptedModel(judge, name="judge", context_tokens=10_000)
    with pytest.raises(InputError, match="another context_tokens"):
        await smaller.run(lived.folder)


def test_a_note_that_is_damaged_or_of_an_older_version(tmp_path: Path) -> None:
    claim(tmp_path, {"turns": 2})
    claim(tmp_path, {"turns": 2, "new": 1})
    (tmp_path / "made-from.json").write_text("[]")
    with pytest.raises(InputError, match="is damaged"):
        claim(tmp_path, {"turns": 2})


async def test_two_runs_never_share_a_folder(tmp_path: Path) -> None:
    lock = Lock(tmp_path, "run.lock")
    with pytest.raises(StoreBusy, match="in use"):
        await World().run(tmp_path)
    lock.release()


async def test_a_judge_that_dies_parks_its_items_and_the_next_run_makes_up_for_it(
    tmp_path: Path,
) -> None:
    def dead(messages: Sequence[ChatMessage]) -> str:
        if '"score"' in messages[0].text:
            raise EngineError("the server http://10.0.0.9 cannot be reached; is it running?")
        return judge(messages)

    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    document = await World(judged=dead, sleep=sleep).run(tmp_path)
    assert {each["item"] for each in document["parked"]} == {
        f"ana-lund/{arm}/{what}"
        for arm in ("raw", "hybrid")
        for what in ("naturalness", "personalization")
    }
    assert all("cannot be reached" in each["why"] for each in document["parked"])
    assert document["arms"]["hybrid"]["naturalness"] is None
    assert document["arms"]["hybrid"]["coverage"] == 0.5, "the rest goes on"
    assert waits == [1.0, 4.0, 15.0] * 2, "a pause that grows, and none while it stays away"

    world = World()
    mended = await world.run(tmp_path)
    assert mended["parked"] == []
    assert mended["arms"]["hybrid"]["naturalness"] == 3
    assert len(world.judge.calls) == 4, "nothing is graded twice"


async def test_a_judge_that_talks_nonsense_is_asked_anew_then_parked(tmp_path: Path) -> None:
    def mumbling(messages: Sequence[ChatMessage]) -> str:
        return "I would rather not say." if '"used"' in messages[0].text else judge(messages)

    world = World(judged=mumbling)
    document = await world.run(tmp_path)
    assert [each["item"] for each in document["parked"]] == [
        "ana-lund/raw/hits",
        "ana-lund/hybrid/hits",
    ]
    seeds = [
        options.seed
        for call, options in zip(world.judge.calls, world.judge.options, strict=True)
        if '"used"' in call[0].text
    ]
    assert seeds == [0, 1, 2] * 2, "each try is another one"


async def test_a_user_model_that_dies_parks_its_lives(tmp_path: Path) -> None:
    def dead(messages: Sequence[ChatMessage]) -> str:
        raise EngineError("the server http://10.0.0.9 broke off its answer")

    document = await World(user=dead).run(tmp_path, BRIEF)
    assert [each["item"] for each in document["parked"]] == ["ana-lund/hybrid: session 1"]
    assert document["judgements"] == 0
    mended = await World().run(tmp_path, BRIEF)
    assert mended["parked"] == []
    assert mended["judgements"] > 0


async def test_a_person_that_is_made_later_has_no_name_of_those_who_are_there(
    tmp_path: Path,
) -> None:
    """Two of one name would share a life: their folder, their talks, their grades."""
    nonsense = 3

    def inventing(messages: Sequence[ChatMessage]) -> str:
        nonlocal nonsense
        task = messages[-1].text
        if "Invent a child" in task:
            if nonsense:
                nonsense -= 1
                return "Sure! Here is a child."
            return json.dumps({**CORE, "name": "Cleo Voss" if "Bea" in task else "Bea Holm"})
        return json.dumps(THEME if '"facts"' in task else {"what": "my diving lesson"})

    nobody_lives = Settings(users=3, arms=())
    first = await World(user=inventing).run(tmp_path, nobody_lives)
    assert first["people"] == ["Ana Lund", "Bea Holm"]
    assert [each["item"] for each in first["parked"]] == ["person 2"]
    second = await World(user=inventing).run(tmp_path, nobody_lives)
    assert second["people"] == ["Ana Lund", "Cleo Voss", "Bea Holm"]


async def test_a_question_that_gets_no_answer_stops_nothing_but_itself(tmp_path: Path) -> None:
    def stumbling(messages: Sequence[ChatMessage]) -> str:
        if "about rio?" in messages[-1].text:
            raise EngineError("the server http://10.0.0.9 broke off its answer")
        return companion(messages)

    document = await World(toy=stumbling).run(tmp_path, BRIEF)
    assert [each["item"] for each in document["parked"]] == [
        "ana-lund/hybrid/answer/written/parrot"
    ]
    assert document["arms"]["hybrid"]["made specific"] == 0.5
    assert document["arms"]["hybrid"]["hits"] == 1
    world = World()
    mended = await world.run(tmp_path, BRIEF)
    assert mended["parked"] == []
    assert mended["arms"]["hybrid"]["written specific"] == 0.5
    assert len(world.judge.calls) == 1, "the rest was asked and graded before"


async def test_where_the_user_model_refuses_its_part_code_says_a_fact(tmp_path: Path) -> None:
    def refusing(messages: Sequence[ChatMessage]) -> str:
        return "As an AI language model I cannot pretend to be a child."

    document = await World(user=refusing).run(tmp_path, TWO_DAYS)
    talks = Journal(tmp_path / "talks.jsonl")
    assert talks["ana-lund/hybrid/talk/1"]["lines"][0] == ["user", "I have a parrot called Rio."]
    assert document["said_by_code"] == 2 + 1, "and it is told how often"


async def test_a_second_judge_grades_the_very_same_and_is_compared(tmp_path: Path) -> None:
    first = await World().run(tmp_path, TWO_DAYS)

    def stricter(messages: Sequence[ChatMessage]) -> str:
        return judge(messages).replace('"score": 3', '"score": 1').replace("partly", "no")

    other = ScriptedModel(stricter, name="Other Judge", context_tokens=20_000)
    document = await regrade(tmp_path, World().asker(other), on_progress=quiet)
    assert len(other.calls) == first["judgements"]
    assert document["models"]["judge"] == "Other Judge"
    assert "Other Judge" in document["differences"][0]
    assert document["arms"]["hybrid"]["naturalness"] == 1
    assert document["arms"]["hybrid"]["coverage"] == 0
    agreement = document["agreement"]
    assert agreement["naturalness"] == {
        "n": 1, "same": 0.0, "mean_difference": 2.0, "correlation": None,
    }  # fmt: skip
    assert agreement["coverage"]["same"] == 0.0
    assert agreement["coverage"]["kappa"] == 0.0
    assert agreement["hits"]["same"] == 1.0
    again = ScriptedModel(stricter, name="Other Judge", context_tokens=20_000)
    await regrade(tmp_path, World().asker(again), on_progress=quiet)
    assert again.calls == [], "nothing is graded twice"


def test_to_count_judgements_touches_no_line_that_is_only_being_written(tmp_path: Path) -> None:
    journal = tmp_path / "grades.jsonl"
    content = b'{"key": "a"}\n{"key": "b", "val'
    journal.write_bytes(content)
    assert graded(tmp_path) == 1
    assert journal.read_bytes() == content


async def test_a_folder_without_a_run_cannot_be_graded(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no graded run"):
        await regrade(tmp_path, World().asker(ScriptedModel()), on_progress=quiet)
