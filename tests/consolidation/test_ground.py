"""Drafts against what was said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.consolidation.ground import Dropped, Grounded, Heard, ground
from companion.language.en.people import relations

EXAMPLES = frozenset({"tortois", "mabel", "trombon"})


@pytest.mark.parametrize(
    ("line", "said", "question", "quote"),
    [
        (
            "The user's dog Biscuit ate the user's sandwich.",
            "Guess what? My dog Biscuit ate my sandwich and I cried.",
            "",
            "Guess what? My dog Biscuit ate my sandwich and I cried.",
        ),
        (
            "The user has a swimming test tomorrow.",
            "Tomorrow is my swimming test.",
            "",
            "Tomorrow is my swimming test.",
        ),
        (
            "The user has a hamster named Biscuit.",
            "My hamster is called Biscuit.",
            "",
            "My hamster is called Biscuit.",
        ),
        (
            "The user is allergic to peanuts.",
            "I'm allergic to peanuts",
            "",
            "I'm allergic to peanuts",
        ),
        (
            "The user's grandmother lives in Leeds.",
            "Grandma lives in Leeds",
            "",
            "Grandma lives in Leeds",
        ),
        (
            "The user doesn't like football.",
            "No, I don't like football any more",
            "",
            "No, I don't like football any more",
        ),
        (
            "The user has a cat named Momo.",
            "Yes, a cat called Momo.",
            "Any pets?",
            "Yes, a cat called Momo.",
        ),
        ("The user plays chess.", "Yes!", "Do you play chess?", "Yes!"),
        ("The user's favourite colour is blue.", "blue", "What's your favorite color?", "blue"),
        ("The user likes cats.", "I love cats but I hate rain", "", "I love cats but I hate rain"),
        ("The user hates rain.", "I love cats but I hate rain", "", "I love cats but I hate rain"),
        ("- the user has two rabbits", "I have 2 rabbits at home", "", "I have 2 rabbits at home"),
        (
            "The user is allergic to mango.",
            "No, I'm allergic to mango.",
            "",
            "No, I'm allergic to mango.",
        ),
        (
            "The user is allergic to cashews.",
            "no I'm allergic to cashews",
            "Will you have one?",
            "no I'm allergic to cashews",
        ),
        (
            "The user still wants the green kite.",
            "no I still want the green kite",
            "So you'll take the red kite?",
            "no I still want the green kite",
        ),
        (
            "The user doesn't like cats.",
            "No, they scratch.",
            "Do you like cats?",
            "No, they scratch.",
        ),
        (
            "The user's teacher is Dr. Brown.",
            "My teacher is Dr. Brown.",
            "",
            "My teacher is Dr. Brown.",
        ),
        (
            'The user\'s favourite song is "Listen to Mom".',
            'My favorite song is "Listen to Mom".',
            "Which song do you like?",
            'My favorite song is "Listen to Mom".',
        ),
    ],
)
def test_a_true_draft_is_kept_with_its_quote(
    line: str, said: str, question: str, quote: str
) -> None:
    found = ground(line, Heard(said, question, question), EXAMPLES)
    assert isinstance(found, Grounded), found
    assert found.quote == quote
    assert found.quote in said


@pytest.mark.parametrize(
    ("line", "said", "question", "reason"),
    [
        ("The user has a dog named Rex.", "I have a dog.", "", "unsaid"),
        ("The user is 9 years old and has a dog.", "I have a dog.", "", "unsaid"),
        ("The user has 3 dogs.", "I have 2 dogs.", "", "unsaid"),
        ("The user likes spicy food.", "I ate food.", "Do you like spicy food?", "unsaid"),
        ("The user likes spiders.", "I saw spiders yesterday.", "", "unsaid"),
        ("The user has a tortoise.", "I have a dog.", "", "example"),
        ("I have a dog.", "I have a dog.", "", "person"),
        ("The user told you about a dog.", "I have a dog.", "", "person"),
        ("Rex is my dog.", "Rex is my dog.", "", "person"),
        ("The user likes football.", "I don't like football.", "", "polarity"),
        ("The user doesn't like football.", "I like football.", "", "polarity"),
        ("The user has a rabbit.", "I want a rabbit.", "", "wish"),
        ("The user moved to Spain.", "I would love to move to Spain.", "", "wish"),
        ("The user has a guitar.", "My brother has a guitar.", "", "subject"),
        ("The user plays guitar loud.", "Sam got a guitar and he plays it loud.", "", "subject"),
        ("The user eats peanuts.", "Can people eat peanuts?", "", "question"),
        ("Does the user like cats?", "I like cats.", "", "question"),
        ("The user's companion likes cats.", "I like cats.", "", "assistant"),
        ("The user asked for a story.", "Please tell a story.", "", "talk"),
        ("The user is looking for book recommendations.", "I need books.", "", "talk"),
        ("The user's name is Emily.", "My name is Emily.", "", "profile"),
        ("The user is Tom.", "I am Tom and I have a parrot.", "", "profile"),
        ("The user is seven.", "I am seven. My grandma bakes.", "", "profile"),
        ("The user is 7 years old.", "I am 7 years old", "", "profile"),
        ("The user is a girl.", "I'm a girl", "", "profile"),
        ("The user's mum.", "My mum says no.", "", "empty"),
        ("The user", "I have a dog.", "", "empty"),
        ("The user found it interesting.", "I found it interesting.", "", "vague"),
        ("The user visits her every Sunday.", "Yes, every Sunday.", "Do you visit her?", "vague"),
    ],
)
def test_a_false_draft_is_dropped(line: str, said: str, question: str, reason: str) -> None:
    assert ground(line, Heard(said, question, question), EXAMPLES) == Dropped(reason)


KNOWN = relations("my cousin Bea has a bike")


@pytest.mark.parametrize(
    ("line", "said", "before"),
    [
        ("Dana is the user's wife.", "And Dana's gonna be there, that's his wife.", ""),
        ("The user's cousin Theo came.", "Theo came, and my cousin too", ""),
        ("The user's brother ripped it up.", "Theo's brother ripped it up", ""),
        ("Gabi's sister is fifteen.", "Gabi's party. my sister. She's fifteen", ""),
        ("Lita and Gabi are the user's grandma.", "Lita and Gabi. Lita's my grandma", "Who is it?"),
        ("The user's aunt Bea has a bike.", "Bea has a new bike, my aunt has none", ""),
    ],
)
def test_a_relation_that_nobody_stated_is_refused(line: str, said: str, before: str) -> None:
    assert ground(line, Heard(said, before, known=KNOWN), EXAMPLES) == Dropped("relation")


@pytest.mark.parametrize(
    ("line", "said", "before"),
    [
        ("The user's cousin Bea got a new bike.", "my cousin, Bea, she got a new bike", ""),
        ("Yusuf is the user's little brother.", "My little brother. He's five.", "Who's Yusuf?"),
        ("The user's sister Gabi is fifteen.", "Gabi's party. my sister. She's fifteen", ""),
        ("Bea is the user's cousin.", "Bea won, my cousin won!", ""),
        ("Theo's brother ripped it up.", "the kite? Theo's brother ripped it up", ""),
    ],
)
def test_a_relation_that_was_stated_may_be_noted(line: str, said: str, before: str) -> None:
    found = ground(line, Heard(said, before, before, known=KNOWN), EXAMPLES)
    assert isinstance(found, Grounded), found


@pytest.mark.parametrize(
    ("line", "said", "reason"),
    [
        ("He likes trains.", "he likes trains", "dangling"),
        ("The user fell off the pier.", "I fell off the pier. no I didn't.", "taken back"),
        ("The user's lips swell from plums.", "my lips swell. She makes me plums.", "loose"),
        ("Otto took Otto off.", "he took Otto off", "twice"),
        ("The user fell off the blue one.", "I fell off the blue one", "dangling"),
        ("The user gave it to her.", "I gave it to her", "vague"),
        ("The user is very tired.", "I'm very tired", "trivial"),
        ("The user wants to know more.", "I want to know more", "talk"),
        ("The user told Mum about the arch.", "I told Mum about the arch", "trivial"),
        ("The user plays the flute.", "yeah and she plays the flute", "subject"),
        ("Hetty is left-handed.", "that's the worst of being left-handed, for me", "unsaid"),
    ],
)
def test_what_cannot_stand_alone_or_is_over_tomorrow_is_dropped(
    line: str, said: str, reason: str
) -> None:
    assert ground(line, Heard(said), EXAMPLES) == Dropped(reason)


def test_what_is_said_of_nobody_but_the_speaker_is_not_given_to_another() -> None:
    heard = Heard("I draw there. That's the worst of being left-handed.", "Clever Hetty.")
    assert ground("Hetty is left-handed.", heard, EXAMPLES) == Dropped("subject")


def test_a_memory_is_a_calm_sentence() -> None:
    heard = Heard("I have a reindeer called Rudi!!")
    found = ground("- user has a  reindeer called Rudi!!", heard, EXAMPLES)
    assert isinstance(found, Grounded)
    assert found.text == "The user has a reindeer called Rudi."


@pytest.mark.slow
@given(st.text(max_size=120), st.text(max_size=200), st.text(max_size=60))
def test_a_quote_is_always_a_part_of_the_message(line: str, said: str, question: str) -> None:
    found = ground(f"The user {line}", Heard(said, question, question), EXAMPLES)
    if isinstance(found, Grounded):
        assert found.quote in said
