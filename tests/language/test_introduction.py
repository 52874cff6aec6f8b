from __future__ import annotations

import time

import pytest

from companion.language.en.introduction import age_stands, asks_for, declines, name_stands, said
from companion.records import CoreItem


def told(words: str, asked: CoreItem | None = None) -> dict[str, str]:
    found = said(words, asked=() if asked is None else (asked,), companion="Pip")
    for item in found:
        assert item.quote in words
    return {item.item: item.value for item in found}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("I'm Mia and I'm seven", "Mia"),
        ("hey pip im Ada im 8", "Ada"),
        ("hello im jonah im six", "Jonah"),
        ("Hello, my name is Emily. Nice to meet you.", "Emily"),
        ("my name is mia", "Mia"),
        ("My name's Will!", "Will"),
        ("Call me Ishmael", "Ishmael"),
        ("you can call me Jean-Luc", "Jean-Luc"),
        ("hi i'm mia", "Mia"),
        ("hello im mira and im seven", "Mira"),
        ("Im Zoë", "Zoë"),
        ("my name is Mary Jane and I'm 9", "Mary Jane"),
        ("I am Gary, 25 this year", "Gary"),
        ("well, everybody calls me Tom", "Tom"),
        ("My father calls me Tom", "Tom"),
        ("My real name is Leo", "Leo"),
    ],
)
def test_a_name_is_found_unasked(words: str, name: str) -> None:
    assert told(words)["name"] == name


@pytest.mark.parametrize(
    "words",
    [
        "I'm happy",
        "hi i'm bored",
        "I'm Italian",
        "I'm going to be a pilot",
        "My dog is called Rex",
        "my brother's name is Tom",
        "call me later",
        "don't call me Bob",
        "Hi Pip!",
        "I'm Pip",
        "I'm Mia's brother",
        "I love Frozen",
        "My name is a secret",
        "I'M HUNGRY",
        "my dad calls me champ",
        "hi i'm upstairs",
        "I'm Batman!",
        "I'm MARROW, Pip. Oh, that's him, bye!",
    ],
)
def test_no_name_is_invented(words: str) -> None:
    assert "name" not in told(words)


@pytest.mark.parametrize("words", ["Mia", "mia", "Mia!", "um, Mia", "It's Mia", "Mia and you?"])
def test_a_bare_name_answers_the_question(words: str) -> None:
    assert told(words, "name") == {"name": "Mia"}
    assert "name" not in told(words)


@pytest.mark.parametrize(
    "words", ["no", "Why?", "dinosaurs are cool", "what is yours", "I'm not telling you", "Pip"]
)
def test_not_every_answer_is_a_name(words: str) -> None:
    assert told(words, "name") == {}


@pytest.mark.parametrize("words", ["I'm eight", "i'm twelve years old", "it's twenty one", "nine"])
def test_a_number_is_no_name(words: str) -> None:
    assert "name" not in told(words, "name")


@pytest.mark.parametrize(
    ("words", "age"),
    [
        ("I am 6 years old", "6"),
        ("I'm seven.", "7"),
        ("i'm 7 and my brother is 4", "7"),
        ("I'm 7 and a half", "7"),
        ("I'm almost seven!", "6"),
        ("I'll be eight next week", "7"),
        ("I just turned 8", "8"),
        ("I'm a thirty-five year old man", "35"),
        ("my brother is 4 and I am 7", "7"),
    ],
)
def test_an_age_is_found_unasked(words: str, age: str) -> None:
    assert told(words)["age"] == age


@pytest.mark.parametrize(
    "words",
    [
        "I'm 6 feet tall",
        "I'm 5 minutes late",
        "I have 7 cats",
        "my sister is 4",
        "when I'm 18 I will be a pilot",
        "pretend I'm 100",
        "I'm 0",
        "I'm 121",
        "I'm 3.5 metres up",
        "When I turned five I got a bike",
        "I play football since I turned six",
        "I'm 2nd!",
        "I'm one too",
    ],
)
def test_no_age_is_invented(words: str) -> None:
    assert "age" not in told(words)


@pytest.mark.parametrize(
    ("words", "age"), [("seven", "7"), ("Um, 7!", "7"), ("six and a half", "6"), ("nearly 9", "8")]
)
def test_a_bare_number_answers_the_question(words: str, age: str) -> None:
    assert told(words, "age") == {"age": age}
    assert told(words) == {}


@pytest.mark.parametrize(
    ("words", "gender"),
    [
        ("I'm a girl", "female"),
        ("I'm a seven year old boy", "male"),
        ("I am the oldest daughter", "female"),
        ("I'm non-binary", "non-binary"),
        ("my pronouns are he and him", "male"),
        ("I'm just a boy", "male"),
        ("I am a happy little girl", "female"),
        ("I'm seven years old girl", "female"),
        ("I'm a proud mum of two", "female"),
        ("I am Tom's dad", "male"),
    ],
)
def test_a_gender_is_found_in_explicit_words(words: str, gender: str) -> None:
    assert told(words)["gender"] == gender


@pytest.mark.parametrize(
    "words",
    [
        "I'm like a boy",
        "I'm a friend of that boy",
        "my sister is a girl",
        "pretend I'm a boy",
        "she",
        "I'm visiting grandma today",
        "I am helping mom cook",
        "I'm drawing a girl",
        "I'm hungry mom",
        "I'm afraid a man is outside",
        "I'm the kid mom forgot",
        "I'm no boy",
        "I'm Spider Man",
    ],
)
def test_no_gender_is_guessed(words: str) -> None:
    assert "gender" not in told(words)


@pytest.mark.parametrize(("words", "gender"), [("a girl", "female"), ("Boy!", "male")])
def test_a_bare_word_answers_the_question(words: str, gender: str) -> None:
    assert told(words, "gender") == {"gender": gender}


@pytest.mark.parametrize(
    "words",
    ["I don't want to tell you", "I won't say", "it's a secret", "I'd rather not", "not telling!"],
)
def test_a_refusal_is_understood(words: str) -> None:
    assert declines(words)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("name", "I have a dog named Rex"),
        ("name", "bunny is my bunny's name"),
        ("name", "We saw a ship called Luna and I am tired"),
        ("name", "I love strawberry"),
        ("name", "Hi Pip, I am here"),
        ("name", "you already know it"),
        ("name", "I guess so"),
        ("age", "I like dogs"),
        ("age", "I am here with 2 dogs"),
        ("age", "I am 200"),
        ("age", "I am ²"),
        ("age", "I am many"),
        ("age", "older than my brother he's 3"),
        ("age", "i guess two dogs"),
        ("gender", "I play football"),
        ("gender", "I am not a boy"),
        ("gender", "my friend is a boy"),
    ],
)
@pytest.mark.parametrize("asked", [True, False])
def test_what_nobody_said_of_themselves_is_not_taken(
    item: CoreItem, words: str, asked: bool
) -> None:
    assert item not in told(words, item if asked else None)


@pytest.mark.parametrize(
    ("item", "words", "stored"),
    [
        ("name", "um mia i guess", "Mia"),
        ("name", "I'm just called Joy", "Joy"),
        ("name", "noah noah noah", "Noah"),
        ("name", "My name? Oh. Nell.", "Nell"),
        ("name", "my name iiiis ella", "Ella"),
        ("age", "seven of course", "7"),
        ("age", "i guess seven", "7"),
        ("age", "im like eight", "8"),
        ("age", "nearly nearly six", "5"),
        ("age", "don't know, seven?", "7"),
        ("age", "eight obviously", "8"),
        ("gender", "a girl obviously, silly", "female"),
        ("gender", "girl duh", "female"),
    ],
)
def test_a_hesitant_answer_is_understood(item: CoreItem, words: str, stored: str) -> None:
    assert told(words, item)[item] == stored


@pytest.mark.parametrize(("text", "told_of"), [("a", []), ("1", []), ("I'm a big ", [])])
def test_a_long_pasted_text_stops_nobody_for_long(text: str, told_of: list[str]) -> None:
    """It is read while the child waits. This took 20 s of processor time, and now takes 0.02."""
    words = text * (20_000 // len(text))
    began = time.process_time()
    found = said(words, asked=("name", "age", "gender"), companion="Pip")
    assert time.process_time() - began < 5
    assert [each.item for each in found] == told_of


@pytest.mark.parametrize(
    "words", ["Up at the allotment, I'm seventeen, he's eighteen", "They did seats, I'm twelve."]
)
def test_a_number_of_a_place_is_no_age(words: str) -> None:
    assert "age" not in told(words)


def test_a_word_that_is_asked_back_is_no_name() -> None:
    assert told("Kip?", "name") == {}


@pytest.mark.parametrize(
    ("known", "quote", "name", "words", "stands"),
    [
        ("Enno", "Enno", "Little Bear", "I'm Little Bear by the way. I live in a pot.", True),
        ("Enno", "Enno", "Otto Cream", "hello yes my name is otto cream", True),
        ("Enno", "Enno", "Benno", "No, I'm Benno!", False),
        ("Enno", "Enno", "Benno", "my name is Benno, not Enno", False),
        ("Enno", "Enno", "Benno", "you got it wrong, my name is Benno", False),
        ("Enno", "Enno", "Enno Berg", "my name is Enno Berg", False),
        ("Enno Berg", "my name is Enno Berg", "Enno", "I'm Enno", True),
        ("Tired", "I'm Tired", "Mia", "my name is Mia", False),
    ],
)
def test_a_second_name_takes_the_place_only_where_it_is_put_right(
    known: str, quote: str, name: str, words: str, stands: bool
) -> None:
    assert name_stands(known, quote, name, words) is stands


@pytest.mark.parametrize(
    ("known", "age", "days", "words", "asked", "stands"),
    [
        (6, 7, 20.0, "I'm seven now", False, False),
        (6, 90, 20.0, "I'm ninety and I have a ship", False, True),
        (6, 5, 20.0, "I'm five", False, True),
        (6, 9, 800.0, "I'm nine", False, False),
        (6, 8, 1.0, "no I'm eight, not six", False, False),
        (6, 8, 1.0, "eight", True, False),
    ],
)
def test_an_age_moves_with_birthdays(
    known: int, age: int, days: float, words: str, asked: bool, stands: bool
) -> None:
    assert age_stands(known, age, days, words, asked=asked) is stands


@pytest.mark.parametrize(
    "line", ["Who's this?", "Hello! Who's talking to me?", "Who's that talking?"]
)
def test_who_is_there_asks_for_the_name(line: str) -> None:
    assert asks_for(line) == {"name"}


@pytest.mark.parametrize("words", ["go on", "Stop!", "again", "another one", "tell me a story"])
def test_a_turn_of_a_story_is_no_name(words: str) -> None:
    assert told(words, "name") == {}


@pytest.mark.parametrize("words", ["im bored", "its raining and i have to be quiet", "dont know"])
def test_a_lost_apostrophe_makes_no_name(words: str) -> None:
    assert told(words, "name") == {}


def test_who_says_how_not_to_say_a_name_tells_it() -> None:
    assert told("Ngozi. don't say Nogzi, everyone says Nogzi", "name")["name"] == "Ngozi"
