"""Rooms reach the language that was chosen, and only through its door."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import language

PACKAGE = Path(language.__file__).parent.parent


@pytest.fixture
def upside_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A second language: it brings what the first has, with numbers of its own."""
    folder = tmp_path / "xx"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "numbers.py").write_text("def spelled(n, up_to=10):\n    return 'n' * n\n")
    monkeypatch.setattr(language, "__path__", [*language.__path__, str(tmp_path)])
    yield "xx"
    language.choose("en")


def test_what_is_called_belongs_to_the_chosen_language(upside_down: str) -> None:
    assert language.numbers.spelled(3) == "three"
    language.choose(upside_down)
    assert language.numbers.spelled(3) == "nnn"
    language.choose("en")
    assert language.numbers.spelled(3) == "three"


@pytest.mark.parametrize("code", ["zz", "", "../en", "tables.nothing"])
def test_a_language_that_is_not_there_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="there is no language"):
        language.choose(code)


def test_every_module_of_the_door_is_used_and_no_other_is_there() -> None:
    """The list in docs/language.md is what somebody has to write: it must not grow by itself."""
    used: set[str] = set()
    for file in PACKAGE.rglob("*.py"):
        if "language" not in file.relative_to(PACKAGE).parts:
            used |= set(re.findall(r"\blanguage\.(\w+)", file.read_text(encoding="utf-8")))
    assert set(language.MODULES) <= used
    page = (PACKAGE.parent / "docs" / "language.md").read_text(encoding="utf-8")
    assert [name for name in language.MODULES if f"| `{name}` |" not in page] == []
