"""scripts/prove-board: the whole proof in miniature on a processor, and what stops it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import measure
import proof_fit
import proof_models
import proof_steps
import prove_board
import pytest
from fit_jetson import Failed

from companion import config
from companion.config import LlmSection
from companion.weights.manifest import Manifest

STEPS = ("self-test", "out-of-memory", "memory", "ttft", "turns", "exact", "start", "spoken")


# ---- what it will do


def test_a_dry_run_lists_every_step_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert prove_board.main([str(tmp_path / "proof"), "--dry-run"]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    minutes = {line.split()[0]: float(line.split()[1]) for line in lines}
    assert next(iter(minutes)) == "build"
    for model in prove_board.MODELS:
        assert {f"{model}-{step}" for step in STEPS} <= set(minutes)
    first = [name for name in minutes if name.startswith("qwen2.5-7b-preempt")]
    assert first == [f"qwen2.5-7b-preempt-{size}" for size in (32, 64, 128, 256, 512)]
    assert list(tmp_path.iterdir()) == []
    assert float(total.split()[1]) == pytest.approx(sum(minutes.values()), abs=0.1)


def test_the_whole_fits_into_45_minutes_on_a_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prove_board.main([str(tmp_path / "proof"), "--dry-run"])
    assert 30 < float(capsys.readouterr().out.splitlines()[-1].split()[1]) <= 45


def test_from_a_slow_card_each_start_takes_its_minutes() -> None:
    speed = proof_steps.SPEEDS["qwen2.5-7b"]
    quick = proof_steps.minutes("start", proof_steps.WHOLE, speed)
    slow = proof_steps.minutes("start", proof_steps.WHOLE, speed, slow_s=231)
    assert slow - quick == pytest.approx(5 * 231 / 60, abs=0.1)


def test_models_that_are_not_known_or_not_there_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prove_board.main([str(tmp_path), "--model", "gpt-17"]) == 2
    assert "--model gpt-17: there are qwen2.5-7b" in capsys.readouterr().err
    empty = config.load().model_copy(update={"models_dir": tmp_path / "none"})
    monkeypatch.setattr("proof_models.config.load", lambda: empty)
    assert prove_board.main([str(tmp_path), "--model", "qwen2.5-7b"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "companion models fetch qwen2.5-7b, or --fetch, or --shapes" in line


def test_beside_the_service_nothing_is_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/systemctl"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ "$*" = "is-active --quiet companion.service" ]\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    assert prove_board.main([str(tmp_path / "out")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("holds memory: sudo systemctl stop companion")
    assert not (tmp_path / "out").exists()


def test_on_an_installed_board_the_installations_environment_and_weights_are_taken(
    tmp_path: Path,
) -> None:
    clone, installed = tmp_path / "clone", tmp_path / "board"
    (clone / "scripts").mkdir(parents=True)
    script = clone / "scripts/prove-board"
    script.write_bytes((measure.ROOT / "scripts/prove-board").read_bytes())
    environment = {"PATH": "/usr/bin:/bin", "INSTALLED": f"{installed}/"}
    command = ["bash", str(script), "out"]
    nothing = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert nothing.returncode == 1
    (line,) = nothing.stderr.splitlines()
    assert line.endswith("run scripts/setup --voice, or scripts/install-jetson")
    python = installed / "opt/companion/.venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$COMPANION_CONFIG $PYTHONPATH $*"\n')
    python.chmod(0o755)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    config_file = installed / "etc/companion/config.yaml"
    assert done.stdout == f"{config_file} {clone} {clone}/scripts/prove_board.py out\n"


def test_a_model_without_weights_is_left_out_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = config.load().model_copy(update={"models_dir": tmp_path})
    monkeypatch.setattr("proof_models.config.load", lambda: here)
    large, light = prove_board.MODELS
    file = Manifest.load().path(light, tmp_path)
    file.parent.mkdir(parents=True)
    file.touch()
    asked = proof_models.Asked(tmp_path / "out", prove_board.MODELS, shapes=False, short=False)
    assert proof_models.weights(asked) == {light: file}
    (line,) = capsys.readouterr().err.splitlines()
    assert "left out: " in line
    assert f"companion models fetch {large}, or --fetch" in line


def test_where_large_allocations_fail_the_model_is_measured_as_it_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def selftest(path: Path, section: LlmSection, user: str | None) -> None:
        tried.append(section.gpu_layers)
        if section.gpu_layers not in (20, 14):
            raise Failed("exit -6: llama.cpp: NvMapMemAllocInternalTagged: error 12")

    monkeypatch.setattr(proof_fit, "selftest", selftest)
    section = LlmSection(gpu_layers=-1)
    said: list[str] = []
    for _ in range(2):  # found once
        fitted = proof_fit.changes(tmp_path, "m", tmp_path / "m.gguf", section, said.append)
        assert fitted == {"gpu_layers": 20}
    assert tried == [-1, 26, 20]
    assert said[-1] == "m: 20 layers on the GPU"
    file, _ = proof_models.configure(
        tmp_path, "m", tmp_path / "m.gguf", proof_steps.WHOLE, gpu=True, short=False, fitted=fitted
    )
    assert config.load(file).llm.active.gpu_layers == 20
    first = next(
        proof_steps.steps("m", file, "m.gguf", proof_steps.WHOLE, {}, gpu=True, fitted=fitted)
    )
    assert "--gpu-layers 20 " in first.run


def test_where_nothing_loads_the_steps_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def selftest(path: Path, section: LlmSection, user: str | None) -> None:
        raise Failed("not enough memory for the weights")

    monkeypatch.setattr(proof_fit, "selftest", selftest)
    section = LlmSection(gpu_layers=-1)
    assert proof_fit.changes(tmp_path, "m", tmp_path / "m", section, lambda line: None) == {}


# ---- the whole of it, in miniature


@pytest.mark.real
@pytest.mark.slow
def test_the_proof_of_a_model_of_nothing_goes_on_after_a_kill(
    tmp_path: Path,
    llm_small_path: Path,
    embedder_dir: Path,
    whisper_dir: Path,
    piper_dir: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("proof_models.shape_model.find_donor", lambda models: llm_small_path)
    out = tmp_path / "a folder"
    killed = killed_after(out, "nothing-out-of-memory.json")
    before = json.loads((out / "measured.json").read_text())
    assert killed == -signal.SIGKILL
    assert {"build", "nothing-self-test"} <= set(before)

    assert prove_board.main([str(out), "--short"]) == 0, capsys.readouterr().err
    told = capsys.readouterr().err
    assert told.count("there already") == len(before), "only what was measured whole"
    starved = json.loads((out / "nothing-out-of-memory.json").read_text())
    for case, key in (
        ("load", "llm.active.model"),
        ("context", "llm.active.context_tokens"),
        ("batch", "llm.active.prefill_slice"),
        ("prompt", "llm.active.prefill_slice"),
    ):
        assert key in starved[case]["said"]
    memory = json.loads((out / "nothing-memory.json").read_text())
    for term in ("kv", "compute", "set_aside"):
        predicted, taken = memory["check"][term]
        assert predicted == pytest.approx(taken, rel=0.03), term
    assert json.loads((out / "nothing-exact.json").read_text())["share"] == 1.0
    spoken = json.loads((out / "nothing-spoken.json").read_text())
    assert spoken["turns"] == 2
    assert spoken["answered"] + len(spoken["unanswered"]) >= 2
    assert json.loads((out / "machine.json").read_text())["system"]
    table = (out / "summary.md").read_text()
    for step in (*STEPS, "preempt-32", "preempt-64"):
        assert f"| nothing-{step} |" in table
    page = (out / "page.md").read_text()
    assert "- **nothing**: first sound" in page
    assert "; memory left: " in page
    assert "Temperature and clocks: tegrastats is not on this machine" in page
    for picture in ("nothing-ttft.png", "nothing-spoken.png", "proof.png"):
        assert (out / picture).read_bytes().startswith(b"\x89PNG")


def killed_after(out: Path, name: str) -> int:
    """Begin a proof and kill everything of it, as a power cut does, once this file is there."""
    program = str(Path(prove_board.__file__))
    process = subprocess.Popen(
        [sys.executable, program, str(out), "--short"],
        start_new_session=True,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": str(measure.ROOT)},
    )
    while not (out / name).exists():
        assert process.poll() is None, "it ended by itself"
        time.sleep(0.05)
    time.sleep(0.3)  # into the next step
    os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
