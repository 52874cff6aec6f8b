"""What is open at the end of what was said, and what fills it."""

from __future__ import annotations

import pytest

from companion.language.en import gaps


@pytest.mark.parametrize(
    ("context", "kind"),
    [
        ("He likes Catan, Pandemic and", "list"),
        ("We need milk, eggs, and the...", "list"),
        ("I met Wanda. Her cat is called", "name"),
        ("my brother's cat is named um.", "name"),
        ("His name is, er, what is his name?", "asked"),
        ("I put the spare key under the", "place"),
        ("My appointment is at", "time"),
        ("The code for the gate is", "number"),
        ("She's allergic to", "other"),
        ("They had thirteen and we had", "number"),
        ("It's eighty at the door, but for you it's only", "number"),
        ("It's for the boiler, it's that Signor", "other"),
        ("A recorder, please, and the colour must be", "other"),
        ("Mom's sleeping, we have to be quiet till", "other"),
        ("There'll be Olu, Wanda, me, and then also", "list"),
        ("I can't remember where she lives.", "asked"),
        ("What was her cat called again?", "asked"),
    ],
)
def test_what_is_open_is_seen(context: str, kind: str) -> None:
    found = gaps.find(context)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    "context",
    [
        *("", "   ", "We went home.", "How are you?", "Yes.", "and then I", "so we", "um"),
        *("It was nice, you know", "I was going to", "and she was like", "it was just so"),
        "He likes Catan, Pandemic and Ticket to Ride.",
        "We had fun and they had",
    ],
)
def test_most_ends_of_talk_need_nothing(context: str) -> None:
    assert gaps.find(context) is None


@pytest.mark.parametrize(
    ("sentence", "rest"),
    [
        ("He likes Catan, Pandemic and Ticket to Ride.", ["Ticket to Ride"]),
        ("Ben's are Pandemic, Catan, Azul, and Ticket to Ride", ["Azul", "Ticket to Ride"]),
        ("We played Catan and Pandemic.", []),
        ("He likes Catan, chess and Go.", []),  # another list
        ("It rained.", []),
    ],
)  # fmt: skip
def test_the_rest_of_a_list(sentence: str, rest: list[str]) -> None:
    gap = gaps.find("He likes Catan, Pandemic and")
    assert gap is not None
    assert gaps.rest_of(gap, sentence) == rest


@pytest.mark.parametrize(
    ("context", "sentence", "filling"),
    [
        ("her cat is called", "Wanda's cat is called Mr. Plum, and he's fat.", "Mr. Plum"),
        ("her cat is called", "My cat Biscuit ate it.", "Biscuit"),
        ("her cat is called", "She has a cat named Fig.", "Fig"),
        ("her cat is called", "Biscuit is her cat", "Biscuit"),
        ("her cat is called", "Her dog is called Rex.", ""),
        ("her cat is called", "Her cat is called in at night by the whole street and everyone", ""),
        (
            "I put the spare key under the",
            "I put the spare key under the blue flowerpot because Jo forgets.",
            "blue flowerpot",
        ),
        ("I put the spare key under the", "The spare key was lost.", ""),
        ("my appointment is at", "So my appointment is at half past nine.", "half past nine"),
    ],
)
def test_what_fills_a_gap(context: str, sentence: str, filling: str) -> None:
    gap = gaps.find(context)
    assert gap is not None
    assert gaps.filling(gap, sentence) == filling


def test_the_first_word_of_a_question_is_not_always_a_name() -> None:
    assert gaps.owners("Wait, what can't she have?") == frozenset()
    assert gaps.owners("Till when did she say?") == frozenset()
    assert gaps.owners("Eh, how old was I?") == frozenset()
    assert gaps.owners("Prisha who?") == gaps.owners("Prisha's number?") != frozenset()
    assert gaps.owners("We meet on Saturday in May.") == frozenset()


def test_a_text_goes_on_with_the_same_words() -> None:
    told = "And the record player is yours, it's a Thorens, be good to it."
    assert gaps.goes_on_with("This proper old record player, it's a", "Thorens", told)
    assert not gaps.goes_on_with("This proper old record player, it was a", "Thorens", told)
    assert not gaps.goes_on_with("it's a", "Thor", told)
    assert not gaps.goes_on_with("a", "Thorens", told)


def test_the_rest_of_a_name_is_asked_for() -> None:
    gap = gaps.other_name("Nico what, the drummer?")
    assert gap is not None
    assert gaps.filling(gap, "our new drummer is Nico Albers from school") == "Albers"
    assert gaps.filling(gap, "Nico plays the drums") == ""
    assert gaps.other_name("And what?") is None
    assert gaps.other_name("Who is Nico?") is None


@pytest.mark.parametrize(
    ("answer", "question", "fits"),
    [
        ("Thursday", "When is it?", True),
        ("Brayden", "When is it?", False),
        ("seven kilos", "How heavy is he?", True),
        ("heavy", "How much does he weigh?", False),
        ("Theo", "Who broke it?", True),
        ("wrist", "Who broke it?", False),
        ("wrist", "What did Theo break?", True),
    ],
)
def test_an_answer_is_of_the_kind_that_was_asked_for(
    answer: str, question: str, fits: bool
) -> None:
    assert gaps.of_kind(answer, question) is fits
