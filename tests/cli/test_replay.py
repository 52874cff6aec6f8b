from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main
from tests.cli.conftest import LINES, Program

Recording = Callable[..., Path]


@pytest.mark.slow
def test_a_recording_is_imported_once_however_often(program: Program, recording: Recording) -> None:
    path = str(recording())
    assert program.json("replay", path) == {"sessions": 1, "messages": 4, "added": 4, "bad": 0}
    assert program.json("replay", path)["added"] == 0
    [session] = program.json("sessions")
    assert session == {
        "id": "day-1",
        "started": "2026-10-05T16:00:00+00:00",
        "ended": "2026-10-05T16:03:00+00:00",
        "turns": 2,
        "consolidated": False,
    }


def test_standard_input_can_be_replayed(program: Program) -> None:
    assert program.json("replay", "-", input="\n".join(LINES))["added"] == 4


@pytest.mark.slow
def test_a_recording_that_went_on_adds_what_is_new(program: Program, recording: Recording) -> None:
    program.json("replay", str(recording(LINES[:2])))
    assert program.json("replay", str(recording(LINES)))["added"] == 2


@pytest.mark.slow
def test_bad_lines_are_named_and_the_rest_is_imported(
    program: Program, recording: Recording
) -> None:
    def broken(**changes: object) -> str:
        return json.dumps({**json.loads(LINES[0]), "text": "a secret", **changes})

    bad = {
        2: '{"session": "day-1", "text": "a secret',
        3: '["a secret"]',
        4: broken(role="system"),
        5: broken(time="noon"),
        6: broken(text="  "),
        7: broken(session=None),
        9: "[" * 100_000,
        10: broken(text=7),
    }
    lines = [LINES[0], *(bad.get(n, "") for n in range(2, 11)), *LINES[1:]]
    done = program.run("replay", str(recording(lines)))
    assert done.returncode == 1
    for number in bad:
        assert f"line {number}: " in done.stderr
    assert done.stderr.count("line ") == len(bad)
    assert "secret" not in done.stderr
    assert program.json("sessions")[0]["turns"] == 2


def test_a_byte_order_mark_and_extra_keys_do_no_harm(program: Program) -> None:
    line = json.dumps({**json.loads(LINES[0]), "mood": "good"})
    assert program.json("replay", "-", input=b"\xef\xbb\xbf" + line.encode())["added"] == 1


@pytest.mark.slow
def test_a_session_that_differs_from_the_log_is_refused_whole(
    program: Program, recording: Recording
) -> None:
    program.json("replay", str(recording()))
    other = [LINES[0].replace("hamster", "rabbit"), *LINES[1:]]
    done = program.run("replay", str(recording(other)))
    assert done.returncode == 1
    assert "day-1" in done.stderr
    assert "rabbit" not in done.stderr
    assert program.json("sessions")[0]["turns"] == 2


@pytest.mark.slow
def test_several_users_need_a_choice(program: Program) -> None:
    def said_by(user: str, session: str) -> str:
        return json.dumps({**json.loads(LINES[0]), "user": user, "session": session})

    both = "\n".join([said_by("Ada", "a"), said_by("Ben", "b")])
    refused = program.run("replay", "-", input=both)
    assert refused.returncode == 2
    assert "--user" in refused.stderr
    assert "Ada, Ben" in refused.stderr
    assert program.json("sessions") == []
    assert program.json("replay", "-", "--user", "Ben", input=both)["added"] == 1
    assert [session["id"] for session in program.json("sessions")] == ["b"]
    unknown = program.run("replay", "-", "--user", "Cy", input=both)
    assert unknown.returncode == 2
    assert "'Cy'" in unknown.stderr


def test_a_user_may_be_a_number(program: Program) -> None:
    """It is offered as one to choose, so it can be chosen."""
    line = json.dumps({**json.loads(LINES[0]), "user": 7})
    assert program.json("replay", "-", "--user", "7", input=line)["added"] == 1


def test_a_file_that_is_not_there_is_named(program: Program) -> None:
    done = program.run("replay", "nowhere.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nowhere.jsonl" in done.stderr


def test_a_directory_is_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data-dir", str(tmp_path / "data"), "replay", str(tmp_path)]) == 1
    assert f"{tmp_path}: cannot be read: Is a directory" in capsys.readouterr().err
