"""Characters that a model makes up, checked by code."""

from __future__ import annotations

import json

import pytest

from companion.evaluation.simulation.asking import Parked
from companion.evaluation.simulation.generate import generate, keywords
from tests.evaluation.simulation.world import PERSON, asker

THEME = {
    "topic": "your paper boats",
    "facts": [
        {"text": "My biggest boat is called Otter.", "ask": "What is it called?", "answer": "Otter"}
    ]
    * 3,
}
CORE = {
    "name": "Bea Holm",
    "age": 9,
    "gender": "girl",
    "personality": "Patient, proud, and slow to trust people.",
    "manner": "Speaks in few words.",
    "myers_briggs": "ISTJ",
    "big_five": PERSON.big_five.model_dump(),
}


async def test_a_generated_character_is_checked_and_can_be_asked_about() -> None:
    replies = [
        json.dumps({**CORE, "name": "Ana Berg"}),
        "Sure! Here is a child.",
        *map(json.dumps, (CORE, THEME, THEME, THEME, THEME, {"what": "my diving lesson"})),
    ]
    model = asker(replies)
    bea = await generate(model, seed=1, taken=("Ana",))
    assert bea.first_name == "Bea", "a name that is taken is not"
    assert len(bea.facts) == 12
    assert bea.facts[0].words == [["otter"]]
    assert bea.events[0].words == [["diving"], ["lesson"]]
    assert model.spent.calls == 8


async def test_a_name_of_blanks_is_none() -> None:
    nobody = json.dumps({**CORE, "name": "   "})
    with pytest.raises(Parked, match="no usable answer in 3 tries"):
        await generate(asker([nobody]), seed=0, taken=())


async def test_a_model_that_makes_no_character_is_given_up() -> None:
    with pytest.raises(Parked, match="no usable answer in 3 tries"):
        await generate(asker(["no"]), seed=0, taken=())


def test_keywords_are_words_of_the_answer_that_the_text_has() -> None:
    assert keywords("My cat Tom is grey.", "it is Tom") == [["tom"]]
    assert keywords("My grandmother laughs.", "she is funny") == [["grandmother"], ["laughs"]]
