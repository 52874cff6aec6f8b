"""Characters across tokens, and stop strings across pieces."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.engines.llama.incremental_decoder import Piecewise


def _run(data: bytes, cuts: list[int], stops: list[str]) -> tuple[str, list[str]]:
    piecewise = Piecewise(stops)
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [piecewise.feed(data[start:end]) for start, end in pairwise(edges)]
    pieces.append(piecewise.rest())
    return "".join(pieces), pieces


@given(st.text(), st.lists(st.integers(min_value=0)))
def test_text_is_the_same_however_its_bytes_are_cut(text: str, cuts: list[int]) -> None:
    whole, pieces = _run(text.encode(), cuts, [])
    assert whole == text
    assert not any("\ufffd" in piece for piece in pieces if "\ufffd" not in text)


@given(
    st.text("abc\n"),
    st.lists(st.integers(min_value=0)),
    st.lists(st.text("abc\n", min_size=1, max_size=3), max_size=3),
)
def test_text_ends_before_the_first_stop_however_it_is_cut(
    text: str, cuts: list[int], stops: list[str]
) -> None:
    whole, _ = _run(text.encode(), cuts, stops)
    ends = [text.find(stop) for stop in stops if stop in text]
    assert not any(stop in whole for stop in stops)
    assert text.startswith(whole)
    if not ends:
        assert whole == text
    else:
        assert len(whole) <= max(ends)


def test_only_what_may_become_a_stop_is_held_back() -> None:
    piecewise = Piecewise(["\nUser:"])
    assert piecewise.feed(b"Hello.\nUs") == "Hello."
    assert piecewise.feed(b"eful things") == "\nUseful things"
    assert piecewise.feed(b"\nUser: hi") == ""
    assert piecewise.stopped
    assert piecewise.feed(b"more") + piecewise.rest() == ""


def test_an_unfinished_character_is_dropped_at_the_end() -> None:
    piecewise = Piecewise([])
    assert piecewise.feed("ok 🐋".encode()[:-1]) + piecewise.rest() == "ok "


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert Piecewise([]).feed(b"a\xffb") == "a\ufffdb"
