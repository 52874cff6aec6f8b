"""Words that are none, and how far what was damaged is understood again."""

from __future__ import annotations

import re

import pytest
from guard_pattern_words import whole_words
from guard_words import said_words

from companion.safety.normalize import plain
from companion.safety.spelling import FILE, corrected


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("brotehr", ("brother",)),
        ("kichen", ("kitchen",)),
        ("sleeep", ("sleep",)),
        ("inmy", ("in", "my")),
        ("petrolcan", ("petrol", "can")),
    ],
)
def test_a_letter_too_few_too_many_or_swapped_and_a_missing_blank_are_put_right(
    written: str, meant: tuple[str, ...]
) -> None:
    assert corrected(written) == meant


@pytest.mark.parametrize(
    "word",
    ["beach", "potion", "wobbly", "frankfurt", "qzxvw", "ab", "k2", "abusing", "fondling"],
)
def test_a_word_stays_and_what_is_near_to_none_stays_too(word: str) -> None:
    assert corrected(word) == (word,)


@pytest.mark.parametrize(
    "said",
    [
        "we went to the beach and i drank a potion",
        "i waited till the shop closed and wiped my nose",
        "my hearing is good and i am starting to like ballet",
        "he keeps abusing me and my gran keeps drooling",
    ],
)
def test_words_that_are_only_near_to_grave_ones_stay_what_they_are(said: str) -> None:
    assert plain(said) == said


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("he told me knot to tell an hit me", "he told me not to tell and hit me"),
        ("mum wood hert hem", "mom would hurt him"),
        ("an hour an an apple", "an hour an an apple"),
    ],
)
def test_words_that_sound_alike_are_told_apart_by_their_neighbours(heard: str, meant: str) -> None:
    assert plain(heard) == meant


def test_every_word_of_the_training_sentences_is_known() -> None:
    """Else scripts/guard_words.py was not run after they had changed."""
    known = FILE.read_text(encoding="ascii").partition("\n\n")[0].split()
    assert known == list(said_words())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (r"abus(?:e|ing) (?:me|pills?)", {"abuse", "abusing", "me", "pill", "pills"}),
        (r"(?:\w+ ){0,3}batter\w+|bab(?:y|ies)(?! doll)", {"baby", "babies", "doll"}),
        (r"\bshe'?s (?:not )?[a-z]+ at once", {"shes", "she", "s", "not", "at", "once"}),
    ],
)
def test_the_words_of_a_pattern_are_whole(source: str, words: set[str]) -> None:
    """Its endings and beginnings stood among the known words, and "abusing" became two of them."""
    assert whole_words(re.compile(source)) == words


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("ah've tae go doon noo", "i have to go down now"),
        ("he telt me he wouldnae", "he told me he would not"),
        ("summat fell aff the hoose", "something fell off the house"),
        ("Ken is no my ma", "ken is no my ma"),
    ],
)
def test_regional_words_are_read_as_what_they_mean(heard: str, meant: str) -> None:
    assert plain(heard) == meant


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("My cousin makes me taste my clone of.", "take my clothes off"),
        ("send him a picture with no clone on", "with no clothes on"),
        ("I can't read my buffer is empty", "can not breathe my inhaler"),
    ],
)
def test_what_sounds_alike_is_put_right(heard: str, meant: str) -> None:
    assert meant in plain(heard)
    assert plain("I can't read my book") == "i can not read my book"
