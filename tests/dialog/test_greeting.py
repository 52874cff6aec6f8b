"""Who is greeted how, and what is learnt of the person."""

from __future__ import annotations

from pathlib import Path

from companion.config import DialogSection
from companion.language.en.second_person import in_second_person
from companion.store import profile
from tests.dialog.asking import (
    AGE,
    GENDER,
    GREETS,
    HELLO,
    NAME,
    REMARKS,
    about_the_person,
    known,
    replies,
)
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel


async def test_name_then_age_then_gender_are_learnt_with_their_source(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        said = await replies(
            talk, "Hello", "I'm Mia", *REMARKS[:2], "seven", *REMARKS[2:4], "a girl", "It is late"
        )
        assert await known(talk) == ("Mia", 7, "female")
        versions = await talk.store.read(profile.versions)
    asked = {0: HELLO, 1: "Nice to meet you, Mia!", 3: f"I see. {AGE}", 6: f"I see. {GENDER}"}
    asked |= {4: "7 is a good age to be.", 7: "Good to know, thank you for telling me!"}
    assert said == [asked.get(at, "I see.") for at in range(9)]
    sources = [(v.item, v.source.turn, v.source.quote) for v in versions.core if v.source]
    assert sources == [("name", 2, "I'm Mia"), ("age", 5, "seven"), ("gender", 8, "a girl")]


async def test_who_is_not_known_is_greeted_without_a_model(tmp_path: Path) -> None:
    async with talking(tmp_path, persona=GREETS) as talk:
        result = await talk.say("hi Pip!")
        assert (result.by, result.evaluated_tokens, result.text) == ("greeting", 0, HELLO)
        await talk.say("Mia")
        await talk.dialog.close()
        assert (await talk.say("hi Pip!")).by == "model"


async def test_who_says_their_name_and_no_more_is_met_without_a_model(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        await talk.say("hi")
        met = await talk.say("im mia")
        assert (met.by, met.text) == ("greeting", "Nice to meet you, Mia!")
        assert (await talk.say("i'm six and my tooth fell out today")).by == "model"


async def test_a_yes_to_an_offer_is_no_lull(tmp_path: Path) -> None:
    model = ScriptedModel(["Would you like a story?", "Once there was a bear."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await replies(talk, "I like bears", "yes"))[-1] == "Once there was a bear."
        assert (await replies(talk, "it is big"))[-1] == f"Once there was a bear. {NAME}"


async def test_a_name_that_nobody_gave_is_not_taken(tmp_path: Path) -> None:
    async with talking(tmp_path, persona=GREETS) as talk:
        await talk.say("Hi Pip, I am hungry")
        assert await known(talk) == (None, None, None)


async def test_what_is_learnt_leaves_the_head_alone_until_the_window_has_moved_on(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["Aha."])
    section = DialogSection(window_messages=2, window_slack=4)
    async with talking(tmp_path, model, persona=GREETS, section=section) as talk:
        await replies(talk, "I'm Mia", *REMARKS[:3])
        first, *_, last = model.calls
        assert last[: len(first)] == first
        await replies(talk, *REMARKS)
    assert "Name: Mia" in about_the_person(model.calls[-1])
    assert not any("I'm Mia" in message.text for message in model.calls[-1])


async def test_the_next_session_knows_what_was_learnt(tmp_path: Path) -> None:
    model = ScriptedModel(["Aha."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("I'm Mia")
        await talk.dialog.close()
        await talk.say("It is windy")
    assert "Name: Mia" in about_the_person(model.calls[-1])


async def test_an_answer_may_come_a_turn_late(tmp_path: Path) -> None:
    model = ScriptedModel(["Aha.", "Aha.", "Aha.", "Aha.", "Oh no! Does it hurt?"])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        said = await replies(talk, "I'm Mia and I'm seven", *REMARKS[:2])
        assert [GENDER in each for each in said] == [True, False, False]
        await talk.say("a girl")
        assert await known(talk) == ("Mia", 7, "female")


async def test_nothing_is_taken_from_a_stopped_turn_when_a_session_is_resumed(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, persona=GREETS) as talk:
        await talk.say("I'm Mia and I want to die")
        clock = talk.clock
    async with talking(tmp_path, persona=GREETS, clock=clock) as talk:
        said = await replies(talk, *REMARKS * 2)
        assert any("your name" in each for each in said)


async def test_the_companion_is_never_the_person(tmp_path: Path) -> None:
    model = ScriptedModel(
        ["I'm Mia and I'm seven.", "Yes, I’m a girl, and my name is Mia!", "I'm Pip."]
    )
    async with talking(tmp_path, model, persona=GREETS) as talk:
        first = (await talk.say("It is very sunny here today, I'm Mia and I'm seven")).text
        assert first == "You're Mia and you're seven."
        assert (
            await talk.say("a girl, and I like to hop")
        ).text == "Yes, you're a girl, and your name is Mia!"
        assert (await talk.say("And who are you?")).text == "I'm Pip."


def test_a_sentence_is_turned_to_the_second_person() -> None:
    turned = {
        "I'm seven.": "You're seven.",
        "My name is Mia and I was at home by myself.": "Your name is Mia and you were at home by "
        "yourself.",
        "Iris gave me mine, I think.": "Iris gave you yours, you think.",
        "AM I I'M?": "Are you you're?",
    }
    assert {each: in_second_person(each) for each in turned} == turned


async def test_the_first_turns_of_a_life_cost_what_all_others_do(tmp_path: Path) -> None:
    """Words, and a few tokens more: also of what is read again while nobody waits, because what is
    learnt leaves the prompt's beginning as it was."""
    model = ScriptedModel(["I see."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.dialog.warm()
        for words in (
            "Hello",
            "I'm Mia",
            "It is windy",
            "It is red",
            "seven",
            "Aha",
            "It is windy",
            "a girl",
        ):
            result = await talk.say(words)
            assert result.evaluated_tokens <= len(words.split()) + 16
            await talk.dialog.warm()
            assert model.warming_cost[-1] <= len(result.text.split()) + len(words.split()) + 16
        assert await known(talk) == ("Mia", 7, "female")
