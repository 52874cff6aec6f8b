"""An answer is of the kind that was asked for, of whom it was asked, and of how it is now."""

from __future__ import annotations

import pytest

from companion.dialog.held import hold
from companion.dialog.replies import NOT_REMEMBERED
from companion.dialog.window import Exchange
from companion.recall.protocol import EMPTY, Excerpt, RecallResult
from companion.records import Recalled
from tests.dialog.test_held import NOBODY, held


def scored(*rows: tuple[str, float], when: str = "on Friday") -> RecallResult:
    """Notes with the scores that recall gave them."""
    excerpts = tuple(
        Excerpt(f"They: {said}", said, when, f"s{n}", score) for n, (said, score) in enumerate(rows)
    )
    items = tuple(Recalled(f"s{n}#1", "turn", e.text, e.score) for n, e in enumerate(excerpts))
    return RecallResult("\n".join(each.text for each in excerpts), items, excerpts=excerpts)


@pytest.mark.parametrize(
    ("words", "said", "answer"),
    [
        ("what's Bea's cat called?", "Bea's got a hamster, Nib", "Bea's cat is called Nib."),
        ("who's my bus driver?", "Mum said bring lunch on the bus", "Your bus driver is Mum."),
        ("how old is Curt?", "Tav is here. he's nine. Curt did my room", "Curt is nine."),
        ("how old's my nana?", "I gave nana a parsnip. I'm five", "Your nana is five."),
    ],
)
def test_what_is_told_of_another_is_no_answer(words: str, said: str, answer: str) -> None:
    assert held(words, scored((said, 0.6)), answer) != [answer]


def test_of_a_thing_that_nobody_spoke_of_the_words_about_another_are_not_said_back() -> None:
    recall = scored(("Bea's got a hamster, Nib", 0.6))
    (said,) = held("what's Bea's cat called?", recall, "Bea's cat is called Nib.")
    assert said in NOT_REMEMBERED


def test_a_day_is_that_of_the_best_note_that_tells_one() -> None:
    recall = scored(
        ("my birthday is ages away, ninth of March", 0.63),
        ("it's her birthday on 11 July", 0.61),
    )
    (said,) = held("when's my birthday?", recall, "Your birthday is on July 11th.")
    assert "ninth of March" in said
    assert held("when's my birthday?", recall, "It is on March 9th.") == ["It is on March 9th."]


def test_a_day_that_was_put_right_goes_before_the_one_it_was() -> None:
    recall = scored(("the tent is on Friday", 0.6), ("oh it's not Friday. the tent. Saturday", 0.5))
    (said,) = held("which day is the tent, my tent?", recall, "Your tent is on Friday.")
    assert "Saturday" in said


def test_the_best_note_is_said_back_where_it_is_far_better_than_the_next() -> None:
    words, answer = "which bed's mine?", "It is a race car bed."
    clear = scored(("bottom bunk. Ida has the top", 0.5), ("we had soup", 0.3))
    assert "ottom bunk" in held(words, clear, answer)[0]
    alike = scored(("bottom bunk. Ida has the top", 0.5), ("we had soup", 0.48))
    assert held(words, alike, answer)[0] in NOT_REMEMBERED


def test_what_was_put_right_in_this_talk_goes_before_what_it_was() -> None:
    talk = (
        Exchange(1, "My coat is yellow.", "A yellow coat, how sunny!"),
        Exchange(2, "No, my coat is orange.", "Orange then."),
    )
    right = "Your coat is orange."
    for answer, said in (("Your coat is yellow.", "ust now you told me: "), (right, right)):
        holding = hold("what colour is my coat?", EMPTY, talk, NOBODY)
        assert holding is not None
        [spoken] = holding.filter([answer])
        assert said in spoken
        assert "your coat is orange" in spoken.lower()


def test_a_statement_with_a_question_mark_is_held_to_the_notes_too() -> None:
    recall = scored(("I want binoculars. for the boats", 0.5), ("we had soup", 0.3))
    (said,) = held("what do I want for a present?", recall, "You want a present for your mum?")
    assert "binoculars" in said
