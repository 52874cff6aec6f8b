"""Plug-ins are found by their entry points, and kept out where they would be in the way."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.skills import plugins

CODE = """
from companion.skills.protocol import Reply

class Coin:
    name = "coin"
    def wants(self, request, state):
        return 1.0 if request.plain == "toss a coin" else 0.0
    async def answer(self, request, state):
        return Reply(("Heads!",))

class Broken:
    def __init__(self):
        raise RuntimeError("no")
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "coin_toss.py").write_text(CODE)
    info = tmp_path / "coin_toss-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coin-toss\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[companion.skills]\ncoin = coin_toss:Coin\nbroken = coin_toss:Broken\n"
        "stories = coin_toss:Coin\ngone = coin_toss:Gone\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield
    sys.modules.pop("coin_toss", None)


@pytest.mark.usefixtures("installed")
def test_those_that_can_be_loaded_are_found(caplog: pytest.LogCaptureFixture) -> None:
    found = plugins.load(taken=["stories"])
    assert [each.name for each in found] == ["coin"]
    assert len(caplog.records) == 3


@pytest.mark.usefixtures("installed")
def test_one_that_is_off_is_not_loaded() -> None:
    assert plugins.load(taken=[], off=["coin", "broken", "gone", "stories"]) == []
