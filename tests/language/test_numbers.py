"""One table of numbers, for reading and for writing."""

from __future__ import annotations

import pytest

from companion import language
from companion.language.en.numbers import number_in, spelled


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("zero", 0),
        ("nineteen", 19),
        ("Twenty-one", 21),
        ("ninety nine", 99),
        ("seventh", None),
        ("", None),
        ("7" * 5000, None),
    ],
)
def test_a_number_is_read(text: str, number: int | None) -> None:
    assert number_in(text) == number


def test_what_is_spelled_is_read_again() -> None:
    for number in range(1, 40):
        assert number_in(spelled(number, up_to=20)) == number


def test_numbers_are_spelled_up_to_a_bound() -> None:
    assert [spelled(n, up_to=6) for n in (0, 1, 6, 7)] == ["no", "one", "six", "7"]
    assert language.numbers.spelled(11) == "11"
