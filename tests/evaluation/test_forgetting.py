"""A year of weekend use in simulated time, and lifespans of gold facts."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from companion.config import Config
from companion.errors import InputError
from companion.evaluation.forgetting import gold, year
from companion.evaluation.plots import common
from tests.fakes import HashEmbedder

SAYINGS = {
    "profile": {"name": "Ida"},
    "facts": [
        {"text": "Ida has asthma.", "lasting": True, "status": "current", "session": "2026-03-02"},
        {"text": "Ida went to Rome in January.", "lasting": False, "status": "current",
         "session": "2026-03-02"},
        {"text": "Ida is a dragon.", "lasting": False, "status": "pretend",
         "session": "2026-03-02"},
    ],
}  # fmt: skip


@pytest.fixture
def a_month(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(year, "AFTER", (7, 30))


def test_the_toy_is_used_on_weekends_and_rests_in_the_holidays() -> None:
    days = list(year.days_of_use())
    assert days[:3] == [date(2026, 1, 3), date(2026, 1, 4), date(2026, 1, 10)]
    assert {day.weekday() for day in days} == {5, 6}
    assert not [day for day in days if date(2026, 7, 25) <= day <= date(2026, 8, 30)]


@pytest.mark.slow
@pytest.mark.usefixtures("a_month")
async def test_a_month_by_both_rules(tmp_path: Path) -> None:
    result = await year.run(Config(), HashEmbedder(256), on_progress=lambda line: None)
    kept = {(arm["rule"], arm["comes_up"]): arm for arm in result["arms"]}
    assert len(kept) == 4
    once = kept["paper", False]
    assert once["kinds"]["pet"] == {"7": 0, "30": 0}
    assert kept["lifespan", False]["all"]["30"] > 0.5
    for arm in kept.values():
        days = [point["day"] for point in arm["curve"]]
        assert days[:4] == [0, 1, 7, 8]
        shares = [point["event"] for point in arm["curve"]]
        assert shares == sorted(shares, reverse=True), "what faded was not told again"
    used, unused = kept["paper", True]["all"], once["all"]
    assert used["7"] >= unused["7"], "use strengthens"
    pytest.importorskip("matplotlib")
    common.draw("forgetting", result, tmp_path / "year.png")
    assert (tmp_path / "year.png").read_bytes().startswith(b"\x89PNG")


async def test_current_facts_are_counted_by_lifespan(tmp_path: Path) -> None:
    file = tmp_path / "Ida_gold.json"
    file.write_text(json.dumps(SAYINGS))
    counts = await gold.count([gold.read_gold(file)], HashEmbedder(256))
    assert counts["lasting"] == {"n": 1, "lifespans": {"for good": 1}}
    assert counts["passing"]["n"] == 1
    assert [fact["text"] for fact in counts["facts"]] == [
        "The user has asthma.",
        "The user went to Rome in January 2026.",
    ]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda file: file.unlink(), "cannot be read"),
        (lambda file: file.write_text("{"), "the file: Invalid JSON"),
        (lambda file: file.write_text('{"profile": {"name": "Ida"}}'), "facts: Field required"),
    ],
)
def test_a_gold_file_that_is_none_is_named(
    tmp_path: Path, spoil: Callable[[Path], object], message: str
) -> None:
    file = tmp_path / "Ida_gold.json"
    file.touch()
    spoil(file)
    with pytest.raises(InputError, match=rf"Ida_gold\.json: {message}"):
        gold.read_gold(file)
