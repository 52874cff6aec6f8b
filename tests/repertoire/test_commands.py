"""`companion repertoire`: what authors are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.repertoire import packs

pytestmark = pytest.mark.real

OWN = """
theme: ferries
entries:
  - id: ferry-ride
    says: [we went on a ferry, i was on a ferry boat, the ferry was so big, are you alive]
    replies: ["Ship ahoy! 🚢", "You should kill yourself, said the gull."]
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["repertoire", *arguments])
    return code, capsys.readouterr().out


def test_a_pack_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ferries.yaml"
    file.write_text(OWN, encoding="utf-8")
    code, out = run(capsys, "check", str(file), "--json")
    found = json.loads(out)["findings"]
    assert code == 1
    assert {each["kind"] for each in found} == {"guard", "voice"}
    others = OWN.replace("are you alive", "are you really alive then")
    file.write_text(others, encoding="utf-8")
    _, out = run(capsys, "check", str(file), "--json")
    collisions = [each for each in json.loads(out)["findings"] if each["kind"] == "collision"]
    assert [each["text"] for each in collisions] == ["are you really alive then"]
    assert not collisions[0]["grave"]


def test_a_shipped_pack_has_nothing_to_change(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "check", str(packs.SHIPPED / "teeth.yaml"))
    assert code == 0
    assert "0 to change" in out or "nothing to change" in out


def test_a_pack_that_cannot_be_read_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none.yaml"
    assert main(["repertoire", "check", str(file)]) == 1
    told = capsys.readouterr().err
    assert told == f"companion: {file}: cannot be read: No such file or directory\n"


def test_words_are_tried(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "ask", "are you alive", "--json")
    assert code == 0
    assert json.loads(out)["answers"] is not None
    _, out = run(capsys, "ask", "yes", "--before", "Do you like whales?", "--json")
    assert json.loads(out)["answers"] is None
    assert json.loads(out)["stays_out"]
