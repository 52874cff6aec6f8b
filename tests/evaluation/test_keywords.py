"""The keyword rule, on cases worked out by hand."""

import pytest

from companion.evaluation.keywords import is_right

GROUPS = [["cherry", "blossom"], ["squirrel"]]


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("You saw a CHERRY tree and a squirrel.", True),
        ("Blossom, and  a\nsquirrel", True),
        ("You saw a cherry tree.", False),
        ("", False),
    ],
)
def test_every_group_needs_one_alternative(answer: str, right: bool) -> None:
    assert is_right(answer, GROUPS) is right


def test_a_forbidden_word_makes_it_wrong() -> None:
    assert not is_right("No, you don’t like it, you like it", [["like it"]], ["you don't like"])


def test_spaces_and_apostrophes_are_folded() -> None:
    assert is_right("I  don’t\nknow", [["i don't know"]])


def test_a_blank_at_the_edge_of_a_keyword_is_meant() -> None:
    assert is_right("No dog, no", [["no "]])
    assert not is_right("I know it", [["no "]])
    assert not is_right("a bored cat", [[" red"]])
