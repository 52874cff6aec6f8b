"""Written children: by which words a memory is known, and what is said of a bad file."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from companion.errors import InputError
from companion.evaluation.extraction.gold import SHIPPED, Fact, TrapKind, Words, read_children
from tests.evaluation.children import ANA


def fact(**given: object) -> Fact:
    return Fact.model_validate({"what": "x", **given})


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("The user has a grey cat.", True),
        ("The user has a GRAY cat named Momo.", True),
        ("The user's cats are grey.", False),
        ("The user's vacation was grey.", False),
        ("The user's cat is not grey.", False),
        ("The user's cat isn’t grey.", False),
        ("The user has a cat.", False),
    ],
)
def test_a_memory_is_known_by_whole_words(text: str, fits: bool) -> None:
    words = Words.model_validate({"match": ["cat", "grey/gray"], "without": ["not/*n't"]})
    assert words.fit(text) is fits


def test_a_star_stands_for_any_ending() -> None:
    words = Words.model_validate({"match": ["allerg*"]})
    assert words.fit("The user is allergic to nuts.")
    assert not words.fit("The user is unallergic.")


def test_a_fact_about_somebody_else_names_them() -> None:
    of_the_brother = fact(match=["seven/7"], about="brother/tom*")
    assert of_the_brother.fit("The user's brother Tom is seven.")
    assert of_the_brother.fit("Tomek is 7.")
    assert not of_the_brother.fit("The user is seven.")


def test_dates_that_are_right() -> None:
    assert fact(match=["a"]).dates == frozenset()
    assert fact(match=["a"], date="2026-09-07 or none").dates == {"2026-09-07", None}
    assert fact(match=["a"], date="2026-09-07/2026-09-08").dates == {"2026-09-07/2026-09-08"}


def test_a_file_becomes_a_child(tmp_path: Path) -> None:
    (tmp_path / "ana.yaml").write_text(ANA)
    (ana,) = read_children(tmp_path)
    assert (ana.child, ana.split, ana.profile.age, ana.profile.gender) == ("Ana", "dev", 7, None)
    assert [(role, text) for role, text, _ in ana.sessions[1].rows[:2]] == [
        ("user", "I have a cat named Mimi."),
        ("assistant", "And Momo?"),
    ]
    assert len(ana.facts) == 5
    assert [each.fit("The user sings in the rain.") for each in ana.sessions[1].harmless] == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("was", "becomes", "line", "says"),
    [
        ("split: dev", "split: test", 2, "split"),
        ("  - id: ana-2", "  - id: ana-1", 21, "a second session 'ana-1'"),
        ("time: 2026-10-07T16:00", "time: soon", 22, "sessions.1.time"),
        ("time: 2026-10-07T16:00", "time: 2026-10-01T16:00", 22, "after that of the session"),
        ("      P: A fox!", "      A fox!", 14, "expected 'C: '"),
        ("match: [fox*]", "matches: [fox*]", 18, "match"),
        ("match: [fox*]", "match: []", 18, "match"),
        ("match: [fox*]", "match: [fox//wolf]", 18, "words divided by '/'"),
        ("about: aunt*", "about: aunt/", 30, "words divided by '/'"),
        ("about: aunt*", "about: ''", 30, "words divided by '/'"),
        ("date: 2026-10-04", "date: 2026-10-44", 18, "a day like 2026-09-07"),
        ("until: ana-2", "until: ana-9", 17, "a later session"),
        (", why: correction", "", 17, "until and why together"),
        ("kind: suggestion", "kind: rumour", 20, "kind"),
        ("profile: {", "profile: [", 4, "not YAML"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(
    tmp_path: Path, was: str, becomes: str, line: int, says: str
) -> None:
    assert was in ANA
    (tmp_path / "ana.yaml").write_text(ANA.replace(was, becomes, 1))
    with pytest.raises(InputError, match=rf"ana\.yaml, line {line}: .*{says}"):
        read_children(tmp_path)


def test_a_session_without_a_word_is_named(tmp_path: Path) -> None:
    silent = re.sub(r"talk: \|\n(      [CP]: .*\n)+", "talk: ''\n", ANA, count=1)
    (tmp_path / "ana.yaml").write_text(silent)
    with pytest.raises(InputError, match=r"ana\.yaml, line 8: sessions\.0\.talk: "):
        read_children(tmp_path)


def test_a_time_without_a_zone_stands_beside_one_with(tmp_path: Path) -> None:
    (tmp_path / "ana.yaml").write_text(ANA.replace("2026-10-07T16:00", "2026-10-07T16:00:00+02:00"))
    (ana,) = read_children(tmp_path)
    first, second = (session.rows[0][2].isoformat() for session in ana.sessions)
    assert (first, second) == ("2026-10-05T16:00:00+00:00", "2026-10-07T16:00:00+02:00")


def test_two_children_of_one_name_are_named(tmp_path: Path) -> None:
    for file in ("ana.yaml", "two.yaml"):
        (tmp_path / file).write_text(ANA)
    with pytest.raises(InputError, match=r"two\.yaml: a second child 'Ana', as in ana\.yaml"):
        read_children(tmp_path)


def test_a_folder_without_children_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no"):
        read_children(tmp_path)


def test_the_shipped_set_is_what_was_promised() -> None:
    children = read_children(SHIPPED)
    assert Counter(child.split for child in children) == {"dev": 3, "held-out": 3}
    assert all(len(child.sessions) == 7 for child in children)
    for split in ("dev", "held-out"):
        there = [child for child in children if child.split == split]
        kinds = {trap.kind for child in there for talk in child.sessions for trap in talk.traps}
        assert kinds == set(get_args(TrapKind))
        assert {fact.why for child in there for fact in child.facts if fact.why} >= {
            "change",
            "cancelled",
        }
