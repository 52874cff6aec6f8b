"""What a parent says and sets on the command line, without a daemon."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli import main, pin
from companion.cli.call import Call, add_command, add_global_options
from companion.clock import ManualClock, SystemClock
from companion.config import StoreSection
from companion.store import access
from companion.store.database import Store
from tests.cli.test_memories import FACTS, THEN, fill

Main = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path) -> Main:
    """`companion ...` over a store with three memories."""
    config, data = tmp_path / "config.yaml", tmp_path / "data"
    config.write_text("service: {socket: null}\n")
    asyncio.run(fill(data))
    options = ["--config", str(config), "--data-dir", str(data)]
    return lambda *words: main([*options, *words])


def test_a_memory_is_put_right(run: Main, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("memories", "correct", "1", "Mia has a hamster called Brownie.") == 0
    assert "in place of 1: Mia has a hamster called Brownie." in capsys.readouterr().out
    assert run("memories", "list", "--json") == 0
    texts = [each["text"] for each in json.loads(capsys.readouterr().out)]
    assert "Mia has a hamster called Brownie." in texts
    assert FACTS[0] not in texts
    assert run("memories", "correct", "1", "No.") == 1
    assert "was replaced by memory 4" in capsys.readouterr().err
    for wrong in ("0", "99"):
        assert run("memories", "correct", wrong, "No.") == 1
        assert "there is no memory" in capsys.readouterr().err
    assert run("memories", "correct", "2", " ") == 1
    assert "needs words" in capsys.readouterr().err


def test_the_profile_is_put_right(run: Main, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("profile", "set", "age", "8") == 0
    assert capsys.readouterr().out == "age: 8\n"
    assert run("profile", "set", "gender", "girl", "--json") == 0
    assert json.loads(capsys.readouterr().out)["gender"] == {"value": "female", "source": "parent"}
    assert run("profile", "--json") == 0
    known = json.loads(capsys.readouterr().out)
    assert (known["age"], known["gender"]) == (8, "female")
    assert run("profile", "set", "age", "old") == 1
    assert "from 1 to 120" in capsys.readouterr().err


def test_settings_are_looked_at_set_and_taken_back(
    run: Main, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run("settings") == 0
    assert "service.quiet" in capsys.readouterr().out
    assert run("settings", "service.quiet", "20:00-7:00") == 0
    assert capsys.readouterr().out == "service.quiet: 20:00-07:00 (set)\n"
    assert run("check-config") == 0
    said = capsys.readouterr().out
    assert f"{tmp_path / 'data' / 'settings.yaml'}: good, wins for service.quiet" in said
    assert run("check-config", "--json") == 0
    assert json.loads(capsys.readouterr().out)["service"]["quiet"] == "20:00-07:00"
    assert run("settings", "service.quiet", "--unset") == 0
    assert capsys.readouterr().out == "service.quiet: - (as it comes)\n"
    assert run("settings", "persona.name", "Momo") == 0
    assert "from the next start" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["safety.guard", "web.lan", "store.encrypt", "data_dir", "x"])
def test_what_may_not_be_set(run: Main, capsys: pytest.CaptureFixture[str], key: str) -> None:
    for words in ((key, "1"), (key, "--unset"), (key,)):
        assert run("settings", *words) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "cannot be set here" in said
    assert run("settings", "--unset") == 2


def test_questions_are_listed_and_answered(run: Main, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("questions") == 0
    assert "No questions." in capsys.readouterr().err
    assert run("questions", "1") == 2
    assert run("questions", "1", "--accept") == 1
    assert "there is no question 1" in capsys.readouterr().err


# ---- the PIN


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody types at a terminal."""
    answers: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(getpass, "getpass", lambda prompt: answers.pop(0))
    return answers


def web(tmp_path: Path, *words: str) -> Call:
    """`companion web ...`, a command that has the action `pin`."""
    root = argparse.ArgumentParser()
    add_global_options(root)
    parser = add_command(root.add_subparsers(), "web", lambda call: 7, "a page")
    pin.add_to(parser, lambda call: 7)
    config = tmp_path / "config.yaml"
    config.write_text("")
    options = ["--config", str(config), "--data-dir", str(tmp_path / "data")]
    return Call(root.parse_args([*options, "web", *words]), SystemClock())


async def test_the_pin_is_set_at_the_device(tmp_path: Path, typed: list[str]) -> None:
    await fill(tmp_path / "data")
    call = web(tmp_path, "pin")
    typed += ["493 817", "٤٩٣٨١٧"]
    assert await call.arguments.run(call) == 0
    store = await Store.open(tmp_path / "data", StoreSection(), ManualClock(THEN))
    trying = await store.write(access.begin_try)
    await store.close()
    assert trying is not None
    assert access.right(trying, "493817")


async def test_without_the_action_it_is_the_page(tmp_path: Path) -> None:
    call = web(tmp_path)
    assert await call.arguments.run(call) == 7


@pytest.mark.parametrize(
    ("answers", "why"),
    [(["493817", "493818"], "not the same"), (["123"], "6 to 32"), (["111111"], "guessed first")],
)
async def test_a_pin_that_is_not_set(
    tmp_path: Path, typed: list[str], answers: list[str], why: str
) -> None:
    typed += answers
    call = web(tmp_path, "pin")
    with pytest.raises(Exception, match=why):
        await call.arguments.run(call)
    assert not (tmp_path / "data" / "store.db").exists()


async def test_without_a_terminal_no_pin_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    call = web(tmp_path, "pin")
    with pytest.raises(Exception, match="there is none here"):
        await call.arguments.run(call)
