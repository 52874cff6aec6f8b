"""Looking into a store, without a model on the machine."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.records import Source
from companion.store import log, memories, profile
from companion.store.database import Store
from tests.cli.conftest import Program
from tests.fakes import HashEmbedder

THEN = datetime(2026, 10, 5, 16, 0, tzinfo=timezone.utc)
FACTS = ("Mia has a hamster called Biscuit.", "Mia likes [bold]thunder[/bold].", "Mia can swim.")


async def fill(directory: Path, *, encrypt: bool = True) -> None:
    """A session of one turn, three memories of it, a name."""
    embedder = HashEmbedder()
    store = await Store.open(directory, StoreSection(encrypt=encrypt), ManualClock(THEN))
    session = await store.write(log.start_session, THEN)
    await store.write(log.append, session, "user", "Biscuit is my hamster!", THEN)
    await store.write(log.end_session, session, THEN)
    source = Source(session, 1, "Biscuit is my hamster")
    for text in FACTS:
        await store.write(
            memories.add,
            text,
            kind="fact",
            sources=[source],
            vector=(await embedder.embed([text]))[0],
            embedder=embedder.name,
            now=THEN,
        )
    await store.write(profile.note, "name", "Mia", source, THEN)
    await store.close()


@pytest.fixture
def filled(program: Program) -> Program:
    """A store with memories, and no model files at all."""
    program.config.write_text(f"models_dir: {program.data_dir.parent / 'no-models'}\n")
    asyncio.run(fill(program.data_dir))
    return program


def test_the_list_has_the_promised_fields_and_sources(filled: Program) -> None:
    listed = filled.json("memories", "list")
    assert [row["text"] for row in listed] == list(FACTS[::-1])
    assert listed[-1] == {
        "id": 1,
        "text": FACTS[0],
        "kind": "fact",
        "created": THEN.isoformat(),
        "event_time": None,
        "last_used": THEN.isoformat(),
        "strength": 1.0,
        "retention": pytest.approx(1.0, abs=1e-3),
        "pinned": False,
        "status": "active",
        "sources": [{"session": "2026-10-05-1", "turn": 1, "quote": "Biscuit is my hamster"}],
        "later": [],
    }


def test_people_get_a_table_with_relative_dates(filled: Program) -> None:
    done = filled.run("--now", "2026-10-06T12:00:00+00:00", "memories", "list")
    assert done.returncode == 0
    assert FACTS[0] in done.stdout
    assert "[bold]thunder[/bold]" in done.stdout
    assert "yesterday" in done.stdout


def test_search_works_by_text_when_the_embedder_is_missing(filled: Program) -> None:
    done = filled.run("memories", "search", "hamsters", "--json")
    assert [row["id"] for row in json.loads(done.stdout)] == [1]
    assert "text only" in done.stderr
    assert "companion models fetch minilm-int8" in done.stderr


@pytest.mark.parametrize("words", ['"', "NEAR(", "a AND", "*", "", "-", "hamster: OR"])
def test_search_takes_any_words(filled: Program, words: str) -> None:
    done = filled.run("memories", "search", "--", words)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_show_names_the_turn_and_the_quote(filled: Program) -> None:
    shown = filled.run("memories", "show", "1").stdout
    assert "2026-10-05-1#1" in shown
    assert "“Biscuit is my hamster”" in shown
    assert filled.json("memories", "show", "1")["text"] == FACTS[0]


@pytest.mark.slow
def test_a_kept_memory_is_pinned_and_a_forgotten_one_is_gone(filled: Program) -> None:
    assert filled.json("memories", "keep", "1")["pinned"] is True
    assert filled.run("memories", "forget", "2").returncode == 0
    assert [row["id"] for row in filled.json("memories", "list")] == [3, 1]


@pytest.mark.parametrize("action", ["show", "keep", "forget"])
def test_a_memory_that_is_not_there_is_named(filled: Program, action: str) -> None:
    done = filled.run("memories", action, "99")
    assert done.returncode == 1
    assert done.stderr.startswith("companion: there is no memory 99")


def test_the_profile_has_the_promised_fields(filled: Program) -> None:
    assert filled.json("profile") == {
        "name": "Mia",
        "age": None,
        "gender": None,
        "personality": {
            "summary": None,
            "myers_briggs": None,
            "big_five": dict.fromkeys(
                ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")
            ),
            "examples": [],
        },
        "facts": [],
    }
    assert "Mia" in filled.run("profile").stdout


@pytest.mark.slow
def test_a_store_that_was_never_used_is_empty_not_an_error(program: Program) -> None:
    assert program.json("memories", "list") == []
    assert program.json("sessions") == []
    assert program.run("profile").returncode == 0


@pytest.mark.slow
def test_beside_an_owner_one_may_look_but_not_touch(filled: Program) -> None:
    async def beside() -> None:
        owner = await Store.open(filled.data_dir, StoreSection(), ManualClock(THEN))
        try:
            assert len(await asyncio.to_thread(filled.json, "memories", "list")) == 3
            for words in (("memories", "forget", "1"), ("chat",), ("consolidate",)):
                refused = await asyncio.to_thread(filled.run, *words)
                assert refused.returncode == 75
                assert f"process {os.getpid()}" in refused.stderr
        finally:
            await owner.close()

    asyncio.run(beside())
    assert len(filled.json("memories", "list")) == 3


def test_looking_loads_no_engine(filled: Program) -> None:
    heavy = ("llama_cpp", "onnxruntime", "tokenizers", "prompt_toolkit", "httpx", "dateparser")
    code = (
        "import sys; from companion.cli import main\n"
        f"assert main({filled.arguments('memories', 'list')[3:]!r}) == 0\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, text=True)
    assert done.stderr.strip() == "[]"


def test_search_loads_an_embedder_that_leaves_no_trace_at_home(
    program: Program, embedder_dir: Path, tmp_path: Path
) -> None:
    asyncio.run(fill(program.data_dir))
    program.config.write_text(f"embedder: {{directory: {embedder_dir}}}\n")
    home = tmp_path / "home"
    home.mkdir()
    done = program.run("memories", "search", "hamster", "--json", env={"HOME": str(home)})
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)[0]["id"] == 1
    # onnxruntime keeps a device id and unsent telemetry there unless it is stopped.
    assert list(home.iterdir()) == []
