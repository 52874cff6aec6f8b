"""Characters: those that are shipped, and files of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.errors import InputError
from companion.evaluation.keywords import is_right
from companion.evaluation.simulation import by_words
from companion.evaluation.simulation.character import read, shipped
from companion.evaluation.simulation.generate import save
from tests.evaluation.simulation.world import PERSON


def test_five_people_are_shipped_each_rich_enough_to_be_asked_about() -> None:
    people = shipped()
    assert len(people) == 5
    assert len({person.slug for person in people}) == 5
    for person in people:
        about = {fact.about for fact in person.facts}
        assert {"family", "interests", "school", "dislikes", "wishes"} <= about
        assert {"inferred", "multi-hop", "aggregation"} == {q.type for q in person.questions}
        assert len(person.items()) >= 17
        assert person.events


def test_a_question_about_a_fact_does_not_give_it_away() -> None:
    for person in shipped():
        for fact in person.facts:
            assert by_words.answer_words(fact), f"{person.slug}: {fact.id}"
            assert not is_right(fact.ask, fact.words), f"{person.slug}: {fact.id}"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"age": "old"}, r"line 2: age: .*integer"),
        ({"hobby": "x"}, r"hobby: unknown key"),
        ({"topics": [{"name": "all", "facts": ["nothing"]}] * 2}, "a fact 'nothing' that is not"),
        ({"topics": [{"name": "all", "facts": ["kite"]}] * 2}, "is in no topic"),
        ({"name": "  "}, "line 1: name: "),
        (
            {"questions": [{**PERSON.questions[0].model_dump(), "id": "kite"}]},
            "two facts or questions have the id 'kite'",
        ),
        (
            {"questions": [PERSON.questions[0].model_dump()] * 2},
            "two facts or questions have the id 'two'",
        ),
    ],
)
def test_a_bad_character_is_named_with_file_and_line(
    tmp_path: Path, change: dict[str, Any], complaint: str
) -> None:
    path = tmp_path / "ana.yaml"
    path.write_text(yaml.safe_dump({**PERSON.model_dump(), **change}, sort_keys=False))
    with pytest.raises(InputError, match=complaint) as caught:
        read(path)
    assert "ana.yaml" in str(caught.value)


def test_a_saved_character_is_read_as_it_was(tmp_path: Path) -> None:
    for person in shipped():
        save(person, tmp_path / "one.yaml")
        assert read(tmp_path / "one.yaml") == person
