"""What a person's words ask of memory."""

import pytest

from companion.language.en.question import content_words, of_a_life, read
from companion.language.en.sentences import split


@pytest.mark.parametrize(
    ("words", "side"),
    [
        ("What did you tell me about whales?", "companion"),
        ("Which story have you told me last week?", "companion"),
        ("You recommended a game to me. What was it called?", "companion"),
        ("Do you remember what I told you about my hamster?", "person"),
        ("I told you a joke yesterday. How did it go?", "person"),
        ("Do you remember me saying where we park the bikes?", "person"),
        ("What did we talk about on Monday?", "both"),
        ("What is my rabbit called?", "person"),
    ],
)
def test_a_question_is_after_one_side(words: str, side: str) -> None:
    asked = read(words, None)
    assert asked.side == side
    assert asked.about_past


@pytest.mark.parametrize(
    "words",
    [
        "I saw a red kite today!",
        "Why is the moon so bright?",
        "Can you tell me a story about a dragon?",
        "How can I get better at running?",
        "My tooth came out. Do you have teeth?",
        "Let's play a game.",
    ],
)
def test_other_talk_does_not_ask_about_the_past(words: str) -> None:
    assert not read(words, None).about_past


@pytest.mark.parametrize(
    "words",
    [
        "Where does Ola live",
        "when's the football match",
        "whats my dogs name",
        "Where do I live?",
        "I wonder what the puppy is called.",
        "tell me what my cousin eats",
        "what is mister Hobbs's cat called",
        "um who was at the pool",
        "wots the baby called",
        "does nana like fish",
    ],
)
def test_every_question_may_be_about_the_past(words: str) -> None:
    assert read(words, None).asks


@pytest.mark.parametrize("words", ["I saw a red kite today!", "Let's play a game.", "My tooth!"])
def test_what_asks_nothing_is_no_question(words: str) -> None:
    assert not read(words, None).asks


def test_where_one_lives_is_no_advice() -> None:
    assert read("Where do I live?", None).about_past
    assert not read("How do I whistle?", None).about_past


def test_words_that_say_nothing_are_left_out() -> None:
    assert content_words("Do you remember what my hamster is called?") == ["hamster"]
    assert content_words("What’s my teacher's name? Let's see Nina’s.") == [
        "teacher",
        "see",
        "Nina",
    ]


def test_a_question_of_pronouns_borrows_what_was_said_before() -> None:
    asked = read("And what did I say about it?", "I saw a heron at the pond.")
    assert "heron" in asked.words
    assert "heron" in asked.text


def test_a_full_question_borrows_nothing() -> None:
    assert read("Where does Grandpa live?", "I saw a heron.").text == "Where does Grandpa live?"


def test_sentences_keep_decimals_and_marks() -> None:
    assert split("It is 3.5 miles. Far?! Yes.") == ["It is 3.5 miles.", "Far?!", "Yes."]


@pytest.mark.parametrize(
    "text",
    [
        "I'm filling a form in. Where was I born?",
        "How old am I? You said it wrong.",
        "Where did me and Dilys first meet?",
    ],
)
def test_a_question_of_ones_life_may_stand_in_any_sentence(text: str) -> None:
    assert of_a_life(text)


def test_what_is_wanted_in_a_later_sentence_is_no_question_of_ones_life() -> None:
    assert not of_a_life("My gran is cross. What should I do?")
