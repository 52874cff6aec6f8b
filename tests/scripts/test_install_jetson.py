"""scripts/install-jetson: what it would do, and what it does to a folder that stands for a board.

No Jetson was at hand: packages, weights, build and systemctl are only looked at as printed.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from companion.store import key

ROOT = Path(__file__).resolve().parents[2]
INSTALL = ROOT / "scripts" / "install-jetson"

ORIN = "NVIDIA Jetson Orin Nano Engineering Reference Developer Kit Super\0"
JETPACK_6 = "# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64\n"


def install(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", INSTALL, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def printed(*arguments: str | Path) -> str:
    result = install(*arguments)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """The files by which a Jetson Orin Nano is known."""
    root = tmp_path / "board"
    write(root / "proc/device-tree/model", ORIN)
    write(root / "etc/nv_tegra_release", JETPACK_6)
    write(root / "proc/meminfo", "MemTotal:        7802796 kB\n")
    write(root / "usr/local/cuda/bin/nvcc", "").chmod(0o755)
    return root


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def tree(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder with its mode and content."""
    return {
        str(path.relative_to(root)): (
            stat.S_IMODE(path.lstat().st_mode),
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(root.rglob("*"))
    }


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# ---- what is printed


def test_a_dry_run_names_every_step_in_order_and_changes_nothing(board: Path) -> None:
    before = tree(board)
    output = printed("--dry-run", "--root", board)
    assert re.findall(r"(?m)^== (\d+\. .*)$", output) == [
        "1. machine",
        "2. packages",
        "3. user",
        "4. program",
        "5. configuration",
        "6. key of the store",
        "7. environment and llama.cpp",
        "8. weights",
        "9. how the model loads",
        "10. unit",
        "11. doctor",
        "12. start",
    ]
    assert tree(board) == before


def test_a_dry_run_for_this_machine_prints_the_exact_commands() -> None:
    lines = printed("--dry-run").splitlines()
    commands = [line.strip().removeprefix("$ ") for line in lines if line.startswith("   $ ")]
    expected = [
        r"env .*apt-get install .*build-essential .*python3-venv libportaudio2 .*",
        r"systemd-sysusers /etc/sysusers\.d/companion\.conf /etc/sysusers\.d/companion-web\.conf",
        r"install -m 644 \S+/systemd/config\.yaml /etc/companion/config\.yaml",
        r"bash -c .*/dev/urandom.* /etc/companion/companion-key(\.cred)?",
        r"env HOME=/opt/companion/\.setup .* /opt/companion/scripts/setup --voice .*",
        r"chown companion:companion /var/cache/companion /var/lib/companion",
        r"/usr/local/bin/companion models fetch",
        r"env .*/fit_jetson\.py /etc/companion/config\.yaml --as companion --fetch .*",
        r"install .*/companion\.service /etc/systemd/system/companion\.service",
        r"install .*/companion-web\.socket /etc/systemd/system/companion-web\.socket",
        r"install .*/companion-web\.service /etc/systemd/system/companion-web\.service",
        r"systemctl daemon-reload",
        r"systemctl enable companion\.service",
        r"/usr/local/bin/companion doctor",
        r"systemctl restart companion\.service",
    ]
    if Path("/etc/companion/config.yaml").exists():
        pytest.skip("the companion is installed here: some steps are done already")
    at = 0
    for pattern in expected:
        found = [n for n in range(at, len(commands)) if re.fullmatch(pattern, commands[n])]
        assert found, f"{pattern} is missing, or out of order, in:\n" + "\n".join(commands)
        at = found[0] + 1


def test_cudas_compiler_is_installed_only_where_it_is_missing(board: Path) -> None:
    assert "gpiod\n" in printed("--dry-run", "--root", board)
    (board / "usr/local/cuda/bin/nvcc").unlink()
    assert "gpiod nvidia-jetpack\n" in printed("--dry-run", "--root", board)


@pytest.mark.skipif(
    Path("/etc/nv_tegra_release").exists(), reason="this is a Jetson: it would be installed"
)
def test_on_a_machine_that_is_no_jetson_one_line_says_so() -> None:
    result = install()
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        "install-jetson: this machine is no NVIDIA Jetson; nothing was changed. "
        "Elsewhere: scripts/setup\n"
    )


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("etc/nv_tegra_release", "# R35 (release), REVISION: 4.1\n", "R35 is too old; flash JetPa"),
        ("etc/nv_tegra_release", "something else\n", "does not tell the release"),
        ("proc/meminfo", "MemTotal:        3950000 kB\n", "3857 MB of memory; the 7B model needs"),
    ],
)
def test_a_board_that_will_not_do_is_named(board: Path, file: str, text: str, problem: str) -> None:
    assert "would stop here" not in printed("--dry-run", "--root", board).split("== 2.")[0]
    write(board / file, text)
    (line,) = re.findall("would stop here: (.*)", printed("--dry-run", "--root", board))
    assert problem in line


@pytest.mark.parametrize(
    ("revision", "short"),
    [("4.3", False), ("4.4", False), ("4.7", True), ("5.0", True), ("4.10", True)],
)
def test_a_release_on_which_large_allocations_fail_is_told(
    board: Path, revision: str, short: bool
) -> None:
    write(board / "etc/nv_tegra_release", JETPACK_6.replace("4.3", revision))
    output = printed("--dry-run", "--root", board)
    assert f"Jetson Linux R36.{revision}\n" in output
    assert ("one large allocation may fail (NvMap error 12)" in output) is short


def test_an_update_does_not_ask_for_the_room_that_it_takes_already(
    board: Path, tmp_path: Path
) -> None:
    df = write(tmp_path / "bin/df", "#!/bin/sh\nprintf 'Filesystem\\n/dev/x 9 9 3000 90%% /\\n'\n")
    df.chmod(0o755)

    def problems() -> list[str]:
        done = subprocess.run(
            ["bash", INSTALL, "--dry-run", "--root", board],
            env={**os.environ, "PATH": f"{df.parent}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=True,
        )
        return re.findall("would stop here: (.*)", done.stdout)

    (problem,) = problems()
    assert "12000 MB of disk are needed and 3000 MB are free" in problem
    # The mark that scripts/setup --voice leaves (its tests see to the name).
    assert '"$VENV/.ready-$kind"' in (ROOT / "scripts/setup").read_text()
    write(board / "opt/companion/.venv/.ready-voice", "1 2\n")
    assert problems() == []


@pytest.mark.parametrize(
    "arguments", [["--frobnicate"], ["--purge"], ["--root"], ["--root="], ["--root", "/"]]
)
def test_wrong_usage_changes_nothing(arguments: list[str]) -> None:
    result = install(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


# ---- what is done


def test_files_get_their_places_and_modes(board: Path) -> None:
    printed("--root", board)
    opt, etc = board / "opt/companion", board / "etc"
    assert mode(opt) == 0o755
    for name in ("companion/cli/app.py", "config.yaml", "models/manifest.yaml", "SECURITY.md"):
        assert (opt / name).read_bytes() == (ROOT / name).read_bytes()
        assert mode(opt / name) == 0o644
    assert mode(opt / "scripts/setup") == 0o755
    assert not list(opt.rglob("__pycache__"))
    unit = etc / "systemd/system/companion.service"
    assert unit.read_bytes() == (ROOT / "systemd/companion.service").read_bytes()
    assert mode(unit) == mode(etc / "sysusers.d/companion.conf") == 0o644
    assert mode(etc / "companion/config.yaml") == 0o644
    assert mode(board / "usr/local/bin/companion") == 0o755
    assert mode(board / "var/lib/companion") == 0o700
    everything = tree(board).items()
    assert [name for name, (bits, _) in everything if bits & 0o022] == [], "others may write"


def test_the_key_is_one_that_the_store_takes_and_nobody_else_reads(board: Path) -> None:
    printed("--root", board)
    file = board / "etc/companion/companion-key"
    assert mode(file) == 0o600
    assert key.load(board / "nowhere", file, database_exists=True) == file.read_text()
    assert file.read_text() not in printed("--dry-run", "--root", board)


def test_no_two_boards_have_the_same_key(board: Path, tmp_path: Path) -> None:
    printed("--root", board)
    printed("--root", tmp_path / "other")
    file = "etc/companion/companion-key"
    assert (board / file).read_text() != (tmp_path / "other" / file).read_text()


def test_a_second_run_changes_nothing(board: Path) -> None:
    printed("--root", board)
    before = tree(board)
    printed("--root", board)
    assert tree(board) == before


def test_an_update_keeps_what_is_the_owners_and_drops_what_is_gone(board: Path) -> None:
    printed("--root", board)
    own = write(board / "etc/companion/config.yaml", "profile: tiny\n")
    made = write(board / "opt/companion/.venv/bin/python", "")
    old = write(board / "opt/companion/companion/gone.py", "")
    network = write(board / "etc/systemd/system/companion.service.d/network.conf", "[Service]\n")
    secret = (board / "etc/companion/companion-key").read_text()
    printed("--root", board)
    assert own.read_text() == "profile: tiny\n"
    assert made.exists()
    assert network.exists()
    assert not old.exists()
    assert (board / "etc/companion/companion-key").read_text() == secret


def test_a_cut_run_goes_on(board: Path) -> None:
    """Cut while the program was copied and the key was written."""
    printed("--root", board)
    whole = tree(board)
    shutil.rmtree(board / "opt/companion/companion")
    (board / "etc/systemd/system/companion.service").unlink()
    (board / "etc/companion/companion-key").rename(board / "etc/companion/companion-key.new")
    printed("--root", board)
    assert tree(board).keys() == whole.keys()
    assert len((board / "etc/companion/companion-key").read_text()) == 64


def test_memories_without_their_key_get_no_other_key(board: Path) -> None:
    write(board / "var/lib/companion/store.db", "encrypted")
    output = printed("--root", board)
    assert "holds memories and their key" in output
    assert not (board / "etc/companion/companion-key").exists()


def test_uninstalling_keeps_memories_key_and_configuration(board: Path) -> None:
    before = set(tree(board))
    printed("--root", board)
    memories = write(board / "var/lib/companion/store.db", "encrypted")
    weights = write(board / "var/cache/companion/models/x/model.gguf", "GGUF")
    secret = (board / "etc/companion/companion-key").read_text()
    for _ in range(2):
        assert "Kept: memories" in printed("--uninstall", "--root", board)
        assert memories.read_text() == "encrypted"
        assert (board / "etc/companion/companion-key").read_text() == secret
        assert not weights.exists()
    left = {name for name in tree(board) if (board / name).is_file()} - before
    assert left == {
        "etc/companion/companion-key",
        "etc/companion/config.yaml",
        "etc/sysusers.d/companion-web.conf",
        "etc/sysusers.d/companion.conf",
        "var/lib/companion/store.db",
    }


def test_purging_leaves_no_trace(board: Path) -> None:
    files = {name for name in tree(board) if (board / name).is_file()}
    printed("--root", board)
    write(board / "var/lib/companion/store.db", "encrypted")
    write(board / "etc/systemd/system/companion.service.d/network.conf", "[Service]\n")
    printed("--uninstall", "--purge", "--root", board)
    assert {name for name in tree(board) if (board / name).is_file()} == files


def test_a_dry_run_of_uninstalling_removes_nothing(board: Path) -> None:
    printed("--root", board)
    before = tree(board)
    output = printed("--uninstall", "--purge", "--dry-run", "--root", board)
    assert f"rm -rf {board}/etc/companion {board}/var/lib/companion" in output
    assert tree(board) == before


# ---- the command on the device


def test_the_command_asks_for_rights_instead_of_making_a_second_store(tmp_path: Path) -> None:
    write(tmp_path / "id", "#!/bin/sh\necho 1000\n").chmod(0o755)
    result = subprocess.run(
        [ROOT / "systemd/companion", "memories", "list"],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr == (
        "companion: the memories belong to the service; use: sudo companion memories list\n"
    )


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("script", ["scripts/install-jetson", "systemd/companion"])
def test_shellcheck_finds_nothing(script: str) -> None:
    result = subprocess.run(["shellcheck", ROOT / script], capture_output=True, text=True)
    assert result.stdout == ""
