"""What code tells of the user's words: which can hold a fact, play, name and age, kinds."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from companion.language.en import introduction
from companion.language.en.introduction import asks_for
from companion.language.en.kinds import kind_of
from companion.language.en.prefilter import question_to_user, telling
from companion.language.en.pretend_play import is_play
from companion.language.en.similarity import (
    covers,
    may_replace,
    same,
    same_but_denied,
    same_but_for_numbers,
)
from companion.language.en.words import content, stem
from companion.records import Message, Turn

NOW = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "said",
    [
        "Hello!",
        "Hi there, nice to meet you.",
        "Thank you for your advice, I will give it a try.",
        "Okay, those methods seem very practical. I will try them. I feel much better now.",
        "Do you like reading novels too? Any good recommendations?",
        "Can I eat the moon?",
        "Let's talk again tomorrow. Good night!",
        "What is your name?",
        "Tell me a story about a fox.",
        "Yes.",
        "The sky is blue and water is wet.",
        "I love you!",
        "I'll keep that in mind, thank you.",
        "We will try one of those recipes.",
        "...",
        "",
    ],
)
def test_talk_about_nothing_is_not_read(said: str) -> None:
    assert telling(said, "") == ""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Hello, my dog ate my sandwich. Do you like dogs?", "my dog ate my sandwich."),
        ("Grandma lives in Leeds", "Grandma lives in Leeds"),
        ("No, I don't like football any more", "I don't like football any more"),
        ("Do you know that I play chess?", "Do you know that I play chess?"),
        ("I love jazz, do you?", "I love jazz, do you?"),
        ("Recently I've been ill, can you help?", "Recently I've been ill, can you help?"),
        ("Thanks! We went to Spain. It was hot.", "We went to Spain. It was hot."),
        ("That sounds good but my work is hard.", "That sounds good but my work is hard."),
        (
            "I'll take my dog to the vet with my mum, look it is sick",
            "I'll take my dog to the vet with my mum, look it is sick",
        ),
        ("We'll look for Rex, he ran off with it.", "We'll look for Rex, he ran off with it."),
        ("Mam keeps the eggs.", "Mam keeps the eggs."),
        ("Papa plays the flute.", "Papa plays the flute."),
        ("It's called off. It's next Wednesday now.", "It's called off. It's next Wednesday now."),
        ("And he likes trains.", "And he likes trains."),
        ("guess what, then Ottilie fell in", "guess what, then Ottilie fell in"),
    ],
)
def test_what_tells_of_the_speaker_is_read(said: str, told: str) -> None:
    assert telling(said, "") == told


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("Nice! Do you have any pets?", "Do you have any pets?"),
        ("What is the book called?", "What is the book called?"),
        ("Would you like a story?", ""),
        ("Do you have any other questions?", ""),
        ("Is there anything else I can do for you?", ""),
        ("Is rain wet?", ""),
        ("You like cats.", ""),
        ("", ""),
    ],
)
def test_a_question_about_the_user_is_told_from_an_offer(reply: str, question: str) -> None:
    assert question_to_user(reply) == question


@pytest.mark.parametrize(
    ("question", "said", "told"),
    [
        ("What is your favourite colour?", "blue", "blue"),
        ("Do you have a pet?", "Yes!", "Yes!"),
        ("What do you like?", "Yes!", ""),
        ("", "blue", ""),
    ],
)
def test_a_short_answer_counts_where_it_was_asked_for(question: str, said: str, told: str) -> None:
    assert telling(said, question) == told


@pytest.mark.parametrize(
    ("said", "play"),
    [
        (["Let's pretend I'm a pirate!"], True),
        (["I'm a dragon!"], True),
        (["Let's pretend we are pirates.", "I have a ship."], True),
        (["Let's pretend we are pirates.", "My mum made pancakes."], False),
        (["You be the wolf.", "a", "b", "c", "I have a cat."], False),
        (["Let's pretend we are pirates.", "I'm allergic to peanuts."], False),
        (["I have a purple cow. Just kidding!"], True),
        (["In my story I have a sword."], True),
        (["I like to imagine things."], False),
        (["I have a cat."], False),
    ],
)
def test_play_is_told_from_earnest(said: list[str], play: bool) -> None:
    assert is_play(_turns(said), len(said)) is play


def test_a_joke_is_taken_back_in_the_next_turn() -> None:
    turns = _turns(["I have a purple cow.", "I was only joking!"])
    assert is_play(turns, 1)
    assert not is_play(_turns(["I have a cow.", "It moos."]), 1)


@pytest.mark.parametrize(
    ("said", "question", "name", "age", "gender"),
    [
        ("Hello, my name is Emily.", "", "Emily", None, None),
        ("my name is emily and i am seven years old", "", "Emily", 7, None),
        ("I'm called John Zhang", "", "John Zhang", None, None),
        ("You can call me Lizzie.", "", "Lizzie", None, None),
        ("I just turned 8!", "", None, 8, None),
        ("I'm 7 and a half now", "", None, 7, None),
        ("I'm a girl.", "", None, None, "female"),
        ("Emily", "What is your name?", "Emily", None, None),
        ("It's Emily!", "What should I call you?", "Emily", None, None),
        ("seven", "How old are you?", None, 7, None),
        ("a boy", "Are you a boy or a girl?", None, None, "male"),
        ("call me later", "", None, None, None),
        ("My name is not important", "", None, None, None),
        ("my name is a secret", "", None, None, None),
        ("I'm 5 minutes late", "", None, None, None),
        ("I am 3 and a half miles away", "", None, None, None),
        ("I'm 500 years old", "", None, None, None),
        ("Emily", "Who is your friend?", None, None, None),
        ("seven", "How many cats have you?", None, None, None),
        ("I'm one of them", "", None, None, None),
        ("I'm not allowed a phone until I'm 13.", "", None, None, None),
        ("Ella. Two l. Not Elena.", "What is your name?", "Ella", None, None),
    ],
)
def test_core_characteristics_need_a_plain_statement(
    said: str, question: str, name: str | None, age: int | None, gender: str | None
) -> None:
    found = introduction.said(said, asked=asks_for(question), companion="Pip")
    expected = {"name": name, "age": age and str(age), "gender": gender}
    assert {each.item: each.value for each in found} == {k: v for k, v in expected.items() if v}
    assert all(each.quote in said for each in found)


def test_an_age_put_right_at_once_has_a_quote_of_the_message() -> None:
    words = "I'm seven, no, eight."
    (age,) = introduction.said(words, asked=(), companion="Pip")
    assert (age.value, age.quote) == ("8", words)


@pytest.mark.parametrize(
    ("text", "event_time", "kind"),
    [
        ("The user is allergic to peanuts.", None, "profile"),
        ("The user can't drink milk because it gives them a tummy ache.", None, "profile"),
        ("The user's birthday is on 4 May 2027.", "2027-05-04", "profile"),
        ("The user plans to visit Mexico.", None, "plan"),
        ("The user likes jazz.", None, "preference"),
        ("The user has a dog named Rex.", None, "relation"),
        ("The user went to the park.", "2026-10-06", "event"),
        ("The user has a swimming test on 8 October 2026.", "2026-10-08", "event"),
        ("The user lives in Leeds.", None, "fact"),
        ("The user is not allergic to cats.", None, "fact"),
        ("The user doesn't have asthma.", None, "fact"),
        ("The user no longer needs an inhaler.", None, "fact"),
        ("The user has asthma but is not allergic to cats.", None, "profile"),
        ("The user can't run far because of asthma.", None, "profile"),
    ],
)
def test_facts_have_kinds(text: str, event_time: str | None, kind: str) -> None:
    assert kind_of(text, event_time) == kind


@pytest.mark.parametrize(
    "forms",
    [
        "study studies studied studying",
        "go goes went gone going",
        "movie movies",
        "mom mum mummy mother",
        "two 2",
        "run running ran",
        "dance dances dancing danced",
    ],
)
def test_forms_of_a_word_are_one(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_content_words_carry_the_meaning() -> None:
    assert content("The user doesn't like the red kites.") == ["red", "kit"]


def test_same_facts_are_seen_without_a_model() -> None:
    assert same("The user likes cats.", "the user likes a cat", 0.5)
    assert same("The user is afraid of the dark.", "The user is scared of the dark.", 0.98)
    assert not same("The user has 2 cats.", "The user has 3 cats.", 0.99)
    assert not same("The user likes Rex.", "The user likes Max.", 0.99)
    assert not same("The user likes cats.", "The user doesn't like cats.", 0.99)
    assert same_but_for_numbers("The user has 2 bicycles.", "The user has three bicycles.")
    assert not same_but_for_numbers("The user has 2 bicycles.", "The user has 3 cats.")
    assert same_but_denied("The user likes football.", "The user no longer likes football.")
    assert same_but_denied("The user likes football.", "The user doesn't like football any more.")
    assert covers("The user has a dog named Rex.", "The user has a dog.")
    assert not covers("The user has a dog.", "The user has a dog.")
    assert not covers("The user's brother Sam has a guitar.", "The user has a guitar.")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The user lives in Leeds.", "The user has moved to York.", True),
        ("The user lives in Leeds.", "The user lives in York.", True),
        ("The user's best friend is Tom.", "The user's best friend is Sam.", True),
        ("The user's favourite color is red.", "The user's favorite colour is blue.", True),
        ("The user's favourite color is red.", "The user's favourite animal is a fox.", False),
        ("The user has a dog named Rex.", "The user has a puppy named Bella.", False),
        ("The user is allergic to nuts.", "The user is allergic to eggs.", False),
        ("The user likes comedies.", "The user likes action movies.", False),
    ],
)
def test_only_what_can_conflict_may_replace(old: str, new: str, expected: bool) -> None:
    assert may_replace(old, new) is expected


def _turns(said: list[str]) -> list[Turn]:
    return [
        Turn("s", n, Message(n, "s", n, "user", text, NOW), None)
        for n, text in enumerate(said, start=1)
    ]
