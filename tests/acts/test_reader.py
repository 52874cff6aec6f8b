"""What messages are read as, with the real embedder and the weights that are shipped. The messages
are the author's own: of strangers' sets, scripts/fit_acts.py tells."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import pytest

from companion.acts import classifier
from companion.acts.acts import ACTS
from companion.acts.features import form
from companion.acts.reader import ActReader, last_sentences
from companion.answering import UNREAD
from companion.engines.protocols import Embedder, TextVectors
from companion.errors import EngineError
from tests.fakes import HashEmbedder

ROOT = Path(__file__).resolve().parent.parent.parent
SETS = [
    *(ROOT / "scripts" / "acts").glob("*.jsonl"),
    *(ROOT / "tests" / "strangers" / "talk").glob("acts-*.jsonl"),
]


class Broken(HashEmbedder):
    async def embed_tokens(self, texts: object) -> list[TextVectors]:
        raise EngineError("no")


@pytest.mark.parametrize(
    ("words", "previous", "act"),
    [
        ("hello pip im awake", "", "greeting"),
        ("bye pip i have to go to football", "", "goodbye"),
        ("can we have a story with a crocodile in it please", "", "ask_story"),
        ("tell us a funny joke about cows", "", "ask_joke"),
        ("lets play a game with words", "", "ask_game"),
        ("set a timer for my noodles", "", "ask_timer"),
        ("why do cats have whiskers", "", "why_question"),
        ("will my grandma go to heaven when she dies", "", "hard_question"),
        ("you be the shopkeeper and i be the robber", "", "pretend"),
        ("knock knock", "", "tells_joke"),
        ("no i said a goat not a boat", "A boat! Where does it sail?", "correction"),
        ("yes please", "Shall I tell you one?", "yes_no"),
        ("you are a stinky fart bag", "", "insult"),
        ("can you ring my auntie for me", "", "ask_cannot"),
        ("do you remember what my fish is called", "", "about_memory"),
    ],
)
async def test_a_plain_message_is_read_rightly(
    embedder: Embedder, words: str, previous: str, act: str
) -> None:
    assert (await ActReader(embedder, "Pip").read(words, previous)).act == act


async def test_what_the_toy_said_before_counts(embedder: Embedder) -> None:
    reader = ActReader(embedder, "Pip")
    answer = await reader.read("a blue one", "Lovely! What colour is your bike?")
    alone = await reader.read("a blue one", "")
    assert answer.of("short_answer") > alone.of("short_answer") + 0.2


async def test_probabilities_are_of_all_acts_and_add_up(embedder: Embedder) -> None:
    reading = await ActReader(embedder, "Pip").read("my shoe is wet", "")
    assert set(reading.probabilities) == set(ACTS)
    assert sum(reading.probabilities.values()) == pytest.approx(1)
    assert reading.of(*ACTS) == pytest.approx(1)


@pytest.mark.parametrize("words", ["", "???", "   "])
async def test_what_has_no_word_is_not_read(embedder: Embedder, words: str) -> None:
    assert await ActReader(embedder, "Pip").read(words, "") == UNREAD


async def test_over_another_embedder_or_a_broken_one_nothing_is_read() -> None:
    assert await ActReader(HashEmbedder(), "Pip").read("hello", "") == UNREAD
    assert await ActReader(Broken(), "Pip").read("hello", "") == UNREAD


def test_only_the_end_of_what_the_toy_said_counts() -> None:
    assert last_sentences("One came. Two went. Did three stay?") == "Two went. Did three stay?"
    assert last_sentences("") == ""


def test_weights_are_of_these_acts_and_features(tmp_path: Path) -> None:
    known = classifier.read()
    assert known.acts == ACTS
    known.write(tmp_path / "again.npz")
    again = classifier.read(tmp_path / "again.npz")
    assert np.allclose(again.weights, known.weights, atol=1e-3)
    assert again.temperature == pytest.approx(known.temperature)


def test_a_reading_costs_hardly_anything_beside_the_embedding() -> None:
    known = classifier.read()
    vector = np.zeros_like(known.probe)
    words = "can you tell me the story of the dragon who lost his shoes in the river"
    times = []
    for _ in range(20):
        start = time.perf_counter()
        known.reading(words, words, vector, "What shall we do?", vector, "Pip")
        times.append(time.perf_counter() - start)
    assert min(times) < 0.004  # 1 ms on a laptop that is at rest


def test_form_has_the_same_length_for_all_words() -> None:
    lengths = {
        len(form(words, words, before, "Pip")) for words in ("", "hi") for before in ("", "?")
    }
    assert len(lengths) == 1


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_every_message_to_learn_from_has_an_act(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    kinds = {row[key] for row in rows for key in ("kind", "kind2") if row.get(key)}
    assert rows
    assert kinds <= set(ACTS)
