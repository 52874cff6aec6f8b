from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.cli.test_memories import FACTS, fill


@pytest.fixture
def filled(program: Program) -> Program:
    program.config.write_text("store: {encrypt: false}\n")
    asyncio.run(fill(program.data_dir, encrypt=False))
    return program


def holds(directory: Path, words: str) -> bool:
    """Some file of the store still has the words in it, as bytes."""
    return any(
        words.encode() in path.read_bytes() for path in directory.rglob("*") if path.is_file()
    )


@pytest.mark.slow
def test_export_writes_everything_for_our_eyes_only(filled: Program, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    assert filled.run("export", str(path)).returncode == 0
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    for words in (*FACTS, "Biscuit is my hamster!", "Mia"):
        assert words in text
    assert json.loads(text) == json.loads(filled.run("export", "-").stdout)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["all.json", "config.yaml", "data"]


def test_export_into_a_link_leaves_the_link(filled: Program, tmp_path: Path) -> None:
    """`export /dev/stdout`, by root, used to put a file in the place of /dev/stdout."""
    link = tmp_path / "out"
    link.symlink_to("/dev/stdout")
    done = filled.run("export", str(link))
    assert json.loads(done.stdout)["format"] == 1
    assert link.is_symlink()
    (tmp_path / "held.json").write_text("{}")
    link.unlink()
    link.symlink_to(tmp_path / "held.json")
    assert filled.run("export", str(link)).returncode == 0
    assert link.is_symlink()
    assert json.loads((tmp_path / "held.json").read_text())["format"] == 1


def test_export_to_a_place_that_is_not_there_is_named(filled: Program) -> None:
    done = filled.run("export", "/nowhere/all.json")
    assert done.returncode == 1
    assert "/nowhere/all.json" in done.stderr


@pytest.mark.parametrize(
    ("words", "gone", "kept"),
    [
        (("--memory", "3"), (FACTS[2],), (FACTS[0], "Biscuit is my hamster!")),
        (("--session", "2026-10-05-1"), (*FACTS, "Biscuit is my hamster"), ()),
        (("--turn", "2026-10-05-1#1"), (*FACTS, "Biscuit is my hamster"), ("2026-10-05-1",)),
        (("--all",), (*FACTS, "Biscuit is my hamster"), ()),
    ],
)
def test_what_is_erased_leaves_no_byte(
    filled: Program, words: tuple[str, ...], gone: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    refused = filled.run("erase", *words)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert all(holds(filled.data_dir, text) for text in gone)
    assert filled.run("erase", *words, "--yes").returncode == 0
    assert [text for text in gone if holds(filled.data_dir, text)] == []
    assert [text for text in kept if not holds(filled.data_dir, text)] == []


@pytest.mark.parametrize(
    "words", [("--memory", "99"), ("--session", "nosuch"), ("--turn", "2026-10-05-1#2")]
)
def test_erasing_what_is_not_there_is_a_named_failure(
    filled: Program, words: tuple[str, ...]
) -> None:
    done = filled.run("erase", *words, "--yes")
    assert done.returncode == 1
    assert words[1] in done.stderr


def test_backup_now_and_what_lies_on_the_disk(filled: Program) -> None:
    made = json.loads(filled.run("backup", "--json").stdout)
    names = {each["name"] for each in json.loads(filled.run("storage", "--json").stdout)["files"]}
    assert {"store.db", made["file"]} <= names
    assert "are kept" in filled.run("backup").stdout
