"""`companion assist` and `companion listen` as they are typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import CONFIG, Program


@pytest.fixture
def told(program: Program, recording: Callable[..., Path]) -> Program:
    """Answers by rules alone, of a recorded talk."""
    program.config.write_text(f"{CONFIG}assist: {{by: cloze}}\n")
    assert program.run("replay", str(recording())).returncode == 0
    return program


def test_a_word_is_whispered_with_its_source(told: Program) -> None:
    found = told.json("assist", "--queryless", "--context", "and my hamster is called")
    assert found.pop("ms") > 0
    assert found == {
        "answer": "Biscuit",
        "unknown": False,
        "inferred_query": "What is my hamster called?",
        "by": "cloze",
        "sources": [{"session": "day-1", "turn": 1}],
        "chars": 7,
        "evaluated_tokens": 0,
    }
    plain = told.run("assist", "--query", "his name?", "--context", "my hamster is called")
    assert (plain.returncode, plain.stdout) == (0, "Biscuit\n")


def test_unknown_is_an_answer(told: Program) -> None:
    done = told.run("assist", "--queryless", "--context", "and then I")
    assert (done.returncode, done.stdout) == (0, "unknown\n")


def test_no_request_reaches_another_data_folder(told: Program, tmp_path: Path) -> None:
    other = tmp_path / "other"
    ask = ("--context", "my hamster is called")
    for query in (f"--data-dir={other} his name?", f"--user ../other {other}: whose?", "$(ls ..)"):
        done = told.run("assist", f"--query={query}", *ask)
        assert done.returncode == 0
    refused = told.run("assist", "--query", "his name?", "--user", str(other), *ask)
    assert refused.returncode == 2
    assert not other.exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("assist", "--queryless", "--context", "  "), 2),
        (("assist", "--query", " "), 1),
        (("listen",), 1),
        (("eval", "assist", "/nowhere.json"), 1),
    ],
)
def test_what_cannot_be_asked_is_one_clear_line(
    told: Program, words: tuple[str, ...], code: int
) -> None:
    done = told.run(*words)
    assert done.returncode == code
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    if code == 1:
        assert len(done.stderr.strip().splitlines()) == 1
