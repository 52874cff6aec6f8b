"""scripts/measure: lists, goes on after a cut, names what failed, compares with the page."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import figure_values
import measure
import pytest
import yaml
from measure import Figure, Value

PAGE = measure.ROOT / "docs" / "results.md"


def script(tmp_path: Path, **runs: str) -> Path:
    """A list of figures that are measured in no time."""
    file = tmp_path / "figures.yaml"
    rows = [
        {
            "name": name, "what": f"what {name} is", "run": run, "minutes": 2,
            "values": [["speed", "8", ">= 3"]],
        }
        for name, run in runs.items()
    ]  # fmt: skip
    file.write_text(yaml.safe_dump(rows))
    return file


def python(code: str) -> str:
    return f"python -c '{code}'"


def run(tmp_path: Path, figures: Path, *more: str) -> int:
    return measure.main([str(tmp_path / "out"), "--figures", str(figures), *more])


def test_a_figure_is_kept_and_stands_in_the_summary_beside_the_page(tmp_path: Path) -> None:
    figures = script(tmp_path, one=python("import json; print(json.dumps(dict(speed=4)))"))
    assert run(tmp_path, figures) == 0
    out = tmp_path / "out"
    assert json.loads((out / "one.json").read_text()) == {"speed": 4}
    assert "| one | speed | 4 | 8 | 0.50 | >= 3 | yes |" in (out / "summary.md").read_text()


@pytest.mark.parametrize("name", ["measured.json", "one.json"])
def test_what_a_power_cut_left_empty_is_measured_again(tmp_path: Path, name: str) -> None:
    figures = script(tmp_path, one=python("import json; print(json.dumps(dict(speed=4)))"))
    assert run(tmp_path, figures) == 0
    out = tmp_path / "out"
    (out / name).write_text("")
    assert run(tmp_path, figures) == 0
    assert json.loads((out / "one.json").read_text()) == {"speed": 4}
    assert json.loads((out / "measured.json").read_text())["one"]["command"]


def test_after_a_cut_it_goes_on_where_it_was(tmp_path: Path) -> None:
    count = python('open("COUNT", "a").write("x"); print("{}")').replace(
        "COUNT", str(tmp_path / "count")
    )
    figures = script(tmp_path, one=count)
    run(tmp_path, figures)
    run(tmp_path, figures)
    assert (tmp_path / "count").read_text() == "x"
    run(tmp_path, figures, "--again")
    assert (tmp_path / "count").read_text() == "xx"
    changed = script(tmp_path, one=count.replace('"{}"', '"[]"'))
    run(tmp_path, changed)
    assert (tmp_path / "count").read_text() == "xxx", "another command is another figure"


def test_what_fails_is_named_and_the_rest_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = script(tmp_path, bad=python("raise SystemExit(3)"), good=python('print("{}")'))
    assert run(tmp_path, figures) == 1
    assert "NOT measured: bad: exit code 3" in capsys.readouterr().err
    assert (tmp_path / "out" / "good.json").exists()
    assert not (tmp_path / "out" / "bad.json").exists()


def test_only_what_was_asked_for_is_listed_and_nothing_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure.main([str(tmp_path / "out"), "--dry-run", "--only", "turns-*,memory-tiny"]) == 0
    said = capsys.readouterr().out
    assert "bench turns --json --turns 100" in said
    assert "bench memory" in said
    assert "bench recall" not in said
    assert "4 figures, about" in said
    assert not (tmp_path / "out").exists()


def test_figures_without_their_data_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure.main([str(tmp_path / "out"), "--dry-run", "--only", "retrieval-*"]) == 0
    assert "left out: retrieval-paper needs data" in capsys.readouterr().err
    given = [str(tmp_path / "out"), "--dry-run", "--only", "retrieval-*", "--locomo", str(tmp_path)]
    assert measure.main(given) == 0
    assert f"eval retrieval {tmp_path}" in capsys.readouterr().out


def test_a_figure_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as refused:
        measure.main([str(tmp_path), "--only", "speed-of-light"])
    assert refused.value.code == 2


def test_what_the_list_says_of_the_page_stands_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for figure in measure.figures():
        for value in figure.values:
            assert value.written in page, f"{figure.name}, {value.path}"
        assert figure.name in page or not figure.values, f"{figure.name} is not on the page"


def test_values_are_found_by_key_and_place() -> None:
    document = {"sizes": {"1000": {"p50": 3}}, "rows": [{"x": 1}, {"x": 2}]}
    assert figure_values.find(document, "sizes.1000.p50") == 3
    assert figure_values.find(document, "rows.1.x") == 2
    assert figure_values.find(document, "rows.2.x") is None
    assert figure_values.find(document, "sizes.1000.p50.deeper") is None


def test_contracts_are_limits_either_way() -> None:
    assert figure_values.reached(20, "<= 20") == "yes"
    assert figure_values.reached(20.1, "<= 20") == "**no**"
    assert figure_values.reached(8, ">= 8") == "yes"
    assert figure_values.reached(None, ">= 8") == figure_values.reached(3, "") == ""


def test_values_are_compared_as_the_page_writes_them() -> None:
    assert figure_values.against(3000, "1,500") == "2.00"
    assert figure_values.against(0.023, "2.3%") == "1.00"
    assert figure_values.against(1, "") == figure_values.against(1, "many") == ""


def test_lines_of_the_voice_script_judge_themselves(tmp_path: Path) -> None:
    rows = [{"name": "coughs", "target": "10 of 10", "result": "9 of 10", "reached": False}]
    (tmp_path / "voice.json").write_text(json.dumps(rows))
    figure = Figure("voice", "", "python x", 1)
    assert "| voice | coughs | 9 of 10 |  |  | 10 of 10 | **no** |" in measure.summary(
        [figure], tmp_path
    )


def test_a_plot_is_asked_for_and_shown(tmp_path: Path) -> None:
    figure = Figure("one", "what it is", "python x", 1, (Value("speed"),), plot=True)
    command = figure.command({}, tmp_path)
    assert command == [sys.executable, "x", "--plot", str(tmp_path / "one.png")]
    (tmp_path / "one.png").touch()
    (tmp_path / "one.json").write_text("{}")
    assert "![what it is](one.png)" in measure.summary([figure], tmp_path)
