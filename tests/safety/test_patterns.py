"""Every pattern of the guard holds against its own examples."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.language.tables import Table
from companion.safety.normalize import plain
from companion.safety.pattern_guard import find
from companion.safety.patterns import Pattern, of_side, read, tables

FOLDERS = {"input_patterns": of_side("in"), "output_patterns": of_side("out")}
ENTRIES = [
    pytest.param(table, entry, pattern, FOLDERS[folder], id=f"{table.path.stem}:{name}")
    for folder in FOLDERS
    for table in tables(folder)
    for name, pattern in read(table)
    for entry in [table.entries[name]]
]
PARTS = [
    pytest.param(table, name, id=f"{table.path.stem}:{name}")
    for folder in FOLDERS
    for table in tables(folder)
    for name, entry in table.entries.items()
    if entry.get("part")
]


@pytest.mark.parametrize(("table", "entry", "pattern", "all_patterns"), ENTRIES)
def test_a_pattern_holds_against_its_examples(
    table: Table, entry: dict[str, Any], pattern: Pattern, all_patterns: tuple[Pattern, ...]
) -> None:
    assert entry.keys() - {"unless"} == {"topic", "what", "cost", "pattern", "stops", "passes"}
    assert len(entry["stops"]) >= 2
    assert len(entry["passes"]) >= 2
    assert [said for said in entry["stops"] if find(plain(said), [pattern]) is None] == []
    assert [said for said in entry["passes"] if find(plain(said), all_patterns) is not None] == []


@pytest.mark.parametrize(("table", "name"), PARTS)
def test_a_part_serves_another_entry(table: Table, name: str) -> None:
    assert table.entries[name].keys() == {"what", "part", "pattern"}
    assert table.pattern(name)
    inside = f"(?&{name})"
    across = f"(?&{table.path.stem}.{name})"
    texts = {each.path: each.path.read_text() for each in tables(table.path.parent.name)}
    assert inside in texts[table.path] or any(across in text for text in texts.values())


def test_what_calls_a_pattern_off_is_found_in_the_same_sentence_only() -> None:
    shot = Pattern("weapons", re.compile(r"\bgun\b"), unless=re.compile(r"\bwater\b"))
    assert find(plain("I have a water gun."), [shot]) is None
    assert find(plain("I like water. I have a gun."), [shot]) == "weapons"
