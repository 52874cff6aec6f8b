"""Every bench in miniature: what it counts is right, whatever it times."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest

from companion import config
from companion.assembly.dialog import build_dialog
from companion.cli import main
from companion.clock import SystemClock
from companion.consolidation.phase import Consolidation
from companion.engines.protocols import Options, Snapshot
from companion.errors import EngineError, UsageError
from companion.evaluation.bench import preempt, recall, talk, ttft
from companion.evaluation.bench.turns import Talk
from companion.evaluation.bench.watched import WatchedEmbedder, WatchedModel
from companion.evaluation.plots import common
from companion.store.database import Store
from tests.fakes import HashEmbedder, ScriptedModel


def quiet(line: str) -> None:
    pass


@pytest.fixture
def tiny(llm_tiny_path: Path, tmp_path: Path) -> list[str]:
    """The 135M with a short prompt, on one thread: two would wait for each other on a busy
    machine."""
    plain = tmp_path / "config.yaml"
    plain.write_text(
        "persona: {examples: false, character: 'You are kind.'}\n"
        "llm: {active: {context_tokens: 1024, threads: 1}}\n"
        "dialog: {reply_tokens: 8}\nstt: {threads: 1}\n"
    )
    return ["--config", str(plain), "--llm", str(llm_tiny_path)]


async def test_the_stable_prefix_reads_words_and_notes_and_the_spoken_one_nothing() -> None:
    model = ScriptedModel(["one two three"])
    result = await ttft.measure(
        config.load(), model, contexts=[3_000, 2_000], repeats=2, note=quiet
    )
    arms = result["arms"]
    said = ttft.WORDS + talk.block(ttft.NOTES, 2)
    assert arms["spoken"]["evaluated_tokens"] <= 2
    assert arms["stable"]["evaluated_tokens"] <= len(said.split()) + 16
    assert arms["paper"]["evaluated_tokens"] > 0.3 * arms["paper"]["prompt_tokens"]
    assert arms["stable"]["prompt_tokens"] == arms["spoken"]["prompt_tokens"]
    assert 2_800 < result["context_tokens"] <= 3_000
    assert result["ratio_stable_tokens"] == pytest.approx(
        arms["paper"]["evaluated_tokens"] / arms["stable"]["evaluated_tokens"], abs=0.01
    )
    shorter, longest = result["lengths"]
    assert 1_800 < shorter["context_tokens"] <= 2_000
    assert longest["arms"] == arms


async def test_a_short_context_is_measured_without_the_examples() -> None:
    result = await ttft.measure(
        config.load(), ScriptedModel(), contexts=[500], repeats=1, note=quiet
    )
    assert result["context_tokens"] <= 500
    assert not result["examples"]


async def test_turns_of_a_scripted_talk_are_counted(tmp_path: Path) -> None:
    """Words are tokens here, so what a turn may read is known exactly."""
    settings = config.load()
    persona = settings.persona.model_copy(update={"greeting": False})
    settings = settings.model_copy(update={"persona": persona})
    settings = settings.model_copy(
        update={"safety": settings.safety.model_copy(update={"guard": "patterns"})}
    )
    model, embedder = (
        WatchedModel(ScriptedModel(["That is nice."])),
        WatchedEmbedder(HashEmbedder()),
    )
    store = await Store.open(tmp_path, settings.store, SystemClock())
    try:
        dialog = build_dialog(settings, SystemClock(), store, model, embedder)
        await dialog.open()
        talk = Talk(dialog, model, embedder, None, Options())
        found = await talk.measure(3, quiet)
    finally:
        await store.close()
    assert found["turns"] == found["turns_within_contract"] == 3
    assert found["each"]["evaluated"] == [
        over + own
        for over, own in zip(found["each"]["over_words_and_block"], _words(3), strict=True)
    ]
    assert found["overhead"] is None, "there is nothing to compare with"
    assert found["ttft_p50_ms"] >= found["before_engine_p50_ms"] >= found["until_recalled_p50_ms"]


def _words(turns: int) -> list[int]:
    said = talk.exchanges()
    return [len(next(said)[0].split()) for _ in range(turns)]


def test_talk_of_a_seed_is_always_the_same() -> None:
    first, second = talk.exchanges(), talk.exchanges()
    assert [next(first) for _ in range(9)] == [next(second) for _ in range(9)]
    assert talk.block(3, 1) != talk.block(3, 2)


@pytest.mark.real
async def test_recall_over_some_hundred_memories(tmp_path: Path, embedder_dir: Path) -> None:
    result = await recall.run(
        config.load(), SystemClock(), sizes=[60, 240], queries=5, on_progress=quiet
    )
    assert list(result["sizes"]) == [60, 240]
    for row in result["sizes"].values():
        assert row["recall_at_10"] == 1.0, "a small store is searched exactly"
        assert 0 < row["p50_ms"] <= row["p99_ms"]
    assert result["sizes"][60]["file_bytes"] < result["sizes"][240]["file_bytes"]
    common.draw("recall", result, tmp_path / "recall.png")
    assert (tmp_path / "recall.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.real
def test_turns_stay_within_the_contract_and_are_replayed_bare(
    tiny: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = tmp_path / "turns.png"
    found = document([*tiny, "bench", "turns", "--turns", "1", "--plot", str(plot)], capsys)
    assert found["turns"] == found["turns_within_contract"] == 1
    assert found["evaluated_p50"] < found["prompt_p50"] / 2
    overhead = found["overhead"]
    assert overhead["turns"] == 1
    assert overhead["tokens_written"] == sum(found["each"]["written"]) > 2
    assert 0 <= overhead["prompt_tokens_more_p50"] <= 8, "the grid costs 7 tokens at most"
    assert found["made_with"]["models"]["llm"]["sha256"]["SmolLM2-135M-Instruct.Q4_1.gguf"]
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.real
def test_weights_that_are_not_mapped_are_told_too(
    tiny: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on an integrated GPU, where llama.cpp maps no file."""
    file = Path(tiny[1])
    file.write_text(file.read_text().replace("threads: 1}", "threads: 1, mmap: false}", 1))
    found = document([*tiny, "bench", "memory"], capsys)
    assert found["parts"]["weights"] > 90e6
    predicted, measured = found["check"]["weights"]
    assert predicted == pytest.approx(measured, rel=0.03)


@pytest.mark.real
def test_memory_is_told_by_part(
    tiny: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = tmp_path / "config.yaml"
    plain.write_text(
        "persona: {examples: false, character: 'You are kind.'}\n"
        "llm: {active: {context_tokens: 1024, threads: 1}}\n"
        "dialog: {reply_tokens: 8}\nstt: {threads: 1}\n"
    )
    plot = tmp_path / "memory.png"
    found = document(
        ["--config", str(plain), *tiny, "bench", "memory", "--plot", str(plot)], capsys
    )
    parts = found["parts"]
    assert parts["weights"] > 50e6
    assert found["total"] == sum(parts.values())
    beside = set(parts) - {"weights", "kv", "compute", "set_aside"}
    assert found["beyond_weights_kv_compute"] == sum(parts[name] for name in beside)
    kv, allocated = found["check"]["kv"]
    assert kv == allocated == parts["kv"], "what is predicted is what llama.cpp allocates"
    for term, (predicted, measured) in found["check"].items():
        assert predicted == pytest.approx(measured, rel=0.03), term
    assert found["machine_grew"] is not None
    assert found["prediction"]["jetson"]["fits"]
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_of_a_talk_without_a_second_token_nothing_is_compared(tmp_path: Path) -> None:
    each = {"evaluated": [3], "prompt": [9], "ours_ms": [0.0], "bare_ms": [0.0]}
    overhead = {"per_token": 0.0, "contract": 0.01, "bare_ms_per_token": 0.0}
    turns = {"turns": 1, "turns_within_contract": 1, "evaluated_share": 0.3}
    common.draw("turns", {**turns, "each": each, "overhead": overhead}, tmp_path / "turns.png")
    assert (tmp_path / "turns.png").read_bytes().startswith(b"\x89PNG")


class Night:
    """A Consolidation that takes long, until it has nothing left to do."""

    def __init__(self, interruptions: int) -> None:
        self.left = interruptions

    async def run(self) -> None:
        self.left -= 1
        if self.left >= 0:
            await asyncio.sleep(3600)


class LateModel(ScriptedModel):
    """Has a state to put back, which has to wait for work that is still queued, as on a GPU."""

    async def snapshot(self) -> Snapshot | None:
        return Snapshot((1,), b"state")

    async def restore(self, snapshot: Snapshot) -> bool:
        await asyncio.sleep(0.03)
        return True


async def test_putting_the_state_back_is_part_of_giving_way() -> None:
    found = await preempt.measure(
        config.load(),
        LateModel(["one two"]),
        cast(Consolidation, Night(2)),
        interruptions=5,
        note=quiet,
        longest_s=0.06,
    )
    assert found["restore_p50_ms"] >= 30 > found["free_p50_ms"]
    assert found["ready_p50_ms"] >= found["restore_p50_ms"]
    assert len(found["each"]["restore_ms"]) == len(found["each"]["free_ms"]) == 2


async def test_an_interruption_of_what_had_ended_is_not_counted() -> None:
    async def measure(night: Night) -> dict[str, Any]:
        return await preempt.measure(
            config.load(),
            ScriptedModel(["one two"]),
            cast(Consolidation, night),
            interruptions=5,
            note=quiet,
            longest_s=0.06,
        )

    found = await measure(Night(2))
    assert found["interruptions"] == len(found["each"]["free_ms"]) == 2
    with pytest.raises(EngineError, match="before it can be interrupted"):
        await measure(Night(0))


def test_where_a_plot_cannot_be_written_nothing_is_measured_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in (tmp_path, tmp_path / "none" / "x.png"):
        assert main(["bench", "ttft", "--plot", str(place), "--context", "9"]) == 2
        assert "cannot be written" in capsys.readouterr().err
    common.require(tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="cannot be written"):
        common.require(tmp_path / ("x" * 300))  # may not even be looked at


def test_a_plot_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    arm = {"listening_ms": 100.0, "first_token_ms": 300.0, "evaluated_tokens": 9}
    start = {"arms": {"with_prefix": arm, "without_prefix": arm}, "ratio": 1.0}
    with pytest.raises(UsageError, match="cannot be written"):
        common.draw("start", start, tmp_path / "none" / "x.png")


@pytest.mark.parametrize("number", ["0", "-3", "some", "99999999999"])
def test_nothing_is_measured_no_times(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["bench", "turns", "--turns", number])
    assert refused.value.code == 2
    assert "_" not in capsys.readouterr().err.splitlines()[-1], "no name of a function"


def document(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
