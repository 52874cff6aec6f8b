"""`eval run` and `eval grade` at the command line: refusals and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.eval_run import show_run
from companion.evaluation.plots import common
from tests.evaluation.simulation.world import BRIEF, World


@pytest.mark.parametrize(
    ("words", "code", "complaint"),
    [
        (["grade", "--work-dir", "nowhere"], 1, "nowhere: holds no graded run"),
        (["run", "--characters", "nobody.yaml"], 1, "nobody.yaml: no such file"),
        (["run", "--judge", "http://#x", "--estimate"], 2, "names no host"),
    ],
)
def test_what_cannot_be_is_told_before_a_model_is_loaded(
    words: list[str], code: int, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", *words]) == code
    assert complaint in capsys.readouterr().err


async def test_the_tables_stand_beside_what_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = await World().run(tmp_path, BRIEF)
    agreement = {"agreement": {"coverage": {"n": 3, "same": 0.667, "kappa": 0.5}}}
    show_run({**document, **agreement})
    out = capsys.readouterr().out
    for expected in ("43.6 %", "2.6", "45.1 %", "11.0", "judge: judge here, GPT-5 there", "0.667"):
        assert expected in out
    common.draw("run", document, tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")
