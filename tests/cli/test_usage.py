"""Exit codes and errors: one clear line, no traceback, no words of a child."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from companion import __version__
from companion.cli.app import main, parser
from companion.cli.sound import check_files
from tests.cli.conftest import Program

PROMISED = (
    "chat, ask X, consolidate, replay F, memories list, memories search X, memories show 1, "
    "memories keep 1, memories forget 1, profile, sessions, export F, erase --all, "
    "erase --session S, erase --turn S#1, erase --memory 1, key rotate, models fetch, "
    "models verify, models list, devices, status, pause, resume, sleep, wake, say X, run, doctor"
)


@pytest.mark.parametrize("words", PROMISED.split(", "))
def test_every_promised_command_is_known(words: str) -> None:
    options = ["--config", "c", "--data-dir", "d", "--profile", "p", "--now", "2026-01-01"]
    assert callable(parser().parse_args([*options, *words.split()]).run)


def test_the_version_is_told(program: Program) -> None:
    assert program.run("--version").stdout == f"companion {__version__}\n"


@pytest.mark.parametrize("command", ["fly", "voices", "memory", ""])
def test_a_command_that_is_not_there_is_wrong_usage(program: Program, command: str) -> None:
    done = program.run(*command.split())
    assert done.returncode == 2
    assert "usage: companion" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("erase",),
        ("erase", "--all", "--memory", "1"),
        ("erase", "--all"),
        ("erase", "--turn", "2026-10-05-1", "--yes"),
        ("erase", "--turn", "2026-10-05-1#99999999999999999999", "--yes"),
        ("memories", "show", "one"),
        ("memories", "search", "--limit", "0", "x"),
        ("models", "fetch", "qwen9"),
        ("memories", "search", "--limit", "99999999999999999999", "x"),
        ("--now", "noon", "sessions"),
        ("--now", "0001-01-01", "sessions"),
        ("--now", "9999-12-31", "sessions"),
        ("--data-dir", "", "sessions"),
        ("--dat", "x", "sessions"),
    ],
)
def test_wrong_usage_ends_with_two(program: Program, words: tuple[str, ...]) -> None:
    done = program.run(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("closed", "words", "code"),
    [("<&-", "erase --all", 2), (">&-", "sessions", 0), ("<&- >&- 2>&-", "sessions --json", 0)],
)
def test_a_stream_that_is_closed_is_no_defect(
    program: Program, closed: str, words: str, code: int
) -> None:
    command = shlex.join(program.arguments(*words.split()))
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True)
    assert done.returncode == code
    assert "defect" not in done.stderr


@pytest.mark.real
def test_a_model_in_the_home_of_nobody_is_named(program: Program) -> None:
    done = program.run("--llm", "~nobody-of-that-name/x.gguf", "ask", "Hello")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "~nobody-of-that-name/x.gguf: names the home of a user" in done.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "tts:\n  model: piper-en-us-jo\n",
            "line 2: tts.model: 'piper-en-us-jo': there is no such m",
        ),
        ("stt: {model: piper-en-us-joe}\n", "line 1: stt.model: "),
        (
            "profile: k\nprofiles:\n  k:\n    llm: {active: {model: qwen9}}\n",
            "line 4: llm.active.mo",
        ),
        ("voice:\n  wake_phrases: hey pip\n", "line 2: voice.wake_phrases: Input should be a list"),
        ("voice:\n  wake_phrases: ['']\n", "line 2: voice.wake_phrases.0: "),
    ],
)
def test_what_can_never_work_is_named_before_it_is_tried(
    tmp_path: Path, text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(text)
    assert main(["--config", str(config), "check-config"]) == 1
    said = capsys.readouterr().err
    assert f"{config}, {complaint}" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("export {}", 1),
        ("eval extraction {}", 1),
        ("eval grade --work-dir {}", 1),
        ("eval run --characters {}", 1),
    ],
)
def test_a_path_that_may_not_even_be_looked_at_is_named(
    tmp_path: Path, words: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in the home of somebody else; root may look there, but at no name as long as this."""
    program = Program(tmp_path / "config.yaml", tmp_path / "data")
    program.config.write_text("safety: {guard: patterns}\n")
    name = str(tmp_path / ("x" * 300))
    options = program.arguments(*words.replace("{}", name).split())[3:]
    assert main(options) == code
    said = capsys.readouterr().err
    assert name in said
    assert "defect" not in said
    check_files(Path(name), Path(name))  # Who opens them says what is wrong.


@pytest.mark.slow
def test_a_wrong_key_is_named_with_file_line_and_nearest_key(program: Program) -> None:
    program.config.write_text("persona:\n  naem: Pip\n")
    for words in (("check-config",), ("chat",), ("memories", "list")):
        done = program.run(*words)
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        for part in (str(program.config), "line 2", "persona.naem", "'name'"):
            assert part in done.stderr


@pytest.mark.slow
def test_a_good_configuration_is_shown_as_it_applies(program: Program) -> None:
    assert program.run("check-config").returncode == 0
    shown = program.json("check-config")
    assert shown["llm"]["active"]["model"] == "smollm2-135m"
    assert shown["data_dir"] == str(program.data_dir)


@pytest.mark.real
def test_a_missing_model_is_named_with_the_command_that_fetches_it(program: Program) -> None:
    program.config.write_text(f"models_dir: {program.data_dir.parent}\n")
    for words in (("chat",), ("ask", "hello"), ("consolidate",)):
        done = program.run(*words)
        assert done.returncode == 1
        assert ".gguf" in done.stderr
        assert "qwen2.5-1.5b" in done.stderr
        assert done.stderr.endswith("companion models fetch\n")
        assert done.stderr.count("\n") == 1


def test_an_altered_model_is_named_with_both_hashes(
    program: Program, llm_tiny_path: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "models" / llm_tiny_path.parent.name
    folder.mkdir(parents=True)
    (folder / llm_tiny_path.name).write_bytes(b"GGUF and then nothing of use")
    program.config.write_text(
        f"models_dir: {folder.parent}\nllm: {{active: {{model: {folder.name}}}}}"
    )
    done = program.run("chat")
    assert done.returncode == 1
    assert done.stderr.count("sha256") == 1
    assert llm_tiny_path.name in done.stderr
    assert (
        json.loads(program.run("models", "verify", folder.name, "--json").stdout)[0]["good"]
        is False
    )


@pytest.mark.slow
def test_a_defect_is_one_line_without_what_was_said(program: Program) -> None:
    program.data_dir.mkdir()
    (program.data_dir / "store.db").mkdir()
    done = program.run("sessions")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_reader_that_goes_away_is_no_error(program: Program) -> None:
    gone = subprocess.Popen(
        program.arguments("check-config", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert gone.stdout is not None
    gone.stdout.close()
    assert gone.stderr is not None
    assert gone.stderr.read() == b""
    assert gone.wait(30) == 0
    gone.stderr.close()


def test_output_is_utf8_whatever_the_locale(program: Program) -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    program.config.write_text("persona: {name: Zoë}\n", encoding="utf-8")
    done = subprocess.run(
        program.arguments("check-config", "--json"), capture_output=True, env=env, timeout=30
    )
    assert "Zoë" in done.stdout.decode("utf-8")


@pytest.mark.real
def test_the_doctor_names_what_is_well_and_what_is_not(program: Program) -> None:
    well = program.json("doctor", "--quick")
    assert {"config", "model smollm2-135m", "store"} <= {finding["name"] for finding in well}
    program.config.write_text(f"models_dir: {program.data_dir.parent}\n")
    ill = program.run("doctor", "--quick")
    assert ill.returncode == 1
    assert "qwen2.5-1.5b" in ill.stdout
    assert "companion models fetch minilm-int8" in ill.stdout


@pytest.mark.real
def test_models_are_listed_with_licence_and_presence(program: Program) -> None:
    rows = {row["name"]: row for row in program.json("models", "list")}
    assert rows["smollm2-135m"]["present"] is True
    assert rows["smollm2-135m"]["needed"] is True
    assert rows["qwen2.5-coder-0.5b"]["needed"] is False
    assert rows["smollm2-135m"]["licence"] == "Apache-2.0"
    assert program.run("models", "verify", "minilm-int8").stdout == "minilm-int8: good\n"
