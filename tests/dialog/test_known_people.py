"""A reply names nobody whom nobody has spoken of."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import language
from companion.dialog import notes_prompt, persona, replies
from companion.dialog.known_people import KnownPeople, told
from companion.dialog.window import Exchange
from companion.records import Profile
from tests.dialog.talk import talking
from tests.dialog.test_claims import text
from tests.fakes import ScriptedModel


def misnames(sentence: str, said: str = "", *, pretends: bool = False) -> bool:
    return KnownPeople(lambda: said, pretends=pretends).misnames(sentence)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Your cousin Theo's beans are the tallest.", "whose beans are the tallest"),
        ("Theo bakes a good cake.", "who bakes"),
        ("Theo’s beans are the tallest.", "whose beans are the tallest"),
        ("That is lovely, Sam!", "my tooth is out"),
        ("Your friend Mia can help you.", "i have a friend"),
        ("Is your dog called Rex?", "i have a dog"),
    ],
)
def test_nobody_has_spoken_of_them(sentence: str, said: str) -> None:
    assert misnames(sentence, said)


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Your cousin Theo's beans are the tallest.", "theo is my cousin, he has beans"),
        ("Sam sounds fun!", "sam pushed me"),
        ("Your friend Mia can help you.", "Mia is coming"),
        ("Your mum may know it.", ""),
        ("Jupiter is the biggest planet.", "which planet is big"),
        ("The samosa was bobbing.", "gobble"),
        ("It is called Big Ben.", "what is the clock in london called"),
        ("Your teacher, is she nice?", "i have a teacher"),
    ],
)
def test_they_are_known_or_nobody_is_named(sentence: str, said: str) -> None:
    assert not misnames(sentence, said)


def test_each_prompt_has_examples_of_its_own() -> None:
    apart = KnownPeople(lambda: "where is my snake", read_apart=lambda: True)
    assert apart.misnames("Noodle is in the laundry.")
    assert not apart.misnames("Theo bakes a good cake.")


def test_in_play_the_person_may_be_given_a_crew_but_nobody_of_the_examples() -> None:
    assert not misnames("Your parrot Skully is hungry!", "i am a pirate", pretends=True)
    assert misnames("Captain Theo is at the wheel!", "i am a pirate", pretends=True)


def test_names_come_from_the_talk_its_notes_and_the_profile() -> None:
    turns = (Exchange(1, "i like Ada", "Ada is nice.", "Monday: They: Bea is my aunt"),)
    text = told("and Cy", turns, Profile(name="Dot"), "Tuesday: They: Eli came")
    assert {"ada", "bea", "cy", "dot", "eli"} <= language.words.stems(text)


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        (
            [*persona.READING, *persona.MANNERS, (persona.CHANGE, persona.CHANGED)],
            persona.EXAMPLE_NAMES,
        ),
        (
            [(*notes, asked, answer) for notes, asked, answer in notes_prompt._EXAMPLES],
            notes_prompt.EXAMPLE_NAMES,
        ),
    ],
)
def test_every_name_of_the_examples_is_listed(
    texts: list[tuple[str, ...]], names: tuple[str, ...]
) -> None:
    no_names = {"march", "try", "cousin", "last", "dad", "aunt", "may"}
    no_names |= {language.words.stem(day) for day in ("Thursday", "Friday", "Saturday")}
    found = language.words.names(" ".join(" ".join(each) for each in texts)) - no_names
    assert found <= {language.words.stem(name) for name in names}


async def test_an_honest_sentence_takes_the_place_of_an_invented_person(tmp_path: Path) -> None:
    model = ScriptedModel(["Your cousin Theo's beans are the tallest. He is a good gardener."])
    async with talking(tmp_path, model) as talk:
        result = await talk.say("whose beans are the tallest")
    assert result.text == replies.NOT_SURE


def test_a_first_clause_is_not_spoken_either() -> None:
    reply = "Theo is the tallest of them all, and he has the best beans. He is nice."
    assert text("who is the tallest", reply) == ""
    assert text("theo is tall, who is the tallest", reply) == reply
