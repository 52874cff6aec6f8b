"""Grades taken back, on cases worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.evaluation.memories.form import Key, read_key, write_form
from companion.evaluation.memories.grades import graded, read_grades
from tests.evaluation.memories.test_form import of, result


@pytest.fixture
def form(tmp_path: Path) -> Path:
    """Two variants; they share their first memory and the profile."""
    old = result("Rio is a parrot.", "The match is on Monday.", "The user is drum.")
    new = result("Rio is a parrot.", "The match is on Friday.")
    write_form(tmp_path / "form.md", {"old": old, "new": new})
    return tmp_path / "form.md"


@pytest.fixture
def key(form: Path) -> Key:
    return read_key(form.with_suffix(".key.json"))


def reader(form: Path, key: Key, name: str, *, monday: str, drum: str) -> Path:
    """A file of grades; what is not given is graded alike by all readers."""
    path = form.with_name(name)
    path.write_text(
        f"# by {name}\n"
        f"{of(key, 'old', 1)} good f1\n\n"
        f"{of(key, 'old', 2)} {monday}   # hm\n"
        f"- {of(key, 'old', 3).upper()}: {drum}\n"
        f"{of(key, 'new', 2)} | good, t1:now |\n"
        f"{of(key, 'old', 'profile')} trivial\n"
    )
    return path


def test_shares_completeness_and_updates_by_variant(form: Path, key: Key) -> None:
    anna = reader(form, key, "anna", monday="wrong t1", drum="garbled f2")
    document = graded(form, form.with_suffix(".key.json"), [anna])
    old, new = document["variants"]["old"], document["variants"]["new"]
    assert old["memories"] == 3, "the profile is no memory"
    assert old["readers"]["anna"]["counts"] == {"good": 1, "trivial": 0, "wrong": 1, "garbled": 1}
    assert old["complete"] == 0.5, "what is garbled tells nothing"
    assert old["complete_lasting"] == 1.0
    assert old["updated"] == 0.0
    assert old["readers"]["anna"]["traps"] == {"n": 2, "yes": 1}
    assert new["shares"]["good"] == 1.0
    assert new["updated"] == 1.0
    assert document["agreement"] == {}


def test_an_update_beside_what_was_is_none(form: Path, key: Key) -> None:
    both = reader(form, key, "both", monday="good t1 t1:now", drum="good")
    document = graded(form, form.with_suffix(".key.json"), [both])
    assert document["variants"]["old"]["updated"] == 0.0


def test_two_readers_are_averaged_and_compared(form: Path, key: Key) -> None:
    anna = reader(form, key, "anna", monday="wrong t1", drum="garbled")
    ben = reader(form, key, "ben", monday="wrong", drum="good f2")
    document = graded(form, form.with_suffix(".key.json"), [anna, ben])
    old = document["variants"]["old"]
    assert old["shares"]["good"] == 0.5  # 1 of 3, 2 of 3
    assert old["complete"] == 0.75
    # Same 4 of 5; by chance (2 * 3 good + 1 * 1 wrong + 1 * 1 trivial) / 25 = 0.32.
    assert document["agreement"]["anna, ben"] == {
        "n": 5, "same": 0.8, "kappa": 0.706, "facts": {"either": 4, "both": 2}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("xxx good", "line 7: the form has no memory 'xxx'"),
        ("{first} good", "line 7: a second grade for "),
        ("{last} great", "line 7: expected good, trivial, wrong, garbled after"),
        ("{last} good f9 f1", "line 7: the form has no fact f9"),
        ("{last} good t2:now", "line 7: the form has no fact t2:now"),
        ("", "no grade for "),
    ],
)
def test_what_is_wrong_with_grades_is_named(form: Path, key: Key, line: str, message: str) -> None:
    path = reader(form, key, "anna", monday="wrong t1", drum="garbled")
    last = of(key, "old", "profile")
    lines = [each for each in path.read_text().splitlines() if not each.startswith(last)]
    path.write_text("\n".join([*lines, line.format(first=of(key, "old", 1), last=last)]))
    with pytest.raises(InputError, match=message):
        read_grades(path, key)
