"""The journal of a run: what a cut tears off, and what is no record."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import InputError
from companion.evaluation.simulation.journal import Journal


def test_a_torn_last_line_is_dropped_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    Journal(path).put("a", value=1)
    with path.open("a") as file:
        file.write('{"key": "b", "val')
    journal = Journal(path)
    assert "b" not in journal
    journal.put("b", value=2)
    assert [record["value"] for record in Journal(path).under("")] == [1, 2]
    with pytest.raises(ValueError, match="recorded already"):
        journal.put("b", value=3)


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"key": "a"}\nhello\n')
    with pytest.raises(InputError, match="line 2: is no record"):
        Journal(path)
