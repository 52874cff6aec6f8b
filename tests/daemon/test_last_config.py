"""A mistake in the configuration: the daemon names it, and lives on with the last good one."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import config
from companion.cli import main
from companion.cli.app import parser
from companion.cli.call import Call
from companion.cli.run import _config
from companion.clock import SystemClock
from companion.daemon import last_config
from tests.daemon.conftest import Home
from tests.daemon.test_daemon import NOTHING


@pytest.mark.real
def test_with_a_mistake_in_its_configuration_it_uses_the_last_good_one(tmp_path: Path) -> None:
    home, file = Home(tmp_path, NOTHING), tmp_path / "config.yaml"
    assert last_config.find(home.data_dir) is None
    last_config.keep(file, config.load(file, data_dir=home.data_dir))
    file.write_text(NOTHING + "persona: {naem: Momo}\n")
    assert main(["--config", str(file), "check-config"]) == 1
    with home.daemon() as daemon:
        daemon.wait_for("READY=1")
        missing = daemon.ask("status")["missing"]
        assert daemon.stop()[0] == 0
    (line,) = [line for line in missing if line.startswith(last_config.MISTAKEN)]
    assert f"{file}, line 5: persona.naem: unknown key" in line


def test_a_last_one_that_is_mistaken_itself_is_of_no_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = Home(tmp_path, "persona: {naem: Momo}\n"), tmp_path / "config.yaml"
    home.data_dir.mkdir()
    (home.data_dir / last_config.FILE).write_text("persona: {nmae: Momo}\n")
    words = ["--config", str(file), "--data-dir", str(home.data_dir), "run", "--in", "x.wav"]
    assert main(words) == 1
    assert f"{file}, line 1: persona.naem" in capsys.readouterr().err


def test_a_mistake_in_what_a_parent_has_set_makes_no_dead_toy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, file = Home(tmp_path, NOTHING), tmp_path / "config.yaml"
    home.data_dir.mkdir(exist_ok=True)
    (home.data_dir / "settings.yaml").write_text("safety: {guard: patterns}\n")
    words = ["--config", str(file), "--data-dir", str(home.data_dir)]
    assert main([*words, "check-config"]) == 1
    assert "settings.yaml, line 1: safety.guard: cannot be set" in capsys.readouterr().err
    call = Call(parser().parse_args([*words, "run"]), SystemClock())
    found, missing = _config(call)
    assert found.safety.guard == "full"
    (line,) = map(str, missing)
    assert line.startswith(last_config.MISTAKEN)
