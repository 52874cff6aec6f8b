"""Reading written lives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.errors import InputError
from companion.evaluation.lives import read_life, read_life_gold
from tests.evaluation.memories import life

LIVES = Path(__file__).resolve().parent.parent / "strangers" / "lives"


def test_a_life_is_read(tmp_path: Path) -> None:
    read = read_life(*life.write(tmp_path))
    assert read.user == "Ana"
    assert list(read.sessions) == list(life.TALK)
    assert list(read.gold.current) == ["f1", "f2", "f3"]
    assert [fact.status for fact in read.gold.traps.values()] == ["pretend", "superseded"]
    assert [question.id for question in read.gold.questions] == ["Ana 1", "Ana 2", "Ana 3"]


@pytest.mark.parametrize("name", ["Orla", "Zara", "Banjo"])
def test_the_open_lives_can_be_read(name: str) -> None:
    read = read_life(LIVES / f"{name}.jsonl", LIVES / f"{name}_gold.json")
    assert len(read.sessions) == 7
    assert len(read.gold.questions) == 40
    assert sum(each.type == "never_told" for each in read.gold.questions) == 10


def changed(place: str, n: int, **change: Any) -> dict[str, Any]:
    """The gold with one fact or question changed."""
    document = life.gold()
    document[place][n].update(change)
    return document


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (changed("facts", 1, all_of=None), r"facts\.1\.all_of"),
        (changed("facts", 1, status="maybe"), r"facts\.1\.status"),
        (changed("facts", 2, session="2026-10-06"), r"facts\.2\.session: Ana has none"),
        (changed("questions", 0, all_of=[]), r"questions\.0: .*all_of"),
        ({"profile": {"name": "Ana"}, "facts": []}, "is not the gold of a life"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, document: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read_life(*life.write(tmp_path, document))


def test_gold_that_is_no_json_is_named_with_its_line(tmp_path: Path) -> None:
    broken = tmp_path / "Ana_gold.json"
    broken.write_text('{"profile":\n oh')
    with pytest.raises(InputError, match="line 2: not JSON"):
        read_life_gold(broken)


def test_a_life_is_one_persons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sessions, gold = life.write(tmp_path)
    other = {"user": "Bo", "session": "x", "time": "2026-10-05T16:00:00Z", "role": "user"}
    sessions.write_text(sessions.read_text() + "\n" + json.dumps({**other, "text": "Hi."}))
    assert main(["eval", "memories", str(sessions), str(gold)]) == 1
    assert "a life is the talk of one person; here speak: Ana, Bo" in capsys.readouterr().err
