"""`eval extraction` over a written child: a real store and clock, a model that follows rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import config
from companion.assembly.models import Models
from companion.cli import main
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.extraction.gold import Child, read_children
from companion.evaluation.extraction.run import chosen, measure
from companion.evaluation.qa import days
from tests.consolidation.scribe import scribe
from tests.evaluation.children import ANA
from tests.fakes import HashEmbedder, ScriptedModel, with_labels


@pytest.fixture
def children(tmp_path: Path) -> list[Child]:
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "ana.yaml").write_text(ANA)
    return read_children(folder)


class Run:
    """Runs with the same folder and a fresh model each."""

    def __init__(self, children: list[Child], work_dir: Path) -> None:
        self.children = children
        self.work_dir = work_dir
        self.model = ScriptedModel(scribe)
        self.told: list[str] = []

    async def __call__(self, settings: Config | None = None) -> dict[str, Any]:
        self.model = ScriptedModel(scribe)
        self.told = []
        engines = Models(self.model, self.model, HashEmbedder(256))
        return await measure(
            settings or with_labels(config.load()),
            engines,
            self.children,
            self.work_dir,
            self.told.append,
        )


@pytest.fixture
def run(children: list[Child], tmp_path: Path) -> Run:
    return Run(children, tmp_path / "work")


async def test_figures_that_a_cut_left_half_written_end_no_run(run: Run) -> None:
    whole = await run()
    figures = run.work_dir / "Ana" / days.FIGURES
    lines = figures.read_bytes().splitlines(keepends=True)
    assert len(lines) > 1
    figures.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    again = await run()
    counts = [each["splits"]["dev"]["consolidation"]["sessions"] for each in (whole, again)]
    assert counts == [len(lines), len(lines) - 1]


def test_people_with_names_in_other_letters_have_folders_of_their_own() -> None:
    assert days.slug("Mia B.") == "Mia-B"
    assert len({days.slug(name) for name in ("Зоя", "Ира", "user")}) == 3


async def test_sessions_are_lived_on_their_days_and_what_is_left_is_compared(run: Run) -> None:
    document = await run()
    ana = document["children"]["Ana"]
    fox = next(each for each in ana["learnt"] if "fox" in each["text"])
    assert (fox["verdict"], fox["event_time"]) == ("right", "2026-10-04")
    assert fox["quotes"] == ["I saw a fox yesterday."]
    assert ana["missed"] == ["Her aunt sings."]
    assert ana["core"] == {"right": 3}
    assert ana["ended"] == {"stale": 1}  # nothing tells this model that Mimi is Momo
    marks = document["splits"]["dev"]
    assert (marks["facts"], marks["found"]) == (5, 4)
    figures = marks["consolidation"]
    assert figures["sessions"] == 2
    assert figures["tokens"]["generated"] > 0
    assert figures["tokens"]["evaluated"] > figures["tokens"]["generated"]


async def test_a_second_run_reads_nothing_again_and_finds_the_same(run: Run) -> None:
    first = await run()
    assert run.model.calls
    assert await run() == first
    assert not run.model.calls


async def test_a_folder_of_another_run_is_refused_with_the_difference(run: Run) -> None:
    await run()
    loaded = with_labels(config.load())
    other = loaded.model_copy(
        update={"consolidation": loaded.consolidation.model_copy(update={"facts_per_turn": 1})}
    )
    with pytest.raises(InputError, match="another consolidation"):
        await run(other)


def test_children_are_chosen_by_split_and_name(children: list[Child]) -> None:
    assert chosen(children, None, []) == chosen(children, "dev", ["Ana"]) == children
    with pytest.raises(InputError, match="no child 'Bo'; there are Ana"):
        chosen(children, None, ["Bo"])
    with pytest.raises(InputError, match="held-out"):
        chosen(children, "held-out", [])


def test_the_command_names_what_is_wrong_with_a_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ana.yaml").write_text(ANA.replace("split: dev", "split: test"))
    assert main(["eval", "extraction", str(tmp_path)]) == 1
    assert "ana.yaml, line 2: split" in capsys.readouterr().err


@pytest.mark.real
def test_the_command_shows_a_table(
    tmp_path: Path, llm_tiny_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ana.yaml").write_text(ANA)
    assert main(["--llm", str(llm_tiny_path), "eval", "extraction", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "  ana-1: 3 turns" in err
    assert [line.split()[:2] for line in out.splitlines() if " dev " in line] == [
        ["Ana", "dev"],
        ["all", "of"],
    ]
    assert "of 5" in out
    assert "Ana: 2 sessions, 5 turns to read" in err
