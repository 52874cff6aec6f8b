"""The form for readers: what they see, and what they must not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.errors import InputError
from companion.evaluation.memories.form import Key, Result, made, read_key, write_form

GOLD = [
    {"id": "f1", "text": "She has a parrot, Rio.", "status": "current", "lasting": True},
    {"id": "f2", "text": "She likes drums.", "status": "current", "lasting": False},
    {"id": "t1", "text": "The match is on Monday.", "status": "superseded", "lasting": False},
    {"id": "t2", "text": "She has a dragon.", "status": "pretend", "lasting": False},
]
AROUND = [
    {"turn": 1, "role": "user", "text": "hello"},
    {"turn": 1, "role": "assistant", "text": "Hello Ana!"},
    {"turn": 2, "role": "user", "text": "my parrot  is\ncalled Rio"},
    {"turn": 2, "role": "assistant", "text": "Lovely."},
]


def result(*texts: str, **other: Any) -> Result:
    """A variant that keeps these, as ids 1, 2, …"""
    memories = [
        {
            "id": number,
            "text": text,
            "event_time": "2026-10-09" if "match" in text else None,
            "sources": [{"session": "2026-10-05", "turn": 2, "quote": "Rio", "around": AROUND}],
        }
        for number, text in enumerate(texts, start=1)
    ]
    profile = {"name": "Ana", "age": None, "gender": None}
    whole = {"user": "Ana", "profile": profile, "memories": memories, "gold": GOLD, **other}
    return Result.model_validate(whole)


def of(key: Key, variant: str, memory: int | str) -> str:
    """The id in the form."""
    (id,) = (
        id
        for id, owners in key.items.items()
        if any((each.variant, each.memory) == (variant, memory) for each in owners)
    )
    return id


def test_a_memory_stands_with_its_words_and_the_talk_around_them() -> None:
    text, key = made({"old": result("The user's parrot is Rio.", "The match is soon.")})
    parrot, match = of(key, "old", 1), of(key, "old", 2)
    entry = text.partition(f"### {parrot}\n")[2].partition("###")[0]
    assert "> The user's parrot is Rio." in entry
    assert 'From Monday 2026-10-05, the words "Rio":' in entry
    assert "- toy: Hello Ana!\n- **person**: my parrot is called Rio\n- toy: Lovely." in entry
    assert "(day: 2026-10-09)" in text.partition(f"### {match}\n")[2].partition("###")[0]
    assert "> (profile) name Ana" in text
    assert "- f1: She has a parrot, Rio. (lasting)" in text
    assert "- t2: She has a dragon. (pretend)" in text


def test_readers_see_no_variant_and_no_order() -> None:
    texts = [f"The user likes the number {n}." for n in range(20)]
    text, key = made({"oldway": result(*texts[:10]), "newway": result(*texts[10:])})
    assert "way" not in text
    ids = re.findall(r"^### (\w{3})$", text, re.M)
    assert sorted(ids) == sorted(key.items)
    whose = [key.items[id][0].variant for id in ids]
    assert whose not in (sorted(whose), sorted(whose, reverse=True))
    assert made({"oldway": result(*texts[:10]), "newway": result(*texts[10:])}) == (text, key)


def test_what_two_variants_made_alike_is_read_once() -> None:
    text, key = made({"old": result("Same.", "Own."), "new": result("Same.")})
    assert text.count("> Same.") == 1
    assert of(key, "old", 1) == of(key, "new", 1)
    assert len(key.items) == 3, "with the profile"


def test_a_form_is_of_one_life() -> None:
    with pytest.raises(InputError, match="of one life"):
        made({"old": result("One."), "new": result("One.", user="Bo")})


def test_a_form_that_may_have_grades_is_not_written_over(tmp_path: Path) -> None:
    key = write_form(tmp_path / "form.md", {"this": result("One.")})
    assert read_key(key).variants == ["this"]
    with pytest.raises(InputError, match=r"form\.md: is there already"):
        write_form(tmp_path / "form.md", {"this": result("Two.")})


def test_the_commands_mix_variants_and_take_grades_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, texts in (("a", ["One.", "Two."]), ("b", ["Two.", "Three.", "Four."])):
        (tmp_path / f"{name}.json").write_text(result(*texts).model_dump_json())
    form, grades = tmp_path / "form.md", tmp_path / "anna.txt"
    variants = [f"{name}={tmp_path / name}.json" for name in "ab"]
    assert main(["eval", "form", str(form), *variants]) == 0
    key = tmp_path / "form.key.json"
    ids = read_key(key).items
    grades.write_text("\n".join(f"{id} good" for id in ids))
    assert main(["eval", "grades", str(form), str(key), str(grades), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["variants"]["b"]["memories"] == 3
    assert document["variants"]["b"]["shares"]["good"] == 1.0
    assert main(["eval", "grades", str(form), str(key), str(grades)]) == 0
    assert "100%" in capsys.readouterr().out
    form.write_text(form.read_text() + "!")
    assert main(["eval", "grades", str(form), str(key), str(grades)]) == 1
    assert "is not its key, or the form was changed" in capsys.readouterr().err
    assert main(["eval", "form", str(tmp_path / "x.md"), "nonsense"]) == 2
