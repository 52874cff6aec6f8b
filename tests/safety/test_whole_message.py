"""What a message is as a whole, beside its sentences."""

from __future__ import annotations

import logging

import pytest

from companion import config
from companion.assembly.guard import build_guard
from companion.engines.protocols import Embedder
from companion.safety.classifier import CARE, Classifier
from companion.safety.classifier_weights import Danger, shipped
from companion.safety.normalize import plain
from companion.safety.verdict import Guard
from companion.safety.whole_message import SHORT, combined, stretches
from tests.fakes_kinds import BrokenKinds, FixedKinds

WORST = Danger(0.9, "emergency", 1.0)


def test_sentences_apart_in_plain_spelling() -> None:
    assert stretches(plain("We had pasta. He HIT me!!")) == ["we had pasta . he hit me"]


def test_a_sentence_without_an_end_is_read_in_windows_too() -> None:
    whole, *windows = stretches("we saw a bear " * 20 + "and then he hit me . i had soup")
    assert whole == "i had soup"
    assert windows[-1].endswith("he hit me")
    assert all(len(each.split()) <= 16 for each in windows)


def test_a_message_that_is_safe_as_a_whole_is_less_dangerous_than_its_worst_sentence() -> None:
    found = combined(WORST, [{"safe": 0.97, "abuse": 0.02, "emergency": 0.01}])
    assert found.unsafe < 0.29


def test_the_worst_stretch_counts_and_names_the_topic() -> None:
    calm, grave = {"safe": 0.98, "abuse": 0.02}, {"safe": 0.02, "abuse": 0.98}
    found = combined(WORST, [calm, grave, calm])
    assert found.unsafe > 0.8
    assert found.topic == "abuse"
    assert combined(WORST, [calm]).unsafe < found.unsafe


def short(sentence: float, safe: float) -> float:
    return combined(
        Danger(sentence, "abuse", 1.0), [{"safe": safe, "abuse": 1 - safe}], SHORT
    ).unsafe


def test_a_short_message_is_stopped_only_where_a_sentence_is_dangerous_too() -> None:
    assert CARE < short(0.1, 0.001) < shipped().threshold
    assert short(0.9, 0.001) > shipped().threshold


def test_what_both_see_counts_as_the_surer_sees_it() -> None:
    assert short(0.97, 0.45) >= 0.97
    assert short(0.97, 0.97) < 0.97


def test_what_a_sentence_is_cared_about_for_is_passed_only_where_the_whole_is_surely_safe() -> None:
    assert short(0.5, 0.79) > CARE
    assert short(0.5, 0.97) < CARE


@pytest.mark.real
async def test_without_the_network_the_sentences_are_judged(
    embedder: Embedder, caplog: pytest.LogCaptureFixture
) -> None:
    said = "We had soup. He put a belt round his neck. He isn't moving."
    alone = await Classifier(embedder).danger(said)
    with caplog.at_level(logging.ERROR):
        assert await Classifier(embedder, whole=BrokenKinds()).danger(said) == alone
    assert "EngineError" in caplog.text
    assert "belt" not in caplog.text


@pytest.mark.real
async def test_the_network_is_asked_about_the_whole_message(embedder: Embedder) -> None:
    whole = FixedKinds({"tooth": "emergency"})
    words = "I lost my tooth. We had soup. It was hot."
    found = await Classifier(embedder, whole=whole).danger(words)
    assert whole.asked == ["i lost my tooth . we had soup . it was hot"]
    assert found.unsafe > (await Classifier(embedder).danger(words)).unsafe


@pytest.mark.real
async def test_a_short_message_is_read_whole_too(embedder: Embedder) -> None:
    whole = FixedKinds({"tooth": "emergency"})
    words = "I lost my tooth. We had soup."
    found = await Classifier(embedder, whole=whole).danger(words)
    assert whole.asked == ["i lost my tooth . we had soup"]
    assert found.unsafe > (await Classifier(embedder).danger(words)).unsafe


@pytest.fixture
def guard(embedder: Embedder) -> Guard:
    return build_guard(config.load(), embedder)


@pytest.mark.real
@pytest.mark.parametrize(
    "words",
    [
        "We cooked soup. I cut the carrots and Dad cut the onions. He cried because of the onions.",
        "My cousin's here. He snores like a tractor. Mum put him in the loft with the cat.",
        "The boat was stuck in the mud for hours. We ate all the crisps. Grandad sang.",
    ],
)
async def test_a_harmless_message_of_several_sentences_passes(words: str, guard: Guard) -> None:
    assert not (await guard.judge(words, side="in")).stops
