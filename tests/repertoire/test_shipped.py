"""The packs that are shipped, all of them."""

from __future__ import annotations

from collections import defaultdict

import pytest

from companion.repertoire import packs, vectors
from companion.repertoire.check import check_replies
from companion.repertoire.packs import Entry

FILES = packs.files(packs.SHIPPED)
ENTRIES = [entry for file in FILES for entry in packs.read_file(file)]


def test_there_are_packs() -> None:
    assert len(FILES) >= 40
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)


@pytest.mark.parametrize("pack", [file.stem for file in FILES])
def test_guard_and_voice_object_to_no_reply(pack: str) -> None:
    found = [each for entry in ENTRIES if entry.pack == pack for each in check_replies(entry)]
    assert found == []


@pytest.mark.parametrize("pack", [file.stem for file in FILES])
def test_an_entry_has_wordings_and_replies_enough_for_a_week(pack: str) -> None:
    for entry in ENTRIES:
        if entry.pack == pack:
            assert len(entry.says) >= 6, entry.id
            assert len(entry.replies) >= 3, entry.id


def test_vectors_are_not_stale() -> None:
    """Run scripts/build_repertoire.py after every change of a pack."""
    known = vectors.read(vectors.SHIPPED)
    assert known.missing([vectors.PROBE, *packs.texts(ENTRIES)]) == []
    assert known.holds([vectors.PROBE, *packs.texts(ENTRIES)])


def test_both_choices_of_a_family_answer_the_same_wordings() -> None:
    asked: defaultdict[str, set[str]] = defaultdict(set)
    for entry in ENTRIES:
        if entry.family is not None:
            asked[entry.family] |= set(entry.says)
    assert asked["santa-keep"] == asked["santa-tell"]
    assert asked["fairy-keep"] == asked["fairy-tell"]


def test_an_entry_without_the_name_always_has_a_reply() -> None:
    def ready(entry: Entry) -> int:
        return sum(packs.NAME not in reply for reply in entry.replies)

    assert [entry.id for entry in ENTRIES if ready(entry) < 2] == []
