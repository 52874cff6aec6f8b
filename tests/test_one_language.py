"""English lives in `companion/language/`: no other room holds word lists or patterns over words.

Free of this are `safety/` (its patterns and word lists are its data), prompts, fixed replies and
messages to the user, each in one file for its room, evaluation (its written sets) and `cli/` (all
of it is messages). `python -m tests.test_one_language` counts what is left.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "companion"
FREE_ROOMS = {"language", "safety", "evaluation", "cli"}

OF_REGEX = {"compile", "search", "match", "fullmatch", "sub", "findall", "finditer", "split"}
NO_WORDS = re.compile(r"\\[A-Za-z]|\(\?(?:P?<\w+>|[a-zA-Z:=!<]+)|\{[\d,]*\}|\[[^\]]*\]")
"""Parts of a pattern that are no words: classes, names of groups, sets, counts."""

WORD = re.compile(r"[A-Za-z]{2,}")
LOOKS_LIKE_A_PATTERN = re.compile(r"\(\?[:=!<]|\\b\w|[a-z]\?:|[a-z]{2,}\|[a-z]{2,}")

NO_LANGUAGE = {
    ("dialog/spoken.py", "think"),  # tags of models
    ("dialog/spoken.py", "https"),
    ("dialog/spoken.py", "http"),
    ("dialog/spoken.py", "www"),
    ("engines/llama/devices.py", ""),  # lines of llama.cpp's log
    ("engines/llama/fatal.py", ""),
    ("engines/llama/library.py", ""),
    ("engines/llama/out_of_memory.py", ""),
    ("engines/server/stream.py", ""),  # errors of servers
    ("voice/devices/gpio.py", ""),  # names of devices
}
"""File and word (empty: any) that are a protocol's, not a language's."""


def texts_in(node: ast.AST) -> list[str]:
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def words_of_patterns(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Words in what is handed to `re`."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in OF_REGEX
            and node.args
        ):
            for text in texts_in(node.args[0]):
                for word in WORD.findall(NO_WORDS.sub(" ", text)):
                    yield node.lineno, word


def words_of_parts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Words in strings that look like parts of a pattern, wherever they stand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if LOOKS_LIKE_A_PATTERN.search(text) and "\n\n" not in text and "`" not in text:
                for word in WORD.findall(NO_WORDS.sub(" ", text)):
                    yield node.lineno, word


def words_of_lists(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Words in sets of strings, and in strings that are split into words."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "split":
            if isinstance(func.value, ast.Constant) and isinstance(func.value.value, str):
                words = WORD.findall(func.value.value)
                if len(words) >= 4:
                    yield node.lineno, words[0]
        elif isinstance(func, ast.Name) and func.id in ("frozenset", "set") and node.args:
            words = [text for text in texts_in(node.args[0]) if WORD.fullmatch(text)]
            if len(words) >= 4:
                yield node.lineno, words[0]


def english_in(file: Path, root: Path = PACKAGE) -> list[str]:
    """Each place of a file that holds English, as `file:line: word`."""
    name = file.relative_to(root).as_posix()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = {*words_of_patterns(tree), *words_of_parts(tree), *words_of_lists(tree)}
    return [
        f"{name}:{line}: {word}"
        for line, word in sorted(found)
        if (name, "") not in NO_LANGUAGE and (name, word) not in NO_LANGUAGE
    ]


def files(root: Path = PACKAGE) -> list[Path]:
    every = sorted(root.rglob("*.py"))
    return [each for each in every if each.relative_to(root).parts[0] not in FREE_ROOMS]


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_room_holds_no_english(file: Path) -> None:
    assert english_in(file) == []


@pytest.mark.parametrize("file", files(), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_language_is_reached_through_its_door(file: Path) -> None:
    """No room names a language: it would not be the one that was chosen."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            assert not node.module.startswith("companion.language.en"), f"line {node.lineno}"
            if node.module == "companion.language":
                names = {alias.name for alias in node.names}
                assert names <= {"choose"}, f"line {node.lineno}: from companion import language"


def test_the_rule_sees_what_it_forbids(tmp_path: Path) -> None:
    file = tmp_path / "room.py"
    file.write_text(
        'import re\nA = re.compile(r"\\b(?P<who>mum|dad)\\b")\n'
        'B = frozenset("a an the of to in".split())\nC = "aunt|uncle"\n'
    )
    assert len(english_in(file, tmp_path)) == 5


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE
    left = {each.relative_to(root): english_in(each, root) for each in files(root)}
    for places in left.values():
        print(*places[:3], sep="\n", end="\n" * bool(places))
    print(f"{sum(1 for places in left.values() if places)} files hold English")
