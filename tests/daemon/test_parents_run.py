"""What a parent types, with and without a running daemon: the same documents, the same effects."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.clock import ManualClock
from companion.config import StoreSection
from companion.daemon.protocol import VERSION
from companion.store import log
from companion.store.database import Store
from tests.daemon.conftest import Daemon, Home
from tests.parents.conftest import NOW, fill

pytestmark = pytest.mark.real  # the library is loaded before the model is missed

CONFIG = """llm: {active: {file: /nowhere/model.gguf}}
embedder: {directory: /nowhere}
stt: {directory: /nowhere}
tts: {directory: /nowhere}
consolidation: {inactivity_s: 3600}
store: {encrypt: false}
"""

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("sessions", "--json"),
    ("sessions",),
    ("notices", "--json"),
    ("export", "-"),
    ("storage", "--json"),
    ("backup", "--json"),
    ("questions", "--json"),
    ("profile", "set", "name", "Maja", "--json"),
    ("profile", "set", "age", "soon"),
    ("profile", "--json"),
    ("memories", "correct", "3", "Biscuit is a guinea pig and white.", "--json"),
    ("memories", "correct", "99", "Biscuit is a dog."),
    ("memories", "list", "--json"),
    ("settings", "--json"),
    ("settings", "service.quiet", "20:00-07:00", "--json"),
    ("settings", "service.quiet", "soon"),
    ("settings", "safety.guard", "patterns"),
    ("settings", "service.quiet", "--unset", "--json"),
    ("memories", "keep", "2", "--json"),
    ("memories", "keep", "2"),
    ("memories", "keep", "99"),
    ("memories", "forget", "2", "--json"),
    ("memories", "forget", "2"),
    ("erase", "--memory", "3", "--yes", "--json"),
    ("erase", "--memory", "-3", "--yes"),
    ("erase", "--turn", "first#2", "--yes"),
    ("erase", "--turn", "first#77", "--yes"),
    ("notices", "--clear", "--json"),
    ("notices", "--clear"),
    ("erase", "--session", "first", "--yes", "--json"),
    ("erase", "--session", "first", "--yes"),
    ("sessions", "--json"),
    ("export", "-"),
    ("erase", "--all", "--yes", "--json"),
    ("export", "-"),
    ("sessions",),
)


def filled(directory: Path) -> Home:
    home = Home(directory, CONFIG)

    async def run() -> None:
        store = await Store.open(home.data_dir, StoreSection(encrypt=False), ManualClock(NOW))
        await store.write(fill)
        await store.write(log.end_session, "second", NOW)  # a daemon would, as it starts
        await store.close()

    asyncio.run(run())
    return home


CHANGING = {
    *("lived_s", "retention", "file", "bytes", "free_bytes"),
    *("directory", "files"),  # a daemon has its socket there
}
_TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:[\d.]+\+00:00")


def steady(text: str) -> object:
    """Without what the time of the day changes."""
    try:
        return _steady(json.loads(text))
    except ValueError:
        return text


def _steady(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: _steady(each) for key, each in document.items() if key not in CHANGING}
    if isinstance(document, list):
        return [_steady(each) for each in document]
    if isinstance(document, str) and _TIME.fullmatch(document):
        time = datetime.fromisoformat(document)
        return "now" if time > NOW + timedelta(hours=12) else document
    return document


def typed(home: Home, output: pytest.CaptureFixture[str]) -> list[tuple[int, object, str]]:
    """What each command answers, in turn."""
    answers = []
    for command in COMMANDS:
        code = main(home.command(*command)[3:])
        said = output.readouterr()
        answers.append((code, steady(said.out), said.err))
    return answers


def test_all_commands_answer_the_same_with_and_without_a_daemon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = filled(tmp_path / "alone")
    beside = filled(tmp_path / "beside")
    shutil.rmtree(beside.data_dir)
    shutil.copytree(alone.data_dir, beside.data_dir)
    with beside.daemon() as daemon:
        daemon.wait_for("READY=1")
        with_daemon = typed(beside, capsys)
        assert daemon.ask("chat", text="Hello!")["turn"] == 1
        assert daemon.stop()[0] == 0
    without = typed(alone, capsys)
    for command, ours, theirs in zip(COMMANDS, without, with_daemon, strict=True):
        assert ours == theirs, command
    assert {code for code, _, _ in without} == {0, 1}


def test_an_older_client_is_told(tmp_path: Path) -> None:
    assert VERSION == 3, "2 came with the requests of parents, 3 with those after them"
    home = filled(tmp_path)
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        with daemon.connection() as client:
            greeting = json.loads(client.makefile().readline())
        assert greeting["companion"] == VERSION  # an older one compares it, and says what to do
        refusal = daemon.events("bake")[-1]
        assert "erase_now" in refusal["error"]


def test_in_safe_mode_the_daemon_changes_nothing_and_the_command_line_the_files(
    tmp_path: Path,
) -> None:
    home = filled(tmp_path)
    (home.data_dir / "starts.json").write_text("5")
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        refusal = daemon.events("keep", id=2)[-1]
        assert refusal["kind"] == "StoreInRam"
        assert "safe mode; nothing was changed" in refusal["error"]
        assert daemon.ask("sessions")["total"] == 0
        assert len(json.loads(home.run("sessions", "--json").stdout)) == 2
        assert home.run("memories", "keep", "2").returncode == 0
        kept = json.loads(home.run("memories", "show", "2", "--json").stdout)
        assert kept["pinned"]


def test_no_log_holds_a_word_of_what_was_erased(tmp_path: Path) -> None:
    home = filled(tmp_path)
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        hidden = daemon.ask("erase", session="first")
        daemon.ask("undo", id=hidden["erasing"])
        daemon.ask("erase", turn="first#1", now=True)
        assert _words(daemon) == []


def _words(daemon: Daemon) -> list[str]:
    log = daemon.log.read_text()
    return [word for word in ("Biscuit", "hamster", "peanuts", "Mia") if word in log]
