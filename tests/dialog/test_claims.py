"""What the model claims of the toy is checked against what the toy can do before it is heard."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from companion import language
from companion.config import PersonaSection
from companion.dialog.abilities import ONLY_TALK, Abilities
from companion.dialog.greeting import Greeting
from companion.dialog.honest_replies import HONEST, TYPED, WITH_SKILL
from companion.dialog.honesty import Honesty
from companion.dialog.known_people import KnownPeople
from companion.dialog.persona import system_text
from companion.dialog.speech import Speech
from companion.language.types import CLAIM_KINDS, ClaimKind
from companion.records import Profile
from tests.dialog.talk import Notebook, note, talking
from tests.fakes import ScriptedModel

TALK = Path(__file__).resolve().parent.parent / "talk"


def honest(kind: ClaimKind, count: int = 0) -> str:
    return " ".join(HONEST[kind][count])


def heard(
    words: str,
    reply: str,
    *,
    abilities: Abilities = ONLY_TALK,
    before: Sequence[str] = (),
    limit: int = 2,
    aloud: bool = True,
    clauses: bool = True,
    honesty: Honesty | None = None,
    profile: Profile | None = None,
    asks: bool = False,
    pretends: bool = False,
) -> list[list[str]]:
    """What is handed over for each word of the model's reply, and at its end."""
    check = (honesty or Honesty("Pip", abilities)).check(words, before, aloud=aloud)
    greeting = Greeting("Pip", profile or Profile(), enabled=asks)
    greeting.add_user_message(words)
    people = KnownPeople(lambda: " ".join((words, *before)), pretends=pretends)
    speech = Speech(limit, "Pip", greeting, check, people, clauses=clauses)
    parts = []
    for piece in reply.split(" "):
        if not speech.done:
            parts.append(speech.feed(f"{piece} "))
    return [*parts, speech.finish(complete=True)]


def joined(parts: list[list[str]]) -> str:
    return " ".join(sentence for part in parts for sentence in part)


def text(words: str, reply: str, **options: Any) -> str:
    """What is said in all."""
    return joined(heard(words, reply, **options))


@pytest.mark.parametrize(
    ("kind", "said", "reply"),
    [
        ("timer", "can you set a timer for two minutes", "Sure! I'll set a timer."),
        ("sees", "can you see my drawing its a horse", "Yes, I can see it. It looks like a horse."),
        ("time", "what time is it", "It is currently 10:30 AM."),
        ("date", "what day is it today", "Today is Wednesday, March 11th."),
        ("calls", "phone my grandma please", "Okay, calling Grandma now."),
        ("fetches", "get me some water", "Of course! Here you go."),
        ("looks_up", "is the shop open now", "The shop is open now."),
        ("sings", "sing me a song", "Sure! Here's a song: la la la."),
        ("moves", "come to my party on saturday", "I would love to come!"),
        ("device", "turn off the light please", "Done!"),
        ("human", "what did you do at school today", "I played with my friends. It was fun."),
        ("hears", "can you hear my dog barking", "Yes, he is loud!"),
        ("remembers", "do you remember what i told you", "It was about a den."),
        ("does", "can you vacuum the carpet", "Sure, no problem!"),
    ],
)
def test_a_false_answer_to_a_request_is_replaced(kind: ClaimKind, said: str, reply: str) -> None:
    assert text(said, reply) == honest(kind)


@pytest.mark.parametrize(
    ("kind", "reply"),
    [
        ("human", "I love playing with my toys."),
        ("calls", "I will tell your mum."),
        ("human", "I am a boy."),
        ("moves", "I'll be right there!"),
        ("timer", "I'll remind you tomorrow."),
        ("looks_up", "I just checked."),
        ("fetches", "Would you like me to buy you one?"),
        ("remembers", "I remember when we baked a cake."),
    ],
)
def test_a_false_claim_nobody_asked_for_is_replaced_too(kind: ClaimKind, reply: str) -> None:
    assert text("i like rain", f"That sounds nice. {reply}") == f"That sounds nice. {honest(kind)}"


@pytest.mark.parametrize(
    "agreement", ["Sure!", "Okay, I will!", "Yes, I can.", "Of course, Tomas!"]
)
def test_a_bare_agreement_to_what_it_cannot_do_is_a_false_claim(agreement: str) -> None:
    assert text("can you wake me up tomorrow at six", agreement) == honest("timer")
    assert text("can you tell me a riddle", agreement) == agreement


@pytest.mark.parametrize(
    ("said", "reply"),
    [
        ("can you see my drawing", "I can't see it, I am a toy. What did you draw?"),
        ("what time is it", "I don't know what time it is. Ask a grown-up!"),
        ("call my dad", "You could call him with a phone. Ask your mum."),
        ("get me some water", "I'm sorry, I can't do that. Maybe your mum can help."),
        ("give me a hug", "I wish I had arms. How about a story?"),
        ("are you a real boy", "No, I am not a real boy. I am a toy computer."),
        ("look i built a tower", "Wow! What is it made of?"),
    ],
)
def test_an_honest_answer_stays(said: str, reply: str) -> None:
    assert text(said, reply) == reply


def test_it_is_replaced_once_a_reply_and_further_false_sentences_are_dropped() -> None:
    reply = "I can see it. It is red! I'll call your dad. Do you like horses?"
    said = text("look at my drawing", reply, limit=6)
    assert said == f"{honest('sees')} Do you like horses?"
    said = text("hello", "I have a dog. Foxes are red. I went to school. Bye!", limit=6)
    assert said == f"{honest('human')} Foxes are red. Bye!"


def test_the_next_time_it_is_said_in_other_words() -> None:
    honesty = Honesty("Pip")
    said = [text("what time is it", "It's 3:15.", honesty=honesty) for _ in range(4)]
    assert said == [honest("time", count) for count in (0, 1, 2, 0)]


def test_a_first_clause_is_spoken_early_unless_the_child_asked_for_what_cannot_be_done() -> None:
    reply = "Sharks are old fish, and they have many teeth."
    parts = heard("tell me about sharks", reply)
    assert parts[4] == ["Sharks are old fish,"]
    assert [part for part in heard("show me a video of sharks", reply)[:-1] if part] == []


def test_no_claim_is_spoken_by_its_first_clause() -> None:
    parts = heard("i am cold", "I'll bring you a blanket, and then we talk.")
    assert joined(parts) == honest("fetches")
    parts = heard("um", "Yes of course, I can set an alarm.")
    assert joined(parts) == honest("timer")


def test_a_clause_that_waited_is_said_with_its_sentence() -> None:
    assert text("um", "Yes of course, sharks are fish.") == "Yes of course, sharks are fish."
    assert text("um", "Yes of course, 😊") == "Yes of course."


def test_a_claim_after_a_spoken_clause_is_replaced_and_a_condition_is_not_forgotten() -> None:
    said = text("i am sad", "Well my dear friend, I'll hold your hand.")
    assert said == f"Well my dear friend, {honest('moves')}"
    wish = "If only I could see, I'd look at your tower."
    assert text("i am sad", wish) == wish


def test_an_agreement_waits_for_the_sentence_that_shows_what_it_agrees_to() -> None:
    parts = heard("do it pip", "Sure! I'll bring you a cookie. Bye.")
    assert joined(parts) == honest("fetches")
    parts = heard("do it pip", "Sure! Here is one about a fox. Ready?")
    assert [part for part in parts if part] == [["Sure!", "Here is one about a fox."]]


def test_stories_and_games_are_not_about_the_toy() -> None:
    tale = "Once upon a time I had a dog. I went to school with my mum."
    assert text("tell me a story", tale) == tale
    pirate = "I am coming to your ship. I can see the sea!"
    assert text("climb up", pirate, before=["let's pretend you are a pirate"]) == pirate
    assert text("set a timer", "Sure!", before=["let's pretend you are a pirate"]) == honest(
        "timer"
    )


def test_what_it_can_do_is_no_false_claim() -> None:
    dated = Abilities(knows_day=True)
    assert text("what day is it", "It's Friday!", abilities=dated) == "It's Friday!"
    timers = Abilities(skills=frozenset({"timers"}))
    offer = "I can set timers for you."
    assert text("what can you do", offer, abilities=timers) == offer
    assert text("what can you do", offer) == honest("timer")


def test_where_a_skill_comes_near_it_is_offered() -> None:
    rhymes = Abilities(skills=frozenset({"rhymes"}))
    said = text("sing me a song", "Sure, I can sing!", abilities=rhymes)
    assert said == " ".join(WITH_SKILL["sings"])


def test_a_timer_that_only_the_model_set_is_not_set_even_with_the_skill() -> None:
    timers = Abilities(skills=frozenset({"timers"}))
    said = text("timer thing two minutes", "I have set a timer.", abilities=timers)
    assert said == " ".join(WITH_SKILL["timer"])


def test_typed_talk_has_other_words_for_not_hearing() -> None:
    said = text("can you hear my dog", "Yes!", aloud=False)
    assert said == " ".join(TYPED["hears"])


def test_the_childs_own_name_is_still_said_back_to_the_child() -> None:
    mia = Profile(name="Mia", age=7, gender="female")
    assert text("hi", "I'm Mia. I am a girl.", profile=mia) == "You're Mia. You are a girl."


def test_a_question_that_was_dropped_does_not_leave_silence() -> None:
    said = text("can you see me", "Sure! What is your name?", asks=True)
    assert said == honest("sees")


def test_once_it_has_said_that_it_cannot_the_rest_may_be_about_something_else() -> None:
    reply = "I don't know where your shoe is. Shoes are good at hiding."
    assert text("where is my other shoe", reply) == reply


@pytest.mark.parametrize("words", ["please ", "can you please just ", "i, ", "is my very "])
def test_a_long_message_is_read_in_no_time(words: str) -> None:
    began = time.perf_counter()
    language.claims.wants(words * (16_000 // len(words)))
    language.claims.of(words * (1000 // len(words)))
    assert time.perf_counter() - began < 0.5


async def test_a_whole_turn_stores_what_was_said(tmp_path: Path) -> None:
    async with talking(tmp_path, ScriptedModel(["Sure! I'll call her."])) as talk:
        result = await talk.say("call my grandma")
        (turn,) = await talk.turns()
    assert result.text == honest("calls")
    assert turn.reply is not None
    assert turn.reply.text == result.text


async def test_the_honest_sentences_come_one_by_one_and_the_model_is_stopped(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(["I can see it. It is a horse. " + "More words. " * 40])
    async with talking(tmp_path, model) as talk, aclosing(talk.dialog.reply("look")) as reply:
        assert [sentence async for sentence in reply] == list(HONEST["sees"][0])
    assert reply.result.generated_tokens <= 5


async def test_it_may_remember_what_was_recalled(tmp_path: Path) -> None:
    reply = "I remember when you baked a cake."
    for recall, said in (
        (Notebook([note("They: I baked a cake")]), reply),
        (Notebook(), honest("remembers")),
    ):
        folder = tmp_path / str(len(recall.results[0].items))
        folder.mkdir()
        async with talking(folder, ScriptedModel([reply]), recall=recall) as talk:
            assert (await talk.say("guess what")).text == said


def test_what_it_can_do_stands_in_the_head_and_depends_on_skills_alone() -> None:
    plain = system_text(PersonaSection(), sentences=2)
    able = Abilities(skills=frozenset({"stories", "timers"}), knows_day=True, voice=False)
    with_skills = system_text(PersonaSection(), sentences=2, abilities=able)
    assert "set timers and tell stories" in with_skills
    assert "set timers" not in plain
    assert system_text(PersonaSection(), sentences=2, abilities=Abilities(voice=False)) == plain


def test_no_honest_sentence_is_a_false_claim_itself() -> None:
    assert set(HONEST) == set(CLAIM_KINDS)
    for variants in HONEST.values():
        for sentence in (each for said in variants for each in said):
            assert language.claims.of(sentence) is None, sentence


def test_few_true_sentences_are_touched() -> None:
    lines = (TALK / "true_sentences.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 200
    touched = [line for line in lines if language.claims.of(line) is not None]
    assert len(touched) <= 0.02 * len(lines), touched


def test_false_sentences_are_found_without_a_request() -> None:
    lines = (TALK / "false_sentences.txt").read_text(encoding="utf-8").splitlines()
    missed = [line for line in lines if language.claims.of(line) is None]
    assert len(missed) <= 0.05 * len(lines), missed


def test_requests_are_known_by_their_words() -> None:
    lines = (TALK / "requests_own.jsonl").read_text(encoding="utf-8").splitlines()
    missed = [said for said in map(_said, lines) if language.claims.wants(said) is None]
    assert len(missed) <= 0.03 * len(lines), missed


def _said(line: str) -> str:
    said: str = json.loads(line)["said"].replace("pip", " ")
    return said


def test_a_note_read_out_as_the_toys_own_life_is_told_of_the_person() -> None:
    asked = "Do you remember me saying what I saw in the park?"
    said = "I saw a squirrel."
    recalling = Honesty("Pip").check(asked, [], noted=lambda: True)
    assert recalling.filter(said) == ["You saw a squirrel."]
    without_notes = Honesty("Pip").check(asked, [])
    assert without_notes.filter(said) != ["You saw a squirrel."]
    assert "I saw" not in " ".join(without_notes.filter(said))
