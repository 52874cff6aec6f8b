"""docs/reliability.md names a test for each fault: they are there."""

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
