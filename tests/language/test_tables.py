"""Every table of words and patterns holds against its own examples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.language.tables import Table

PACKAGE = Path(__file__).resolve().parent.parent.parent / "companion"
FILES = sorted([*(PACKAGE / "language").rglob("*.yaml"), *(PACKAGE / "safety").glob("*.yaml")])


def entries() -> Iterator[tuple[Table, str, dict[str, Any]]]:
    for file in FILES:
        table = Table(file)
        for name, entry in table.entries.items():
            yield table, name, entry


def ids() -> list[str]:
    return [f"{table.path.stem}:{name}" for table, name, _ in entries()]


@pytest.mark.parametrize(("table", "name", "entry"), list(entries()), ids=ids())
def test_an_entry_holds_against_its_examples(
    table: Table, name: str, entry: dict[str, Any]
) -> None:
    kinds = {"pattern", "words", "map"} & entry.keys()
    assert len(kinds) == 1, "an entry is a pattern, words or a map"
    assert entry.get("what"), "an entry says what it finds"
    known = {"what", "cost", "case", "part", "matches", "spares", *kinds}
    assert entry.keys() <= known, "an entry has no other keys"
    matches, spares = entry.get("matches", ()), entry.get("spares", ())
    if "pattern" in entry:
        pattern = table.pattern(name)
        assert entry.get("part") or (entry.get("cost") and matches and spares)
        assert [text for text in matches if not pattern.search(text)] == []
        assert [text for text in spares if pattern.search(text)] == []
    elif "words" in entry:
        words = table.words(name)
        assert len(words) == len(table.ordered(name)), "no word stands twice"
        assert set(matches) <= words
        assert words.isdisjoint(spares)
    else:
        assert all(isinstance(value, str) for value in table.mapping(name).values())


def test_a_reference_stands_for_another_entry(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "kin.yaml").write_text("family: {what: x, words: mum dad}\n")
    (tmp_path / "room" / "own.yaml").write_text(
        "mine: {what: x, pattern: '\\b(?&pronoun) (?&kin.family)\\b'}\n"
        "pronoun: {what: x, map: {my: one, our: many}}\n"
    )
    found = Table(tmp_path / "room" / "own.yaml").pattern("mine")
    assert found.search("with My dad")
    assert not found.search("my daddy")
