"""The context, and the blocks that fall out of it."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.assist.buffer import MOST, Buffer, pieces, tail

START = datetime(2026, 10, 7, 16, 0, tzinfo=timezone.utc)
TALK = (
    "We met at the ferry in the rain. Olu had lost his hat, and nobody minded but Olu. "
    "His sister Bisi is a vet in Hull. She has two parrots and a lame fox. "
    "On Sunday they all come to us for lunch, and I have not even bought bread. "
) * 3


@pytest.mark.parametrize(
    ("text", "characters", "end"),
    [
        ("", 75, ""),
        ("   \n ", 75, ""),
        ("short", 75, "short"),
        ("one two three", 9, "two three"),
        ("one two three", 8, "three"),
        ("x" * 100, 10, "x" * 10),
        ("one  two\nthree", 9, "two three"),
    ],
)
def test_the_tail_begins_with_a_word(text: str, characters: int, end: str) -> None:
    assert tail(text, characters) == end


def test_a_megabyte_is_read_from_its_end() -> None:
    assert tail("word " * 200_000 + "her cat is called", 20) == "her cat is called"


@given(st.lists(st.integers(1, 40), max_size=40))
def test_every_word_is_in_one_block_however_it_was_heard(cuts: list[int]) -> None:
    words, buffer, found = TALK.split(), Buffer(75), []
    at = 0
    for cut in [*cuts, len(words)]:
        found += buffer.add(" ".join(words[at : at + cut]), START + timedelta(seconds=at))
        at += cut
        assert len(buffer.context) <= 75
    context = buffer.context
    found += buffer.end()
    assert " ".join(each.text for each in found).split() == words
    assert all(len(each.text) <= MOST for each in found)
    assert TALK.strip().endswith(context)
    assert [each.time for each in found] == sorted(each.time for each in found)
    assert buffer.context == ""


def test_blocks_end_with_sentences() -> None:
    found = pieces(TALK, START)
    assert all(len(each.text) >= 60 for each in found[:-1])
    assert all(each.text.endswith(".") for each in found)


def test_a_block_has_the_time_of_its_first_word() -> None:
    buffer = Buffer(10)
    assert buffer.add("This sentence is not long enough yet", START) == []
    [block] = buffer.add(
        "but now it is, and more. And this follows it.", START + timedelta(hours=1)
    )
    assert block.time == START
    assert block.text.endswith("and more.")
