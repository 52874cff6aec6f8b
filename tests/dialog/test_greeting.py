from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.config import DialogSection, PersonaSection
from companion.dialog.persona import CHANGE
from companion.dialog.replies import question
from companion.engines.protocols import ChatMessage
from companion.language.en.introduction import asks_for
from companion.language.en.second_person import in_second_person
from companion.records import Profile
from companion.store import profile
from tests.dialog.talk import Talk, talking
from tests.fakes import ScriptedModel

GREETS = PersonaSection()


def answer(reply: str, **values: object) -> str:
    return json.dumps({**values, "reply": reply})


async def known(talk: Talk) -> tuple[str | None, int | None, str | None]:
    current: Profile = await talk.store.read(profile.current)
    return current.name, current.age, current.gender


def about_the_person(messages: Sequence[ChatMessage]) -> str:
    """The message of the head that says who listens and how to answer."""
    return next(each.text for each in messages if each.text.startswith(CHANGE))


async def test_name_then_age_then_gender_are_learnt_with_their_source(tmp_path: Path) -> None:
    def script(messages: Sequence[ChatMessage]) -> str:
        reply = "That is lovely to hear."
        return answer(reply) if "JSON" in about_the_person(messages) else reply

    async with talking(tmp_path, ScriptedModel(script), persona=GREETS) as talk:
        said = [
            (await talk.say(words)).text
            for words in ("Hello", "I'm Mia", "seven", "a girl", "I like dogs")
        ]
        assert await known(talk) == ("Mia", 7, "female")
        versions = await talk.store.read(profile.versions)
    assert said == [
        "That is lovely to hear. What is your name?",
        "That is lovely to hear. How old are you?",
        "That is lovely to hear. Are you a boy or a girl?",
        "That is lovely to hear.",
        "That is lovely to hear.",
    ]
    sources = [(v.item, v.source.turn, v.source.quote) for v in versions.core if v.source]
    assert sources == [("name", 2, "I'm Mia"), ("age", 3, "seven"), ("gender", 4, "a girl")]


async def test_everything_said_at_once_is_never_asked_for(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Hello Mia. How old are you? What is your name?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        result = await talk.say("I'm Mia, I'm seven and I'm a girl")
        assert result.text == "Hello Mia."
        assert await known(talk) == ("Mia", 7, "female")


async def test_one_request_extracts_and_answers(tmp_path: Path) -> None:
    model = ScriptedModel(
        [answer("Hello. What is your name?", name=None), answer("Nice.", name="mo")]
    )
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("Hello")
        result = await talk.say("um mo i guess")
        assert len(model.calls) == 2
        assert result.text == "Nice. How old are you?"
        assert (await known(talk))[0] == "Mo"
    assert model.options[0].grammar is not None
    assert '\\"name\\"' in model.options[0].grammar


@pytest.mark.parametrize("age", ["07", r'"7\'s"', "7" * 5_000])
async def test_an_age_that_is_no_json_does_not_end_the_talk(tmp_path: Path, age: str) -> None:
    model = ScriptedModel([answer("Hello."), f'{{"age":{age},"reply":"I see."}}'])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("I'm Mia")
        assert (await talk.say("i guess i am like seven")).text.startswith("I see.")


@pytest.mark.parametrize("value", ["Pip", "Anna", "Hungry", "I"])
async def test_a_name_that_nobody_gave_is_not_taken(tmp_path: Path, value: str) -> None:
    model = ScriptedModel([answer("Hello.", name=value)])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("Hi Pip, I am hungry")
        assert await known(talk) == (None, None, None)


async def test_what_is_learnt_stays_in_the_prompt_after_the_window_has_moved_on(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("Aha.")])
    section = DialogSection(window_messages=2, window_slack=0)
    async with talking(tmp_path, model, persona=GREETS, section=section) as talk:
        await talk.say("I'm Mia")
        assert "Mia" not in about_the_person(model.calls[-1])
        for _ in range(4):
            await talk.say("Look at that")
    assert "Name: Mia" in about_the_person(model.calls[-1])
    assert not any("I'm Mia" in message.text for message in model.calls[-1])


async def test_an_answer_may_come_a_turn_late(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Aha."), answer("Oh no! Does it hurt?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("I'm Mia and I'm seven")
        await talk.say("I fell down")
        await talk.say("a girl")
        assert await known(talk) == ("Mia", 7, "female")


async def test_what_is_known_is_not_asked_for_after_the_greeting_either(tmp_path: Path) -> None:
    model = ScriptedModel(["What is your name? Great. It is sunny."])
    async with talking(tmp_path, model) as talk:
        assert (await talk.say("Hello")).text == "What is your name? Great."
        await talk.store.write(profile.note, "name", "Mia", None, talk.clock.wall())
        await talk.dialog.close()
        assert (await talk.say("Hello")).text == "Great. It is sunny."
        assert (await talk.say("Hello", keep=False)).text == "Great. It is sunny."


async def test_each_item_is_asked_once_a_session_and_in_two_sessions_at_most(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("I see.")])
    asked = []
    async with talking(tmp_path, model, persona=GREETS) as talk:
        for _ in range(2):
            asked += [(await talk.say("It rained a lot")).text.count("?") for _ in range(5)]
            await talk.dialog.close()
        clock = talk.clock
    async with talking(tmp_path, model, persona=GREETS, clock=clock) as talk:
        asked += [(await talk.say("It rained a lot")).text.count("?") for _ in range(5)]
    assert asked == [1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]


async def test_what_was_answered_meanwhile_is_not_asked_in_the_next_session(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        said = [
            (await talk.say(words)).text for words in ("Hello", "I'm Mia", "It rained", "It rained")
        ]
        assert said[-1] == "I see."
        await talk.dialog.close()
        again = [(await talk.say(words)).text for words in ("Hello", "It rained", "It rained")]
    assert again == ["I see. How old are you?", "I see. Are you a boy or a girl?", "I see."]


async def test_who_asks_something_is_asked_nothing_in_return_until_later(tmp_path: Path) -> None:
    model = ScriptedModel([answer("It is air.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        said = [
            (await talk.say(words)).text
            for words in ("What is wind?", "why does it blow", "Aha.", "I'm Mia. Who are you?")
        ]
        assert said == ["It is air.", "It is air.", "It is air. What is your name?", "It is air."]
        assert (await talk.say("Good.")).text == "It is air. How old are you?"


async def test_the_models_question_for_a_name_waits_too_but_is_better_than_silence(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(
        [answer("It is air. What is your name?"), answer("And what is your name?"), answer("Aha.")]
    )
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("What is wind?")).text == "It is air."
        assert (await talk.say("What is rain?")).text == "And what is your name?"
        assert (await talk.say("Mia")).text == "Aha. How old are you?"


async def test_a_question_of_the_models_is_put_off_once_also_around_a_question_of_the_child(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("Oh no! Does it hurt?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I fell down")).text == "Oh no! Does it hurt?"
        assert (await talk.say("Why did I fall?")).text == "Oh no! Does it hurt?"
        assert (await talk.say("Yes")).text == "Oh no! What is your name?"


async def test_who_would_rather_not_tell_is_not_asked_in_the_next_session_either(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("Hello")
        await talk.say("I don't want to tell you")
        await talk.dialog.close()
        assert (await talk.say("Hello again")).text == "I see. How old are you?"


async def test_nothing_is_taken_from_a_stopped_turn_when_a_session_is_resumed(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("I'm Mia and I want to die")
        clock = talk.clock
    async with talking(tmp_path, model, persona=GREETS, clock=clock) as talk:
        assert "your name" in (await talk.say("Hello")).text


async def test_a_reply_is_longer_than_wanted_only_by_the_question(tmp_path: Path) -> None:
    model = ScriptedModel([answer("One. Two. Three.")])
    section = DialogSection(sentences=1)
    async with talking(tmp_path, model, persona=GREETS, section=section) as talk:
        said = [(await talk.say(words)).text for words in ("Hm", "Why?", "Hm", "Hm", "Hm")]
    assert [text.removeprefix("One.").strip() for text in said] == [
        "What is your name?",
        "",
        "How old are you?",
        "Are you a boy or a girl?",
        "",
    ]


async def test_who_would_rather_not_tell_is_not_asked_again(tmp_path: Path) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert "name" in (await talk.say("Hello")).text
        assert "How old" in (await talk.say("I don't want to tell you")).text
        assert "boy or a girl" in (await talk.say("That's a secret")).text
        assert await known(talk) == (None, None, None)


async def test_a_question_for_what_is_known_is_dropped(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Great. What is your name? It is sunny.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia")).text == "Great. How old are you?"


async def test_the_companion_is_never_the_person(tmp_path: Path) -> None:
    replies = [answer("I'm Mia and I'm seven."), answer("Yes, I’m a girl, and my name is Mia!")]
    model = ScriptedModel([*replies, "I'm Pip."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        first = (await talk.say("I'm Mia and I'm seven")).text
        assert first == "You're Mia and you're seven. Are you a boy or a girl?"
        assert (await talk.say("a girl")).text == "Yes, you're a girl, and your name is Mia!"
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


async def test_the_models_own_question_is_not_doubled(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Hello! What should I call you? I hop.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("Hi")).text == "Hello! What should I call you?"


async def test_the_models_question_for_another_item_is_heard_once_and_ends_the_reply(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([answer("Hello! How old are you? How old are you? I hop.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("Hi")).text == "Hello! How old are you?"


async def test_what_is_known_is_not_asked_along_with_what_is_not(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Hello! What should I call you, and how old are you?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia")).text == "Hello! How old are you?"


async def test_another_question_goes_first_once(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Oh no! Does it hurt?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I fell down")).text == "Oh no! Does it hurt?"
        assert (await talk.say("Yes")).text == "Oh no! What is your name?"


async def test_the_offer_of_a_servant_is_no_question_to_wait_for(tmp_path: Path) -> None:
    model = ScriptedModel([answer("Hello! How can I help you today?")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("Hi")).text == "Hello! What is your name?"


async def test_a_plain_answer_from_a_server_without_grammars_is_spoken(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Hello there."]), persona=GREETS) as talk:
        assert (await talk.say("Hi")).text == "Hello there. What is your name?"


async def test_a_question_aside_greets_nobody(tmp_path: Path) -> None:
    model = ScriptedModel(["Hello there."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia", keep=False)).text == "Hello there."
        assert await known(talk) == (None, None, None)
    assert model.options[-1].grammar is None
    assert "JSON" not in about_the_person(model.calls[-1])


async def test_nobody_is_asked_when_the_owner_does_not_want_it(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Hello there."])) as talk:
        assert (await talk.say("I'm Mia")).text == "Hello there."
        assert await known(talk) == (None, None, None)


async def test_a_greeting_turn_costs_no_more_prompt_than_any_other(tmp_path: Path) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        for words in ("Hello", "I'm Mia", "seven", "a girl", "fine"):
            await talk.dialog.warm()
            result = await talk.say(words)
            assert result.evaluated_tokens <= len(words.split()) + 16


async def test_a_resumed_session_knows_what_it_asked(tmp_path: Path) -> None:
    model = ScriptedModel([answer("I see.")])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        await talk.say("Hello")
        clock = talk.clock
    async with talking(tmp_path, model, persona=GREETS, clock=clock) as talk:
        assert "How old" in (await talk.say("Mia")).text
        assert (await known(talk))[0] == "Mia"


def test_questions_are_known_when_they_are_heard() -> None:
    for item in ("name", "age", "gender"):
        assert asks_for(question(item, 7)) == asks_for(question(item, 30)) == {item}
    assert asks_for("I love your name!") == frozenset()
    assert asks_for("What is your teddy's name?") == frozenset()
    assert asks_for("Please tell me your name.") == {"name"}


def test_grown_ups_are_asked_as_grown_ups() -> None:
    assert question("gender", 40) != question("gender", 7) == question("gender", None)
