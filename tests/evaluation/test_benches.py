"""Every bench in miniature: what it counts is right, whatever it times."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.cli import main
from companion.clock import SystemClock
from companion.errors import UsageError
from companion.evaluation import bench_recall, bench_talk, bench_ttft, plots
from companion.evaluation.resident import resident
from tests.fakes import ScriptedModel


def quiet(line: str) -> None:
    pass


@pytest.fixture
def tiny(llm_tiny_path: Path) -> list[str]:
    return ["--llm", str(llm_tiny_path)]


async def test_the_stable_prefix_reads_words_and_notes_and_the_spoken_one_nothing() -> None:
    model = ScriptedModel(["one two three"])
    result = await bench_ttft.measure(config.load(), model, context=3_000, repeats=1, note=quiet)
    arms = result["arms"]
    said = bench_ttft.WORDS + bench_talk.block(bench_ttft.NOTES, 2)
    assert arms["spoken"]["evaluated_tokens"] <= 2
    assert arms["stable"]["evaluated_tokens"] <= len(said.split()) + 16
    assert arms["paper"]["evaluated_tokens"] > 0.3 * arms["paper"]["prompt_tokens"]
    assert arms["stable"]["prompt_tokens"] == arms["spoken"]["prompt_tokens"]
    assert 2_800 < result["context_tokens"] <= 3_000


def test_talk_of_a_seed_is_always_the_same() -> None:
    first, second = bench_talk.exchanges(), bench_talk.exchanges()
    assert [next(first) for _ in range(9)] == [next(second) for _ in range(9)]
    assert bench_talk.block(3, 1) != bench_talk.block(3, 2)


@pytest.mark.real
async def test_recall_over_some_hundred_memories(tmp_path: Path, embedder_dir: Path) -> None:
    result = await bench_recall.run(
        config.load(), SystemClock(), sizes=[60, 240], queries=5, on_progress=quiet
    )
    assert list(result["sizes"]) == [60, 240]
    for row in result["sizes"].values():
        assert row["recall_at_10"] == 1.0, "a small store is searched exactly"
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    assert result["sizes"][60]["file_bytes"] < result["sizes"][240]["file_bytes"]
    plots.draw(result, tmp_path / "recall.png")
    assert (tmp_path / "recall.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.real
def test_turns_stay_within_the_contract(
    tiny: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = document([*tiny, "bench", "turns", "--turns", "2"], capsys)
    assert found["turns"] == found["turns_within_contract"] == 2
    assert found["evaluated_p50"] < found["prompt_p50"] / 4


@pytest.mark.real
def test_memory_is_told_by_part(tiny: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    found = document([*tiny, "bench", "memory"], capsys)
    parts = found["parts"]
    assert parts["weights"] > 50e6
    assert found["total"] == pytest.approx(sum(parts.values()), rel=0.1)


def test_weights_are_told_from_the_rest(tmp_path: Path) -> None:
    smaps = tmp_path / "smaps"
    smaps.write_text(
        "7f00-7f01 r--p 00000000 08:01 42 /models/small one.gguf\n"
        "Size:  9 kB\nRss:                 8 kB\n"
        "7f02-7f03 rw-p 00000000 00:00 0 \nRss:                 4 kB\n"
        "7f04-7f05 rw-p 00000000 00:00 0 [heap]\nRss:                 2 kB\n"
    )
    found = resident(smaps)
    assert (found.total, found.weights) == (14 * 1024, 8 * 1024)


def test_a_machine_without_proc_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run it on Linux"):
        resident(tmp_path / "none")


def test_a_plot_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    times: dict[str, Any] = {"model": "m", "free_p50_ms": 3.0}
    with pytest.raises(UsageError, match="cannot be written"):
        plots.draw(times, tmp_path / "none" / "x.png")


@pytest.mark.parametrize("number", ["0", "-3"])
def test_nothing_is_measured_no_times(number: str) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["bench", "turns", "--turns", number])
    assert refused.value.code == 2


def document(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
