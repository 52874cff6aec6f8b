"""What a proof says of its machine: the build, temperature and clocks, a full disk, a verdict."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import proof_build
import proof_page
import prove_board
import pytest
import starve
import tegrastats
from measure import ROOT, Figure
from proof_page import Proof

from companion.voice.turns.report import STAGES

# Two lines of an Orin Nano: JetPack 6, and an older form.
LINES = """\
11-23-2026 04:12:46 RAM 3012/7620MB (lfb 4x4MB) SWAP 0/0MB CPU [12%@1510,0%@729,off,off,3%@1510,\
1%@1510] EMC_FREQ 0%@2133 GR3D_FREQ 99%@[624] cpu@51.5C soc2@50C gpu@52.25C tj@52.25C cv0@-256C \
VDD_IN 9120mW/7000mW VDD_CPU_GPU_CV 3000mW/2000mW
RAM 5000/7620MB (lfb 1x4MB) CPU [80%@1728,70%@1728] GR3D_FREQ 10%@306 cpu@71C gpu@75C VDD_IN 6000/7
something that nobody can read
"""


# ---- temperature and clocks


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small tegrastats, alone on the PATH but for the shell's own."""
    program = tmp_path / "bin/tegrastats"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ncat <<'X'\n{LINES}X\necho asked for $*\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


@pytest.mark.usefixtures("program")
def test_what_tegrastats_tells_is_kept_and_summed_up(tmp_path: Path) -> None:
    log = tmp_path / tegrastats.LOG
    with tegrastats.watched(tmp_path) as there:
        assert there
        until = time.monotonic() + 20
        while not log.exists() or "asked for --interval 1000" not in log.read_text():
            assert time.monotonic() < until
            time.sleep(0.02)
    found = tegrastats.document(tmp_path, there=there)
    assert found["seen"] == 2
    assert found["gpu_c"] == [52.25, 75, 75]
    assert found["gpu_mhz"] == [306, 624, 624]
    assert found["cpu_mhz"] == [1510, 1728, 1728], "of the quickest core"
    assert found["memory_mb"] == [3012, 5000, 5000]
    assert found["power_mw"] == [6000, 9120, 9120]
    assert "cv0_c" not in found, "a sensor that is switched off"
    (tmp_path / "tegrastats.json").write_text(json.dumps(found))
    proof_page.write(Proof(tmp_path, []), {})
    page = (tmp_path / "page.md").read_text()
    assert "by tegrastats, 2 times" in page
    assert "| gpu_c | 52.25 | 75 | 75 |" in page
    assert (tmp_path / "proof.png").read_bytes().startswith(b"\x89PNG")


def test_where_it_is_not_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with tegrastats.watched(tmp_path) as there:
        assert not there
    found = tegrastats.document(tmp_path, there=there)
    assert found["why"] == "tegrastats is not on this machine: neither temperature nor clocks"
    (tmp_path / "tegrastats.json").write_text(json.dumps(found))
    proof_page.write(Proof(tmp_path, []), {})
    assert f"Temperature and clocks: {found['why']}." in (tmp_path / "page.md").read_text()


def test_a_tegrastats_that_says_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / tegrastats.LOG).write_text("no permission\n")
    assert "nothing that can be read" in tegrastats.document(tmp_path, there=True)["why"]


# ---- the verdict


def spoken(first_sound_ms: float) -> dict[str, Any]:
    stage = {"turns": 3, "p50_ms": 1.0, "p90_ms": 2.0, "p99_ms": 3.0}
    return {
        "by_model": 3,
        "first_sound_p50_ms": first_sound_ms,
        "first_sound_p90_ms": 2 * first_sound_ms,
        "stages": dict.fromkeys(STAGES, stage),
    }


def test_which_model_meets_a_second_and_what_memory_is_left(tmp_path: Path) -> None:
    documents = {
        "machine": {"memory_available": 7_000_000_000, "gpus": []},
        "a-spoken": spoken(900),
        "a-memory": {"total": 5e9, "machine_grew": 5_500_000_000, "check": {"kv": [100, 103]}},
        "b-spoken": spoken(1400),
    }
    for name, document in documents.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    proof_page.write(Proof(tmp_path, ["a", "b", "c"]), {"c-spoken": "exit code 1"})
    page = (tmp_path / "page.md").read_text()
    assert "- **a**: first sound 900 ms after the end of speech (median of 3 turns; 1,800" in page
    assert "): meets one second; memory left: 1.50 GB" in page
    assert "does not meet one second\n" in page
    assert "- **c**: first sound not measured" in page
    assert "- **Not measured**: c-spoken: exit code 1" in page
    assert "| a | KV cache | 0 | 0 | -2.9% |" in page


# ---- the build


@pytest.mark.real
def test_what_is_installed_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    found = proof_build.look()
    assert "CPU" in found["features"]


@pytest.mark.parametrize("mended", [True, False])
def test_a_gpu_that_the_installed_build_does_not_find_has_it_built_anew(
    mended: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gpu = {"name": "CUDA0", "free": 5}
    looks = [[], [gpu] if mended else []]
    built: list[list[str]] = []
    monkeypatch.setattr(
        proof_build, "look", lambda: {"backends": [], "gpus": looks.pop(0), "features": ""}
    )
    monkeypatch.setattr(proof_build, "has_gpu", lambda: True)
    monkeypatch.setattr("proof_build.subprocess.run", lambda command, **more: built.append(command))
    monkeypatch.setattr(sys, "argv", ["proof_build.py"])
    assert proof_build.main() == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["how"], found["ready"]) == ("built", int(mended))
    assert built[0][1].endswith("install_llama.py")


def test_a_machine_without_a_gpu_has_nothing_built(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = {"backends": [], "gpus": [], "features": ""}
    monkeypatch.setattr(proof_build, "look", lambda: nothing)
    monkeypatch.setattr(proof_build, "has_gpu", lambda: False)
    monkeypatch.setattr(sys, "argv", ["proof_build.py"])
    proof_build.main()
    found = json.loads(capsys.readouterr().out)
    assert (found["how"], found["ready"]) == ("as installed", 1)


def test_a_proof_without_the_gpu_that_is_there_ends_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = Figure("build", "", 'python -c \'print("{\\"ready\\": 0}")\'', 1)
    monkeypatch.setattr("prove_board.proof_steps.build", lambda *, as_it_is: lacking)
    monkeypatch.setattr(prove_board, "weights", lambda asked: {"a": tmp_path / "x.gguf"})
    for _ in range(2):  # the same line asks again
        assert prove_board.main([str(tmp_path / "out"), "--shapes"]) == 1
        line = capsys.readouterr().err.splitlines()[-1]
        assert line.endswith("llama.cpp does not find this machine's GPU; see the lines above")


# ---- a disk that fills up in the middle

FULL = """
import os, sys
from pathlib import Path
import proof_build, prove_board
from measure import Figure

out = Path(sys.argv[1])
gguf = out.parent / "x.gguf"
gguf.write_bytes(bytes(1000))
one, two = (Figure(name, name, "python -c 'print(\\"{}\\")'", 1) for name in ("one", "two"))
prove_board.weights = lambda asked: {"a": gguf}
prove_board.proof_steps.build = lambda *, as_it_is: one
prove_board.proof_steps.steps = lambda *of, **more: [two]
prove_board.proof_build.look = lambda: {"gpus": []}
whole = prove_board.measure.measure

def fill_up(figure, command, folder):
    if figure.name == "two" and not (folder / "freed").exists():
        with open(folder / "filler", "wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
    return whole(figure, command, folder)

def filling(figure, command, folder):
    try:
        return fill_up(figure, command, folder)
    except OSError:
        return whole(figure, command, folder)

prove_board.measure.measure = filling
print(prove_board.main([str(out), "--short"]))
(out / "filler").unlink()
(out / "freed").touch()
print(prove_board.main([str(out), "--short"]))
"""


def test_a_disk_that_fills_up_in_the_middle_is_one_line_and_it_goes_on(tmp_path: Path) -> None:
    unshare = ["unshare", "--user", "--map-root-user", "--mount"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody make a mount of his own")
    (tmp_path / "disk").mkdir()
    mount = f"mount -t tmpfs -o size=300k tmpfs {tmp_path / 'disk'} && exec "
    program = tmp_path / "program.py"
    program.write_text(FULL)
    run = f"{sys.executable} {program} {tmp_path / 'disk'}"
    done = subprocess.run(
        [*unshare, "sh", "-c", mount + run],
        capture_output=True, text=True, timeout=120, cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'scripts'}", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
    )  # fmt: skip
    assert done.stdout.split() == ["1", "0"], done.stderr
    lines = done.stderr.splitlines()
    (said,) = [line for line in lines if "No space left on device" in line]
    assert said.startswith("scripts/prove-board: ")
    assert said.endswith("the same line goes on from here")
    assert any(line.endswith("one: there already") for line in lines)


# ---- memory that runs out


@pytest.mark.real
def test_memory_of_a_device_is_taken_by_ggml_itself() -> None:
    """The processor stands for a GPU here: names and signatures are those of the real ggml."""
    assert starve.fill(0, kinds=(0,), most=3 * 2**20) == 3 * 2**20
    assert starve.fill(2**60, kinds=(0,)) == 0, "what is to be left is left"
