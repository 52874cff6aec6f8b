"""`companion models`: which profile and which models a fetch settles on, and what it says."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from companion.cli import models
from companion.cli.app import main
from companion.cli.call import Call
from companion.clock import SystemClock
from companion.config import automatic
from companion.config.automatic import Choice, remembered
from companion.doctor import choosing


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a configuration lies for a machine that suits `desktop`, with no model yet."""
    kind = Choice("laptop", "32.0 GB of memory")
    monkeypatch.setattr(automatic, "by_kind", lambda: kind)
    monkeypatch.setattr(choosing, "by_kind", lambda: kind)
    monkeypatch.setattr(choosing, "choose_here", lambda models_dir: Choice("desktop", "8 cores"))
    (tmp_path / "config.yaml").write_text(f"models_dir: {tmp_path / 'models'}\n")
    return tmp_path


def call(folder: Path, profile: str | None = None) -> Call:
    words = {"config": folder / "config.yaml", "profile": profile, "data_dir": None, "llm": None}
    return Call(argparse.Namespace(**words, names=[]), SystemClock())


def test_the_first_fetch_settles_what_auto_means_and_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert models._settled(call(folder)).llm.active.model == "qwen3-4b-instruct-2507"
    assert capsys.readouterr().err == "Profile desktop: 8 cores.\n"
    assert remembered(folder / "models") == Choice("desktop", "8 cores")


def test_the_next_fetch_and_a_named_profile_look_at_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    models._settled(call(folder))
    capsys.readouterr()
    monkeypatch.setattr(choosing, "choose_here", lambda models_dir: pytest.fail("looked again"))
    assert models._settled(call(folder)).profile == "desktop"
    assert models._settled(call(folder, "tiny")).profile == "tiny"
    assert capsys.readouterr().err == ""


def test_choosing_anew_is_remembered_and_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(folder / "config.yaml")
    assert main(["--config", config, "models", "choose", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {"profile": "desktop", "why": "8 cores"}
    assert "companion models fetch" in shown.err
    assert main(["--config", config, "--profile", "tiny", "models", "choose"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "desktop: 8 cores\n"
    assert "names the profile tiny" in shown.err
