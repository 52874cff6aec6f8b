"""The page of lives: its tables hold what forms, grades and answers hold."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("lives_page", ROOT / "scripts" / "lives_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_life_has_its_talk_its_grades_and_every_memory(script: ModuleType) -> None:
    text = "\n".join(script.life("lachlan"))
    assert "../tests/strangers/lives/Lachlan.jsonl" in text
    key = json.loads((ROOT / "tests/memories/lachlan/form.key.json").read_text())
    assert text.count("| good / good |") + text.count("| wrong / wrong |") > 40
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) >= len(key["items"])


def test_answers_are_kept_without_what_was_recalled(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hetty").mkdir()
    monkeypatch.setattr(script, "MEMORIES", tmp_path)
    answer = {"question": "Who is Otto?", "answer": "A | b", "gold": "Her brother.",
              "type": "fact", "right": True, "recalled": ["x"]}  # fmt: skip
    document = tmp_path / "document.json"
    document.write_text(json.dumps({"questions": {"answers": [answer]}}), encoding="utf-8")
    script.keep_answers(f"hetty={document}")
    lines = list(script._answers(tmp_path / "hetty" / "answers.json"))
    assert lines[0] == "### Asked on the next day: 1 of 1 right\n"
    assert "| Who is Otto? | A \\| b | Her brother. | right |" in lines
    assert "recalled" not in (tmp_path / "hetty" / "answers.json").read_text()


def test_what_is_no_document_is_refused_in_one_line(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    assert script.main([str(tmp_path / "page.md"), "--answers", f"desmond={broken}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(broken) in line
