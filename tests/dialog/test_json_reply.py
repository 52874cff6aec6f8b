from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dialog.json_reply import JsonReply


def read(pieces: list[str]) -> tuple[str, dict[str, str], bool]:
    reader = JsonReply()
    text = "".join(reader.feed(piece) for piece in pieces)
    return text, reader.values, reader.ended


def test_the_reply_is_handed_on_as_it_comes() -> None:
    reader = JsonReply()
    pieces = ['{"name":', '"Mia","re', 'ply":"He', "llo ", 'Mia!"', "}"]
    assert [reader.feed(piece) for piece in pieces] == ["", "", "He", "llo ", "Mia!", ""]
    assert reader.values == {"name": "Mia"}


def test_null_and_empty_values_are_left_out() -> None:
    assert read(['{"name":null,"age": 7,"gender":" ","reply":"Hi"}']) == ("Hi", {"age": "7"}, True)


@pytest.mark.parametrize("value", [r'"O\'Brien"', r'"\u12"', r'"\x"', "9" * 5_000, "-0"])
def test_a_value_that_no_json_is_costs_itself_at_most(value: str) -> None:
    """It ended the program: a model behind a server without grammars writes what it likes."""
    said, values, _ = read([f'{{"name":"Mia","age":{value},"reply":"Hi"}}'])
    assert said == "Hi"
    assert values.pop("name") == "Mia"
    assert set(values) <= {"age"}


def test_a_number_may_begin_with_zero_as_the_grammar_lets_it() -> None:
    assert read(['{"age":07,"reply":"Hi"}'])[:2] == ("Hi", {"age": "07"})


def test_an_answer_without_json_is_the_reply() -> None:
    assert read([" Hel", "lo {there}"]) == (" Hello {there}", {}, False)


def test_json_in_a_code_fence_is_read() -> None:
    assert read(['```json\n{"age": null, "reply": "Hi"}\n```'])[0] == "Hi"


def test_what_follows_the_reply_is_not_spoken() -> None:
    assert read(['{"reply":"Hi"}', '{"reply":"again"}'])[0] == "Hi"


def test_an_object_without_a_reply_says_nothing() -> None:
    assert read(['{"name":"Mia"}'])[0] == ""


def test_a_broken_escape_does_not_stop_the_reply() -> None:
    assert read(['{"reply":"a\\uZZZZb\\ud83dc"}'])[0] == "abc"


@given(st.text(), st.lists(st.integers(0, 300), max_size=10), st.booleans())
def test_any_reply_in_any_split_is_read_as_it_was_written(
    reply: str, cuts: list[int], escaped: bool
) -> None:
    # A pair of escapes is an emoji, which nobody speaks: it is dropped.
    said = "".join(letter for letter in reply if not escaped or letter <= "\uffff")
    written = json.dumps({"name": 'M"ia', "reply": reply}, ensure_ascii=escaped)
    places = sorted({0, len(written), *(cut for cut in cuts if cut < len(written))})
    pieces = [written[start:end] for start, end in pairwise(places)]
    assert read(pieces) == (said, {"name": 'M"ia'}, True)
