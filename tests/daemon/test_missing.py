from __future__ import annotations

from pathlib import Path

import pytest

from tests.daemon.conftest import CONFIG, Home, said

pytestmark = pytest.mark.real


def test_without_its_language_model_it_hears_keeps_and_says_so(tmp_path: Path) -> None:
    """Also without an embedder: no model is loaded here at all."""
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + b"\0" * 100)
    config = CONFIG.replace("model: smollm2-135m", f"file: {broken}")
    home = Home(tmp_path, config + f"embedder: {{directory: {tmp_path / 'nowhere'}}}\n")
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        daemon.wait_for("STATUS=ready; I can't think right now.")
        status = daemon.ask("status")
        assert status["models"] == {"active": None, "inactive": None, "embedder": None}
        assert any("broken.gguf" in line for line in status["missing"])
        assert daemon.ask("chat", text="My name is Ada.")["text"] == "I can't think right now."
        daemon.ask("sleep", wait=True)
        assert daemon.ask("status")["phase"] == "asleep"
        assert daemon.ask("status")["memory"]["waiting"] == 1
        assert daemon.ask("memories") == []
        assert daemon.stop()[0] == 0
    assert said(home)[0] == ("user", "My name is Ada.", True)


def test_a_store_that_cannot_be_opened_costs_the_memory_only(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere.gguf"
    home = Home(tmp_path, CONFIG.replace("model: smollm2-135m", f"file: {missing}"))
    home.data_dir.mkdir()
    damaged = b"SQLite format 3\0" + b"\0" * 5000
    (home.data_dir / "store.db").write_bytes(damaged)
    before = in_ram()
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        status = daemon.ask("status")
        assert any("can't remember" in line and "store.db" in line for line in status["missing"])
        assert "store.db" in status["problem"], "what is said is not kept"
        assert daemon.ask("chat", text="Hello!")["turn"] == 1
        assert daemon.stop()[0] == 0
    assert (home.data_dir / "store.db").read_bytes() == damaged
    assert in_ram() <= before


def in_ram() -> set[Path]:
    """Folders of stores that live in RAM, of whatever process."""
    return set(Path("/dev/shm").glob("companion-*"))
