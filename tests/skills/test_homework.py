"""Words are spelt and sums are done by a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skills.playing import playing


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        ("how do you spell necessary is it two c's", "N, E, C, E, S, S, A, R, Y"),
        ("pip how do you write because", "B, E, C, A, U, S, E"),
        ("whats seven times eight", "56"),
        ("what is a hundred and twelve take away thirteen", "99"),
        ("ok and then fifty six take away nineteen", "37"),
        ("17 divided by 5", "3, and 2 is left over"),
        ("what is four minus six", "2 below zero"),
        ("what is four divided by zero", "divided by zero"),
        ("what's six and seven", "13"),
        ("what comes after thirty nine", "40"),
        ("which number is before ten", "9"),
        ("can you count to five", "1, 2, 3, 4, 5"),
        ("count backwards from three please", "3, 2, 1"),
        ("count to a hundred", "long while"),
    ],
)
async def test_it_answers_rightly(tmp_path: Path, words: str, heard: str) -> None:
    async with playing(tmp_path) as play:
        assert heard in await play.say(words)
        assert play.by == "skill:homework"


@pytest.mark.parametrize(
    "words",
    [
        "how do you write a story",
        "i can spell my name",
        "spell it",
        "two and three",
        "we lost seven nil",
        "i did it ten times",
        "i can count to ten",
        "what comes after lunch",
        "what is one and a half",
    ],
)
async def test_it_leaves_other_words_alone(tmp_path: Path, words: str) -> None:
    async with playing(tmp_path) as play:
        await play.say(words)
        assert play.by != "skill:homework"
