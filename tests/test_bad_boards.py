"""What doctor, chat and daemon say of a board that is not as it should be: one clear line each.

docs/jetson.md has the table of these words. GPUs are played by ggml's registry as
tests/engines/test_devices.py fills it; what llama.cpp says of them by lines of its log.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf_file
import llama_cpp as native
import pytest

from companion import config
from companion.cli import main
from companion.clock import SystemClock
from companion.daemon.daemon import Daemon
from companion.daemon.notify import Notifier
from companion.doctor import board, machine
from companion.doctor.finding import Finding
from companion.engines.llama import devices, library, selftest
from tests.engines.test_devices import INTEGRATED, PROCESSOR, Device, Ggml

pytestmark = pytest.mark.real

GB = 10**9


@dataclass(frozen=True)
class Board:
    """A configuration over one file, and what each of the three says of it."""

    file: Path

    def settings(self, layers: int) -> Path:
        path = self.file.parent / "config.yaml"
        path.write_text(
            f"data_dir: {self.file.parent / 'data'}\n"
            f"llm: {{active: {{file: {self.file}, gpu_layers: {layers}, context_tokens: 512}}}}\n"
            "embedder: {directory: /nowhere}\nstt: {directory: /nowhere}\n"
            "tts: {directory: /nowhere}\n"
        )
        return path

    def doctor(self, layers: int = 0) -> dict[str, Finding]:
        path = self.settings(layers)
        look = machine.examine(lambda: config.load(path), SystemClock(), selftest=True)
        return {finding.name: finding for finding in asyncio.run(look)}

    def chat(self, capsys: pytest.CaptureFixture[str], layers: int = 0) -> str:
        """The line on which it ends."""
        assert main(["--config", str(self.settings(layers)), "chat"]) != 0
        (line,) = capsys.readouterr().err.splitlines()
        return line

    def daemon(self, layers: int = 0) -> str:
        """The line of its status about the language model: it goes on without."""

        async def run() -> list[str]:
            settings = config.load(self.settings(layers))
            daemon = Daemon(settings, SystemClock(), Notifier({}), stopping=lambda failed: None)
            running = asyncio.create_task(daemon.run())
            await asyncio.wait_for(daemon.opened(), 60)
            missing: list[str] = (await daemon.status())["missing"]
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await running
            return missing

        (line,) = [each for each in asyncio.run(run()) if each.startswith("I can't think")]
        return line

    def all_say(self, words: str, capsys: pytest.CaptureFixture[str], layers: int = 0) -> None:
        """Doctor's self-test, chat and daemon, each in one line."""
        finding = self.doctor(layers)["self-test"]
        assert finding.level == "bad"
        said = {
            "doctor": finding.what,
            "chat": self.chat(capsys, layers),
            "daemon": self.daemon(layers),
        }
        for who, line in said.items():
            assert words in line, (who, line)
            assert "\n" not in line, who


@pytest.fixture
def a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """With the doctor's self-test in this process, where GPUs can be played."""
    monkeypatch.setattr("companion.doctor.machine.subprocess.run", _here)
    monkeypatch.setattr("sys.stdin", io.StringIO("Hello!\n"))
    monkeypatch.setattr(devices, "_capabilities", {})
    monkeypatch.setattr(devices, "_not_started", [])
    file = tmp_path / "model.gguf"
    with file.open("wb") as stream:
        gguf_file.write_head(stream, {"general.architecture": gguf_file.text("unheard-of")}, [])
    return Board(file)


def _here(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
    """What `python -m companion.engines.llama.selftest` does, without another process."""
    assert command[1:3] == ["-m", "companion.engines.llama.selftest"]
    before, sys.argv = sys.argv, command[2:]
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            selftest.main()
    except SystemExit as error:
        return subprocess.CompletedProcess(command, 1, out.getvalue(), f"{error}\n")
    finally:
        sys.argv = before
    return subprocess.CompletedProcess(command, 0, out.getvalue(), "")


@pytest.fixture
def plays(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets the build's backends and the machine's devices."""

    def play(backends: list[bytes], *found: Device) -> None:
        monkeypatch.setattr(native.llama_cpp, "_lib", Ggml(backends, [*found, PROCESSOR]))

    return play


# ---- the GPU


def test_no_gpu_code(
    a_board: Board, plays: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    plays([b"CPU"])
    words = "gpu_layers is -1, but the installed llama.cpp was built without a GPU's code: scripts/"
    a_board.all_say(words, capsys, layers=-1)


def test_a_driver_without_a_device(
    a_board: Board, plays: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    plays([b"CUDA", b"CPU"])
    devices.listen("ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device is detected")
    words = (
        "llama.cpp finds no GPU (it was built for CUDA; no CUDA-capable device is detected): "
        "see that the driver is loaded"
    )
    a_board.all_say(words, capsys, layers=-1)


def test_a_gpu_of_another_architecture_than_the_build(
    a_board: Board,
    plays: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plays([b"CUDA", b"CPU"], Device(INTEGRATED, b"CUDA0", 5 * GB))
    devices.listen("  Device 0: Xavier, compute capability 7.2, VMM: yes")
    built = b"CUDA : ARCHS = 870 | CPU : NEON = 1"
    monkeypatch.setattr(native, "llama_print_system_info", lambda: built)
    words = "built for GPUs of compute capability 8.7 and later, and Xavier has 7.2: scripts/setup"
    a_board.all_say(words, capsys, layers=-1)


# ---- memory


def test_half_the_memory_is_taken(
    a_board: Board,
    plays: Callable[..., None],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """llama.cpp's lines are those of a CUDA build; tests/engines/test_out_of_memory.py has real
    failures, by a limit of the address space."""
    plays([b"CUDA", b"CPU"], Device(INTEGRATED, b"CUDA0", 3_500_000_000))
    monkeypatch.setattr(native, "llama_print_system_info", lambda: b"CPU : NEON = 1")

    def refuse(path: bytes, parameters: object) -> None:
        library._last_errors.append(
            "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4168.09 MiB on device 0: "
            "cudaMalloc failed: out of memory"
        )

    with a_board.file.open("ab") as stream:
        stream.truncate(4_683_000_000)  # sparse: nothing is written
    monkeypatch.setattr(native, "llama_model_load_from_file", refuse)
    monkeypatch.setattr(board, "memory", lambda: (8 * GB, 4 * GB))
    words = (
        "not enough memory for the weights (4.37 GB needed at once on the GPU, 3.50 GB free); end "
        "other programs, or choose a lower llm.active.gpu_layers"
    )
    a_board.all_say(words, capsys, layers=-1)
    finding = a_board.doctor(-1)["memory"]
    assert finding.level == "warn"
    assert finding.what.endswith("needs about 5.4 GB, and 4.0 GB are free now")
    assert finding.mend == "end other programs, or use a smaller profile"


def test_memory_that_the_companion_itself_holds_is_no_complaint() -> None:
    assert board.room(4 * GB, running=True, have=(8 * GB, 1 * GB)).level == "ok"
    assert board.room(4 * GB, running=False, have=(8 * GB, 1 * GB)).level == "warn"
    assert board.room(4 * GB, running=False, have=(8 * GB, None)).level == "ok"
    assert board.room(9 * GB, running=True, have=(8 * GB, 7 * GB)).level == "bad"


# ---- the file


@pytest.mark.parametrize("share", [0.01, 0.5, 0.999])
def test_a_gguf_that_was_cut_off(
    share: float, a_board: Board, llm_tiny_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = llm_tiny_path.read_bytes()
    a_board.file.write_bytes(whole[: int(share * len(whole))])
    a_board.all_say("cannot be loaded, it may be cut or altered (", capsys)


def test_a_gguf_of_another_architecture(a_board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "is a model of an architecture that the installed llama.cpp does not know (unheard-of); "
        "choose another llm.active.model or llm.active.file"
    )
    a_board.all_say(words, capsys)


# ---- power, disk


@pytest.mark.parametrize(
    ("says", "level", "words"),
    [
        ("NV Power Mode: 7W\n1", "warn", "7W: clocks are held so low that replies come late"),
        ("NV Power Mode: 15W\n0", "ok", "15W"),
        ("NV Power Mode: MAXN_SUPER\n2", "ok", "MAXN_SUPER"),
        ("", "warn", "nvpmodel does not tell it (exit 0)"),
    ],
)
def test_a_power_mode_of_7_w(
    says: str, level: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chat and daemon say nothing of it: slices of the prompt grow shorter by themselves
    (tests/engines/test_giving_way.py)."""
    assert board.power() is None, "this is no Jetson"
    program = tmp_path / "nvpmodel"
    program.write_text(f"#!/bin/sh\nprintf '{says}'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    finding = board.power()
    assert finding is not None
    assert (finding.level, finding.what) == (level, words)


def test_a_card_that_reads_20_megabytes_a_second(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    with file.open("wb") as stream:
        stream.truncate(4_683_000_000)
    ticks = iter([0.0, 8 * 4 * 2**20 / 20e6])
    speed = board.disk_speed(file, clock=lambda: next(ticks))
    assert speed == 20
    finding = board.reading(file, speed)
    assert finding is not None
    assert finding.level == "warn"
    assert finding.what.endswith(
        "reads 20 MB/s: each start reads 4.7 GB for 4 minutes before it can answer"
    )
    quick = board.reading(file, 2000)
    assert quick is not None
    assert quick.level == "ok"
    assert board.disk_speed(tmp_path / "none.gguf") is None


def test_a_chat_that_loads_for_long_says_what_it_is_at(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The daemon's STATUS names the step from its beginning, and asks the service manager for more
    time (tests/daemon/test_daemon.py)."""
    from companion.assembly.missing import Step
    from companion.cli.talk import Patience

    async def start() -> None:
        with Patience(after_s=0.02) as patience:
            patience.step(Step.MEMORY)
            patience.step(Step.LANGUAGE_MODEL)
            await asyncio.sleep(0.1)
            patience.step(Step.EMBEDDER)
        await asyncio.sleep(0.1)

    asyncio.run(start())
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        "companion: still loading the language model; companion doctor tells how quick the disk is"
    )


# ---- a full disk: in the middle of a proof, see tests/scripts/test_proof_page.py


def test_a_full_disk(a_board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chat and daemon go on in RAM: tests/dialog/test_disk.py, tests/daemon/test_daemon.py."""
    usage = type("Usage", (), {"free": 50 * 10**6})
    monkeypatch.setattr("companion.doctor.machine.shutil.disk_usage", lambda place: usage)
    finding = a_board.doctor()["data_dir"]
    assert finding.level == "bad"
    assert finding.what.endswith("0.1 GB free")
    assert finding.mend.startswith("free some space, or set data_dir")
