from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.voice.turns.local_agreement import LocalAgreement


def test_words_stay_when_two_transcripts_agree() -> None:
    stable = LocalAgreement()
    assert stable.feed("I") == ""
    assert stable.feed("I like box.") == "I"
    assert stable.feed("I like dogs and") == "I like"
    assert stable.feed("I like dogs and cats.") == "I like dogs and"
    assert stable.feed("I like dogs and cats, and you?") == "I like dogs and cats"


def test_marks_and_capitals_are_no_disagreement() -> None:
    stable = LocalAgreement()
    stable.feed("my dog. Bello")
    assert stable.feed("My dog, Bello barks") == "My dog, Bello"


def test_a_change_of_mind_takes_words_back() -> None:
    stable = LocalAgreement()
    stable.feed("I scream")
    assert stable.feed("I scream for") == "I scream"
    assert stable.feed("Ice cream for") == ""


def test_a_new_utterance_agrees_with_nothing_before() -> None:
    stable = LocalAgreement()
    stable.feed("Hello there")
    stable.reset()
    assert stable.feed("Hello there") == ""


WORDS = st.lists(st.sampled_from("a dog, is. Big big ... dog".split(" ")), max_size=6).map(" ".join)


@given(st.lists(WORDS, max_size=6))
def test_what_is_stable_begins_the_latest_transcript(partials: list[str]) -> None:
    stable = LocalAgreement()
    for partial in partials:
        assert partial.startswith(stable.feed(partial))
