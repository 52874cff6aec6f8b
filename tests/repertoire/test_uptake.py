"""A few of a child's own words, and one short thing that fits."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from companion.answering import Heard, Reading
from companion.engines.protocols import Embedder, TextVectors
from companion.records import Profile
from companion.repertoire import uptake
from companion.repertoire.echoes import BUCKETS, MOST_WORDS, runs
from companion.repertoire.uptake import LEAST_ECHO, Uptake

WRITTEN = uptake.shipped()
TOLD = Reading({"telling": 1.0})


def heard(words: str) -> Heard:
    return Heard(words, None, "", Profile(), TOLD)


def made(seed: int = 0) -> Uptake:
    return uptake.open_shipped(random.Random(seed))


async def vectors_of(embedder: Embedder, words: str) -> TextVectors:
    return (await embedder.embed_tokens([words]))[0]


async def said(embedder: Embedder, words: str, *, calm: bool = False, least: float = 0.0) -> str:
    found = made().reply(
        heard(words), await vectors_of(embedder, words), [], calm=calm, least=least
    )
    return " ".join(found or ())


async def test_runs_are_of_one_to_six_words_and_cross_no_mark(embedder: Embedder) -> None:
    words = "Yes. We saw an otter, a big one, at the old mill by the river today"
    found = runs(words, await vectors_of(embedder, words))
    assert found is not None
    texts = [found.of(at) for at in range(len(found.runs))]
    assert "an otter" in texts
    assert "the old mill by the river" in texts
    assert not any(mark in text for text in texts for mark in ".,")
    assert {len(text.split()) for text in texts} == set(range(1, MOST_WORDS + 1))
    assert found.signs.min() >= 0
    assert found.signs.max() < BUCKETS


@pytest.mark.parametrize("words", ["", "...", "?!"])
async def test_without_words_there_are_none(embedder: Embedder, words: str) -> None:
    vectors = TextVectors(
        np.ones(384, np.float32), np.ones((1, 384), np.float32), np.zeros((1, 2), np.int64)
    )
    assert runs(words, vectors) is None


@pytest.mark.parametrize(
    ("words", "echo"),
    [
        ("we have got a new kitten at home", "kitten"),
        ("my uncle took us to the fair and I won a giant panda", "panda"),
        ("on saturday we are going to the seaside", "seaside"),
    ],
)
async def test_what_was_told_is_repeated(embedder: Embedder, words: str, echo: str) -> None:
    assert echo in (await said(embedder, words)).lower()


async def test_its_own_words_are_turned(embedder: Embedder) -> None:
    text = await said(embedder, "my wobbly tooth")
    assert text.startswith(("Your wobbly tooth", "Ooh! Your wobbly tooth", "Ah! Your wobbly tooth"))


async def test_what_speaks_to_the_toy_is_not_repeated(embedder: Embedder) -> None:
    assert not (await said(embedder, "your ears")).lower().startswith("your")


async def test_where_the_guard_is_not_easy_no_mood_is_shown(embedder: Embedder) -> None:
    text = await said(embedder, "my uncle took us to the fair and I won a giant panda", calm=True)
    assert "panda" in text
    assert text.endswith(WRITTEN.calmly)


async def test_nothing_glad_is_said_where_something_may_be_amiss(embedder: Embedder) -> None:
    words = "my uncle took us to the fair and I won a giant panda"
    glad = sum((each.lines for each in WRITTEN.follow_ups.values() if each.mood == "glad"), ())
    eager = set(WRITTEN.whatever) - set(WRITTEN.calmly)
    for seed in range(5):
        vectors = await vectors_of(embedder, words)
        found = made(seed).reply(heard(words), vectors, [], least=0.0, troubled=True)
        assert not " ".join(found or ()).endswith((*glad, *eager))


async def test_who_wants_no_listener_gets_none(embedder: Embedder) -> None:
    words = "we have got a new kitten at home"
    assert made().reply(heard(words), await vectors_of(embedder, words), [], least=1.0) is None


async def test_what_was_said_lately_is_not_said_again(embedder: Embedder) -> None:
    words = "we saw a digger"
    vectors, toy = await vectors_of(embedder, words), made()
    lately: list[str] = []
    for _ in range(len(WRITTEN.whatever)):
        lately.append(" ".join(toy.reply(heard(words), vectors, lately, least=0.0) or ()))
    assert all(one not in other for one, other in pairwise(lately))
    assert toy.reply(heard(words), vectors, lately, least=0.0), "said once, it may come again"


async def test_a_certain_follow_up_goes_before_what_fits_anything(embedder: Embedder) -> None:
    toy = made()
    sure = {name: replace(each, least=0.0) for name, each in WRITTEN.follow_ups.items()}
    eager = replace(toy, written=replace(WRITTEN, follow_ups=sure))
    words = "I fell over on the gravel and my knee is bleeding"
    found = eager.reply(heard(words), await vectors_of(embedder, words), [], least=0.0)
    assert found is not None
    assert " ".join(found).endswith(sum((each.lines for each in sure.values()), ()))


def test_the_weights_know_the_follow_ups_that_are_written() -> None:
    _, follow_ups = uptake.read()
    assert set(follow_ups.names) == set(WRITTEN.follow_ups)
    assert follow_ups.weights.shape[1] == len(follow_ups.names) + 1
    assert 0 < LEAST_ECHO < 1


@pytest.mark.parametrize("name", WRITTEN.follow_ups)
def test_a_follow_up_has_lines_enough(name: str) -> None:
    each = WRITTEN.follow_ups[name]
    assert each.mood in WRITTEN.before
    assert each.mood in WRITTEN.bare
    assert 0.5 <= each.least <= 1
    assert len(set(each.lines)) == len(each.lines) >= 7
