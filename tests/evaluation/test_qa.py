"""eval qa on a set of two people and two days, with the real embedder and the smallest model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion import config
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.arms import QaArm
from companion.evaluation.qa import run
from companion.evaluation.qa.days import FIGURES
from companion.evaluation.sets import read_gold, read_sessions

TALK = [
    ("Ana", "mon", "2026-10-05T16:00:00+00:00", "user", "My parrot is called Rio."),
    ("Ana", "mon", "2026-10-05T16:00:30+00:00", "assistant", "What a lovely name."),
    ("Ana", "tue", "2026-10-06T16:00:00+00:00", "user", "I baked bread with my uncle."),
    ("Ana", "tue", "2026-10-06T16:00:30+00:00", "assistant", "That smells good!"),
    ("Bo", "mon", "2026-10-05T16:00:00+00:00", "user", "I like drums."),
]
GOLD = {
    "user": "Ana",
    "id": "a1",
    "question": '"What is my parrot called?"',
    "answer": "Rio",
    "all_of": [["rio"]],
    "type": "user_fact",
}


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path


@pytest.fixture
def sessions(tmp_path: Path) -> Path:
    keys = ("user", "session", "time", "role", "text")
    return write(tmp_path / "sessions.jsonl", [dict(zip(keys, row, strict=True)) for row in TALK])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return write(tmp_path / "gold.jsonl", [dict(GOLD)])


@pytest.fixture
def tiny(llm_tiny_path: Path) -> Config:
    loaded = config.load()
    active = loaded.llm.active.model_copy(update={"file": llm_tiny_path, "threads": 1})
    return loaded.model_copy(update={"llm": loaded.llm.model_copy(update={"active": active})})


@pytest.mark.real
async def test_every_arm_answers_and_the_memory_is_made_once(
    tmp_path: Path, tiny: Config, sessions: Path, gold: Path
) -> None:
    work = tmp_path / "work"
    (work / "Zoe").mkdir(parents=True)  # of a run over another set
    (work / "Zoe" / FIGURES).write_text('{"session": "mon", "sessions": 1}\n')
    said: list[str] = []
    documents = {}
    arms: tuple[QaArm, ...] = ("raw", "hybrid", "paper-recall", "paper")
    for arm in arms:  # Days without a night must not wait for theirs.
        documents[arm] = await run.run(
            tiny, sessions, [gold], arm=arm, work_dir=work, on_progress=said.append
        )
    for arm, document in documents.items():
        assert document["arm"] == arm
        assert document["n"] == 1
        assert document["answers"][0]["question"] == "What is my parrot called?"
        assert document["share"] in (0.0, 1.0)
    recalled = documents["hybrid"]["answers"][0]["recalled"]
    assert "Rio" in " ".join(each["text"] for each in recalled)
    assert documents["raw"]["answers"][0]["recalled"] == []
    assert sum("learnt" in line for line in said) == 4, "each day once for ours, once as published"
    assert documents["hybrid"]["consolidation"]["sessions"] == 2, "its own, and nobody else's"
    assert documents["raw"]["consolidation"] == {}, "it has no nights"


@pytest.mark.real
async def test_a_folder_of_another_run_is_refused_with_the_difference(
    tmp_path: Path, tiny: Config, sessions: Path, gold: Path
) -> None:
    work = tmp_path / "work"
    await run.run(tiny, sessions, [gold], arm="raw", work_dir=work, on_progress=lambda line: None)
    other = tiny.model_copy(
        update={"consolidation": tiny.consolidation.model_copy(update={"facts_per_turn": 1})}
    )
    with pytest.raises(InputError, match="another consolidation"):
        await run.run(
            other, sessions, [gold], arm="raw", work_dir=work, on_progress=lambda line: None
        )


def test_a_bad_line_is_named(tmp_path: Path, sessions: Path) -> None:
    text = sessions.read_text().splitlines()
    text[2] = text[2].replace('"user": "Ana"', '"usr": "Ana"')
    sessions.write_text("\n".join(text))
    with pytest.raises(InputError, match=r"line 3: user"):
        read_sessions(sessions)
    sessions.write_text("{not json")
    with pytest.raises(InputError, match=r"line 1: not JSON"):
        read_sessions(sessions)


def test_a_message_may_hold_the_line_separators_of_unicode(tmp_path: Path) -> None:
    row = {"user": "Ana", "session": "mon", "time": "2026-10-05T16:00:00Z", "role": "user"}
    text = "One\u2028two\u0085three"
    file = tmp_path / "sessions.jsonl"
    file.write_text(json.dumps({**row, "text": text}, ensure_ascii=False), encoding="utf-8")
    ((_, said, _),) = read_sessions(file)["Ana"]["mon"]
    assert said == text


def test_a_question_of_nobody_is_named(tmp_path: Path, sessions: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", [{**GOLD, "user": "Zoe"}])
    with pytest.raises(InputError, match="a1: no session of user 'Zoe'"):
        read_gold(gold, read_sessions(sessions))
    gold.write_text("\n")
    with pytest.raises(InputError, match="holds no question"):
        read_gold(gold, read_sessions(sessions))
