"""When a name, an age and a gender are asked for, and when not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.answering import Answer, Heard
from companion.config import DialogSection, PersonaSection
from companion.dialog.greeting import TURNS_AFTER_STOP, TURNS_BETWEEN
from companion.dialog.replies import question
from companion.language.en.introduction import asks_for
from companion.store import profile
from tests.dialog.asking import (
    AGE,
    GENDER,
    GREETS,
    NAME,
    REMARKS,
    known,
    replies,
)
from tests.dialog.talk import talking
from tests.fakes import ScriptedModel


async def test_a_first_remark_is_answered_before_anything_is_asked(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Dogs are fun."]), persona=GREETS) as talk:
        assert await replies(talk, "I have a dog") == [f"Dogs are fun. {NAME}"]


@pytest.mark.parametrize(
    "words",
    [
        "I want to hear a story",
        "what is wind",
        "Do you like rain?",
        "bye bye Pip",
        "I have to go now",
        "I'm a bit sad",
        "my rabbit died",
        "I hate you",
        "no",
        "No, I said a horse",
        "we saw a hedgehog in the garden and it went all round like a ball",
        "and then it ran away",
        "because he is mean",
        "she said...",
    ],
)
async def test_nobody_is_asked_in_return(tmp_path: Path, words: str) -> None:
    model = ScriptedModel(["Oh, I see."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert await replies(talk, words) == ["Oh, I see."]


async def test_a_question_of_the_models_goes_first_as_often_as_it_asks(tmp_path: Path) -> None:
    model = ScriptedModel([*["Oh! Is it big?"] * 3, "How nice."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert await replies(talk, *REMARKS[:4]) == ["Oh! Is it big?"] * 3 + [f"How nice. {NAME}"]


async def test_questions_stand_some_turns_apart_and_are_asked_once_in_a_talk(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        said = await replies(talk, *REMARKS * 3)
    asked = [at for at, each in enumerate(said) if "?" in each]
    assert asked == [0, TURNS_BETWEEN, 2 * TURNS_BETWEEN]
    assert [said[at].removeprefix("I see. ") for at in asked] == [NAME, AGE, GENDER]


async def test_after_a_stopped_turn_nothing_is_asked_for_a_while(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        await talk.say("I want to die")
        said = await replies(talk, *REMARKS * 2)
        assert [NAME in each for each in said].index(True) == TURNS_AFTER_STOP - 1
        await talk.say("I want to die")
        clock = talk.clock
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS, clock=clock) as talk:
        assert await replies(talk, *REMARKS[:2]) == ["I see.", "I see."]


async def test_what_is_told_of_health_is_not_met_with_a_question(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        result = await talk.say("I'm allergic to nuts")
        assert result.by == "health"
        assert not asks_for(result.text)


@pytest.mark.parametrize(
    ("ask", "expected"),
    [((), []), (("age",), [AGE]), (("gender", "name"), [NAME, GENDER])],
)
async def test_the_owner_says_what_is_asked_for(
    tmp_path: Path, ask: tuple[str, ...], expected: list[str]
) -> None:
    persona = PersonaSection.model_validate({"ask": ask})
    model = ScriptedModel(["I see. Are you a boy or a girl?", "I see."])
    async with talking(tmp_path, model, persona=persona) as talk:
        said = await replies(talk, "Why?", *REMARKS * 2)
        assert said[0] == "I see."
        assert [e.removeprefix("I see. ") for e in said if "?" in e] == expected
        await talk.say("I'm Mia and I'm seven and I'm a girl")
        assert await known(talk) == ("Mia", 7, "female")


async def test_a_reply_that_somebody_wrote_may_be_followed_by_the_question(tmp_path: Path) -> None:
    written = iter(
        [
            Answer(("Rain is fun.",), "skill:weather"),
            Answer(("Do you like rain?",), "repertoire"),
            Answer(("Rain is fun.",), "repertoire"),
        ]
    )

    class Written:
        async def answer(self, heard: Heard) -> Answer | None:
            return next(written)

    async with talking(tmp_path, persona=GREETS, answerers=(Written(),)) as talk:
        said = await replies(talk, *REMARKS[:3])
    assert said == ["Rain is fun.", "Do you like rain?", f"Rain is fun. {NAME}"]


async def test_everything_said_at_once_is_never_asked_for(tmp_path: Path) -> None:
    model = ScriptedModel(["Hello Mia. How old are you? What is your name?"])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        result = await talk.say(
            "Hello, I'm Mia, and guess what, I'm seven already and I'm a girl, too!"
        )
        assert result.text == "Hello Mia."
        assert await known(talk) == ("Mia", 7, "female")


async def test_what_is_known_is_not_asked_for_by_the_model_either(tmp_path: Path) -> None:
    model = ScriptedModel(["What is your name? Great. It is sunny."])
    async with talking(tmp_path, model) as talk:
        assert (await talk.say("Hello")).text == "What is your name? Great."
        await talk.store.write(profile.note, "name", "Mia", None, talk.clock.wall())
        await talk.dialog.close()
        assert (await talk.say("Hello")).text == "Great. It is sunny."
        assert (await talk.say("Hello", keep=False)).text == "Great. It is sunny."


async def test_each_item_is_asked_for_in_two_sessions_at_most(tmp_path: Path) -> None:
    model = ScriptedModel(["I see."])
    asked = []
    async with talking(tmp_path, model, persona=GREETS) as talk:
        for _ in range(2):
            asked.append(sum("?" in each for each in await replies(talk, *REMARKS * 2)))
            await talk.dialog.close()
        clock = talk.clock
    async with talking(tmp_path, model, persona=GREETS, clock=clock) as talk:
        asked.append(sum("?" in each for each in await replies(talk, *REMARKS * 2)))
    assert asked == [3, 3, 0]


async def test_what_was_answered_meanwhile_is_not_asked_in_the_next_session(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        await replies(talk, "Hello", "I'm Mia")
        await talk.dialog.close()
        assert (await replies(talk, "It rained"))[0] == f"I see. {AGE}"


async def test_the_models_question_for_a_name_waits_too_but_is_better_than_silence(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["It is air. What is your name?", "And what is your name?", "Aha."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("What is wind?")).text == "It is air."
        assert (await talk.say("What is rain?")).text == "And what is your name?"
        assert (await talk.say("Mia")).text == "Nice to meet you, Mia!"
        assert (await known(talk))[0] == "Mia"


async def test_who_would_rather_not_tell_is_not_asked_in_the_next_session_either(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        await replies(talk, "Hello", "I don't want to tell you")
        await talk.dialog.close()
        assert (await talk.say("Hello again")).text == f"I see. {AGE}"


async def test_a_reply_is_longer_than_wanted_only_by_the_question(tmp_path: Path) -> None:
    model = ScriptedModel(["One. Two. Three."])
    section = DialogSection(sentences=1)
    async with talking(tmp_path, model, persona=GREETS, section=section) as talk:
        assert await replies(talk, "It is windy", "Why?") == [f"One. {NAME}", "One."]


async def test_a_model_that_says_nothing_is_not_hidden_behind_a_question(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["..."]), persona=GREETS) as talk:
        assert "name" not in (await talk.say("It is windy")).text


async def test_who_would_rather_not_tell_is_not_asked_again(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        said = await replies(talk, "Hello", "I don't want to tell you", *REMARKS * 3)
        assert sum("your name" in each for each in said) == 1
        assert await known(talk) == (None, None, None)


async def test_a_question_for_what_is_known_is_dropped(tmp_path: Path) -> None:
    model = ScriptedModel(["Great. What is your name? It is sunny."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia and it is sunny here")).text == f"Great. It is sunny. {AGE}"


async def test_the_models_own_question_is_not_doubled_and_ends_the_reply(tmp_path: Path) -> None:
    for asks in ("What should I call you?", "How old are you?"):
        model = ScriptedModel([f"Hello! {asks} I hop."])
        async with talking(tmp_path / asks[:3], model, persona=GREETS) as talk:
            assert (await talk.say("It is windy")).text == f"Hello! {asks}"


async def test_what_is_known_is_not_asked_along_with_what_is_not(tmp_path: Path) -> None:
    model = ScriptedModel(["Hello! What should I call you, and how old are you?"])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia and it is sunny here")).text == f"Hello! {AGE}"


async def test_the_offer_of_a_servant_is_no_question_to_wait_for(tmp_path: Path) -> None:
    model = ScriptedModel(["Hello! How can I help you today?"])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("It is windy")).text == f"Hello! {NAME}"


async def test_a_question_aside_greets_nobody(tmp_path: Path) -> None:
    model = ScriptedModel(["Hello there."])
    async with talking(tmp_path, model, persona=GREETS) as talk:
        assert (await talk.say("I'm Mia", keep=False)).text == "Hello there."
        assert (await talk.say("Hi", keep=False)).text == "Hello there."
        assert await known(talk) == (None, None, None)


async def test_nobody_is_asked_when_the_owner_does_not_want_it(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Hello there."])) as talk:
        assert (await talk.say("I'm Mia and it is sunny here")).text == "Hello there."
        assert await known(talk) == (None, None, None)


async def test_a_resumed_session_knows_what_it_asked(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS) as talk:
        await talk.say("Hello")
        clock = talk.clock
    async with talking(tmp_path, ScriptedModel(["I see."]), persona=GREETS, clock=clock) as talk:
        said = await replies(talk, "Mia", *REMARKS[:2])
        assert said == ["Nice to meet you, Mia!", "I see.", f"I see. {AGE}"]
        assert (await known(talk))[0] == "Mia"


def test_questions_are_known_when_they_are_heard() -> None:
    for item in ("name", "age", "gender"):
        assert asks_for(question(item, 7)) == asks_for(question(item, 30)) == {item}
    assert asks_for("I love your name!") == frozenset()
    assert asks_for("What is your teddy's name?") == frozenset()
    assert asks_for("Please tell me your name.") == {"name"}


def test_grown_ups_are_asked_as_grown_ups() -> None:
    assert question("gender", 40) != question("gender", 7) == question("gender", None)
