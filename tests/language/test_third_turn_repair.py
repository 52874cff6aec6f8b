"""Repair in the third turn: a slip that is put right after the other's answer."""

from __future__ import annotations

import pytest

from companion import language

SAID = "we are going to the lighthouse on saturday"


@pytest.mark.parametrize(
    ("earlier", "said", "meant"),
    [
        (SAID, "no i mean sunday", "we are going to the lighthouse on sunday"),
        (SAID, "No wait, it's on Sunday.", "we are going to the lighthouse on Sunday"),
        (SAID, "sunday sorry", "we are going to the lighthouse on sunday"),
        (SAID, "no tomorrow", "we are going to the lighthouse tomorrow"),
        (SAID, "it's sunday not saturday", "we are going to the lighthouse on sunday"),
        ("tomorrow is judo", "oh no wait friday", "on friday is judo"),
        ("next Monday we bake.", "no, Tuesday", "next Tuesday we bake."),
        ("my birthday is in june", "oops july", "my birthday is in july"),
        ("we have three lambs", "no four", "we have four lambs"),
        ("i am six", "no i'm seven", "i am seven"),
        ("gran is 71 and has 4 hens", "no wait not 4, 5", None),
        ("gran is 71 and has 4 hens", "5 hens", None),
        ("gran is 71 and has 4 hens", "no 5 not 4", "gran is 71 and has 5 hens"),
        ("the goat is called bramble", "no i mean bracken",
         "the goat is called bramble … no i mean bracken"),
        (SAID, "no i mean it", None),
        (SAID, "sunday", None),
        (SAID, "no we go on sunday too", None),
        ("i like hens", "no i mean sunday", None),
        ("we swim on monday and friday", "no sunday", None),
        ("we swim on monday and friday", "no sunday not friday", "we swim on monday and sunday"),
    ],
)  # fmt: skip
def test_what_was_meant(earlier: str, said: str, meant: str | None) -> None:
    assert language.third_turn_repair.repaired(earlier, "Oh, how nice!", said) == meant


def test_an_answer_is_no_repair() -> None:
    """But words that say that it was a slip are one, whatever was asked in between."""
    repaired = language.third_turn_repair.repaired
    assert repaired(SAID, "And when do you come back?", "no, Sunday") is None
    assert repaired(SAID, "Will you sleep there till Saturday?", "no, Sunday") is None
    assert repaired(SAID, "And when do you come back?", "no wait I meant Sunday") is not None
    assert repaired(SAID, "Lovely! Is it far?", "no, Sunday") is not None
