"""A written life on weekends, and what is still found of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.config import Config
from companion.evaluation.forgetting import lived, year
from companion.evaluation.lives import Life, read_life
from tests.fakes import HashEmbedder

SAID = (
    ("2026-03-02", "I have a big brother called Otto, he plays the drums.", "Drums!"),
    ("2026-03-03", "My swimming test is tomorrow and I hate the cold water.", "Good luck!"),
)


@pytest.fixture
def life(tmp_path: Path) -> Life:
    rows = []
    for day, words, reply in SAID:
        for role, text in (("user", words), ("assistant", reply)):
            rows.append({"user": "Hetty", "session": day, "time": f"{day}T16:00:00+00:00",
                         "role": role, "text": text})  # fmt: skip
    facts = [
        {"text": "Her brother is Otto.", "all_of": [["otto"]], "session": "2026-03-02",
         "status": "current", "lasting": True},
        {"text": "She has a swimming test.", "all_of": [["swimming test"]],
         "session": "2026-03-03", "status": "current"},
        {"text": "She has a boat.", "all_of": [["boat"]], "session": "2026-03-03",
         "status": "current"},
    ]  # fmt: skip
    talk, gold = tmp_path / "Hetty.jsonl", tmp_path / "Hetty_gold.json"
    talk.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    document = {"profile": {"name": "Hetty"}, "facts": facts, "questions": [
        {"question": "Who is Otto?", "answer": "Her brother.", "all_of": [["brother"]],
         "type": "fact"}]}  # fmt: skip
    gold.write_text(json.dumps(document), encoding="utf-8")
    return read_life(talk, gold)


async def test_a_life_is_told_on_weekends_and_forgotten_by_rule(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (lived, year):
        monkeypatch.setattr(module, "AFTER", (7, 30))
    monkeypatch.setattr(lived, "_WEEKS_OF_TALK", 1)
    result = await lived.run(Config(), [life], HashEmbedder(256), on_progress=lambda line: None)
    assert (result["lives"], result["never_kept"]) == (["Hetty"], 1)
    arms = {(arm["rule"], arm["comes_up"]): arm for arm in result["arms"]}
    assert len(arms) == 4
    assert arms["lifespan", False]["lasting"] == {"7": 1.0, "30": 1.0}
    assert arms["paper", False]["lasting"]["30"] == 0.0


def test_a_share_is_drawn_as_a_line() -> None:
    drawn = lived.curve({"7": 1.0, "365": 0.25}, width=4).splitlines()
    assert [line.count("█") for line in drawn] == [4, 1]
    assert drawn[1].endswith("25%")
