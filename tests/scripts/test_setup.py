"""scripts/setup on machines that lack something: it says what, and how to get it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("bash", "cat", "grep", "uname", "cksum", "awk", "mkdir", "dirname", "tail", "flock", "rm")


class Machine:
    """A clone of the repository on a machine with few tools, and an empty home."""

    def __init__(self, directory: Path) -> None:
        self.clone = directory / "clone"
        self.bin = directory / "bin"
        self.home = directory / "home"
        self.bin.mkdir()
        shutil.copytree(ROOT / "scripts", self.clone / "scripts")
        shutil.copy(ROOT / "pyproject.toml", self.clone)
        for tool in TOOLS:
            found = shutil.which(tool)
            if found:
                (self.bin / tool).symlink_to(found)
        self.tool("df", "printf 'Filesystem\\n/dev/x 9 9 900000 9%% /\\n'")

    def tool(self, name: str, script: str) -> None:
        file = self.bin / name
        file.unlink(missing_ok=True)
        file.write_text(f"#!{shutil.which('bash')}\n{script}\n")
        file.chmod(0o755)

    def setup(self, *arguments: str) -> tuple[int, str]:
        """Exit code and what was said on stderr."""
        result = subprocess.run(
            ["bash", self.clone / "scripts" / "setup", *arguments],
            cwd="/",
            env={"PATH": str(self.bin), "HOME": str(self.home)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.returncode, result.stderr

    def calls(self, words: str) -> int:
        """How often the environment's programs were called with these words."""
        return (self.clone / "called").read_text().count(words)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_without_python(machine: Machine) -> None:
    code, said = machine.setup()
    assert code == 1
    assert "Python 3.10 or newer is needed. Get it with: sudo apt-get install python3" in said


def test_with_a_python_that_is_too_old(machine: Machine) -> None:
    machine.tool("python3", "exit 1")
    code, said = machine.setup()
    assert code == 1
    assert "Python 3.10 or newer is needed" in said


def test_without_the_venv_module(machine: Machine) -> None:
    machine.tool("python3", f'[[ $* == *ensurepip* ]] && exit 1; exec {sys.executable} "$@"')
    code, said = machine.setup()
    assert code == 1
    assert "has no venv module. Get it with: sudo apt-get install python3-venv" in said


def test_without_disk_space(machine: Machine) -> None:
    machine.tool("python3", f'exec {sys.executable} "$@"')
    machine.tool("df", "printf 'Filesystem\\n/dev/x 9 9 70 99%% /\\n'")
    code, said = machine.setup()
    assert code == 1
    assert "1500 MB of disk are needed and 70 MB are free" in said


def test_a_step_that_fails_shows_the_end_of_its_log(machine: Machine) -> None:
    machine.tool(
        "python3",
        f'[[ $* == "-m venv"* ]] && {{ echo "no room for a venv"; exit 1; }}; '
        f'exec {sys.executable} "$@"',
    )
    code, said = machine.setup()
    assert code == 1
    assert "no room for a venv" in said
    assert "failed; the whole log is in" in said


def test_an_unknown_option_is_wrong_usage(machine: Machine) -> None:
    code, said = machine.setup("--frobnicate")
    assert code == 2
    assert "unknown option --frobnicate" in said


@pytest.fixture
def installed(machine: Machine) -> Machine:
    """A machine whose environment is there: it notes in `asked` which extras are
    installed, and in `called` how its programs are called."""
    machine.tool("python3", f'exec {sys.executable} "$@"')
    venv = machine.clone / ".venv" / "bin"
    venv.mkdir(parents=True)
    python = venv / "python"
    python.write_text(
        f"#!{shutil.which('bash')}\n"
        f'printf "%s\\n" "$*" >>{machine.clone}/called\n'
        f'[[ $1 != */dependencies.py ]] || printf "%s\\n" "${{*:2}}" >>{machine.clone}/asked\n'
    )
    python.chmod(0o755)
    companion = venv / "companion"
    companion.write_text(
        f'#!{shutil.which("bash")}\nprintf "%s\\n" "$*" >>{machine.clone}/called\n'
    )
    companion.chmod(0o755)
    return machine


def extras(machine: Machine) -> list[str]:
    """The extras of every installation so far."""
    return (machine.clone / "asked").read_text().splitlines()


def test_an_environment_with_voice_serves_those_who_only_write(installed: Machine) -> None:
    assert installed.setup("--voice") == (
        0,
        "Installing the dependencies (some minutes on a slow line)\n",
    )
    assert installed.setup("--voice") == (0, "")
    assert installed.setup() == (0, "")
    assert extras(installed) == ["web voice"]


def test_an_environment_without_voice_gets_it_when_asked(installed: Machine) -> None:
    assert installed.setup()[0] == 0
    assert installed.setup("--voice")[0] == 0
    assert extras(installed) == ["web", "web voice"]


def test_an_environment_for_the_tests_serves_everybody(installed: Machine) -> None:
    for arguments in (("--dev",), ("--voice",), ()):
        assert installed.setup(*arguments)[0] == 0
    assert extras(installed) == ["web voice dev bench sentence-transformers"]


def test_an_environment_for_the_fast_tests_serves_only_them(installed: Machine) -> None:
    for arguments in (("--fast",), ("--fast",), ()):
        assert installed.setup(*arguments)[0] == 0
    assert extras(installed) == ["web voice dev bench", "web voice"]
    assert installed.calls("install_llama.py") == 1
    assert installed.calls("models fetch") == 1


def test_an_environment_for_the_tests_serves_the_fast_ones(installed: Machine) -> None:
    assert installed.setup("--dev")[0] == 0
    assert installed.setup("--fast") == (0, "")
    assert extras(installed) == ["web voice dev bench sentence-transformers"]


def test_voice_stays_when_the_dependencies_change(installed: Machine) -> None:
    assert installed.setup("--voice")[0] == 0
    with (installed.clone / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert installed.setup()[0] == 0
    assert installed.setup("--voice")[0] == 0
    assert extras(installed) == ["web voice", "web voice"]
