"""docs/reliability.md and docs/jetson.md name a test for each fault: they are there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
TABLE = TESTS.parent / "docs" / "reliability.md"


def test_every_test_that_the_table_names_is_there() -> None:
    missing = []
    file = TESTS
    for path, test in re.findall(r"`([\w/]+\.py)?(?:::(\w+))?`", TABLE.read_text()):
        file = TESTS / path if path else file
        if not file.is_file() and not (TESTS.parent / path).is_file():
            missing.append(path)
        elif test and not re.search(rf"def {test}", file.read_text()):
            missing.append(f"{file.relative_to(TESTS)}::{test}")
    assert missing == []


def test_every_test_that_the_tables_of_a_board_name_is_there() -> None:
    """A name alone is of tests/test_bad_boards.py; a beginning is enough, as in the table above."""
    text = (TESTS.parent / "docs" / "jetson.md").read_text()
    missing, named = [], 0
    for path, test in re.findall(r"`(?:([\w/]*test_\w+\.py)(?:::)?)?(test_\w+)?`", text):
        if not path and not test:
            continue
        named += 1
        file = TESTS / (path or "test_bad_boards.py")
        if not file.is_file():  # in the folder of the one before it
            file = next(TESTS.glob(f"*/{path}"), file)
        if not file.is_file() or not re.search(rf"def {test}", file.read_text()):
            missing.append(f"{path}::{test}")
    assert missing == []
    assert named > 25
