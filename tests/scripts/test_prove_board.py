"""scripts/prove-board: the whole proof in miniature on a processor, and what stops it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import prove_board
import pytest

from companion import config


def test_a_dry_run_lists_every_step_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prove_board.main([str(tmp_path / "proof"), "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines]
    minutes = [int(line.split()[1]) for line in lines]
    for model in ("qwen2.5-7b", "qwen3-4b-instruct-2507"):
        for step in ("out-of-memory", "memory", "ttft", "turns", "start"):
            assert f"{model}-{step}" in names
        assert [f"{model}-preempt-{size}" for size in (32, 64, 128, 256, 512)] == [
            name for name in names if name.startswith(f"{model}-preempt")
        ]
    assert sum(minutes) <= 50
    assert list(tmp_path.iterdir()) == []


def test_models_that_are_not_known_or_not_there_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prove_board.main([str(tmp_path), "--model", "gpt-17"]) == 2
    assert "--model gpt-17: there are qwen2.5-7b" in capsys.readouterr().err
    empty = config.load().model_copy(update={"models_dir": tmp_path / "none"})
    monkeypatch.setattr("prove_board.config.load", lambda: empty)
    assert prove_board.main([str(tmp_path), "--model", "qwen2.5-7b"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "companion models fetch qwen2.5-7b, or --shapes" in line


@pytest.mark.real
@pytest.mark.slow
def test_the_proof_of_a_model_of_nothing(
    tmp_path: Path,
    llm_small_path: Path,
    embedder_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("prove_board.shape_model.find_donor", lambda models: llm_small_path)
    out = tmp_path / "a folder"
    assert prove_board.main([str(out), "--short"]) == 0, capsys.readouterr().err
    starved = json.loads((out / "nothing-out-of-memory.json").read_text())
    for case, key in (
        ("load", "llm.active.model"),
        ("context", "llm.active.context_tokens"),
        ("batch", "llm.active.prefill_slice"),
    ):
        assert key in starved[case]["said"]
    memory = json.loads((out / "nothing-memory.json").read_text())
    for term in ("kv", "compute", "set_aside"):
        predicted, taken = memory["check"][term]
        assert predicted == pytest.approx(taken, rel=0.03), term
    assert json.loads((out / "machine.json").read_text())["system"]
    table = (out / "summary.md").read_text()
    for step in ("ttft", "preempt-32", "preempt-64", "turns", "start"):
        assert f"| nothing-{step} |" in table
    assert (out / "nothing-ttft.png").read_bytes().startswith(b"\x89PNG")

    (out / "nothing-start.json").unlink()  # a cut: the rest is not measured again
    capsys.readouterr()
    assert prove_board.main([str(out), "--short"]) == 0
    assert capsys.readouterr().err.count("there already") == 6


def test_a_full_disk_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object, **more: object) -> None:
        raise OSError(28, "No space left on device", str(tmp_path / "machine.json"))

    monkeypatch.setattr(prove_board, "weights", lambda *of, **more: tmp_path / "x.gguf")
    monkeypatch.setattr("prove_board.measure.measure_all", full)
    assert prove_board.main([str(tmp_path), "--short"]) == 1
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.endswith("No space left on device; the same line goes on from here")


def test_tegrastats_is_kept_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/tegrastats"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho RAM 3000/7620MB cpu@51C $*\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert shutil.which("tegrastats")
    with prove_board.watched(tmp_path):
        log = tmp_path / "tegrastats.log"
        while "cpu@51C --interval 1000" not in log.read_text():
            pass
