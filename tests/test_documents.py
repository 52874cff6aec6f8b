"""What the documents promise about themselves: links, lengths, and that nothing is left out."""

from __future__ import annotations

import argparse
import importlib.util
import re
from pathlib import Path
from typing import Any

import yaml

from companion.cli.app import parser

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)


def pages() -> list[Path]:
    """Every page of the project, wherever it lies."""
    rooms = ("companion", "docs", "models", "scripts", "systemd", "tests")
    return [*ROOT.glob("*.md"), *(page for room in rooms for page in (ROOT / room).rglob("*.md"))]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links (GitHub's rule)."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.+?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rows(table: str) -> list[str]:
    """The rows of the first table in a text, without its head."""
    found = re.search(r"^\|.*\n\|[-| :]+\n((?:\|.*\n)+)", table, re.M)
    assert found is not None
    return found[1].splitlines()


def commands(found: argparse.ArgumentParser, above: str = "companion") -> dict[str, Any]:
    """Every command that does something, `companion memories list`, with its parser."""
    for action in found._actions:
        if isinstance(action, argparse._SubParsersAction):
            return {
                name: each
                for choice, below in action.choices.items()
                for name, each in commands(below, f"{above} {choice}").items()
            }
    return {above: found}


def keys(tree: dict[str, Any], above: str = "") -> list[str]:
    """Every key of a configuration, `llm.active.model`."""
    found = []
    for key, value in tree.items():
        name = f"{above}{key}"
        found += keys(value, f"{name}.") if isinstance(value, dict) else [name]
    return found


def test_every_relative_link_leads_somewhere() -> None:
    broken = []
    for page in pages():
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = (page.parent / name).resolve() if name else page
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def test_the_readme_is_short() -> None:
    assert len(read("README.md").splitlines()) <= 180


def test_the_results_begin_with_a_table_of_at_most_twenty_rows() -> None:
    text = read("docs/results.md")
    title, table = text.split("\n", 1)
    assert title == "# Results"
    assert table.lstrip().startswith("| what | figure | target | command | date | machine |")
    assert 0 < len(rows(table)) <= 20


def test_every_key_of_the_configuration_is_explained() -> None:
    shipped = yaml.safe_load(read("config.yaml"))
    del shipped["profiles"]
    page = read("docs/configuration.md")
    assert [key for key in keys(shipped) if f"| `{key}` |" not in page] == []


def test_the_page_on_configuration_explains_no_key_that_is_gone() -> None:
    shipped = yaml.safe_load(read("config.yaml"))
    explained = re.findall(r"^\| `([\w.]+)` \|", read("docs/configuration.md"), re.M)
    assert sorted(explained) == sorted(k for k in keys(shipped) if not k.startswith("profiles."))


def test_every_command_is_explained_with_its_options() -> None:
    page = read("docs/commands.md") + read("docs/evaluation.md")
    missing = []
    for name, command in commands(parser()).items():
        if not re.search(rf"`{re.escape(name)}\b", page):
            missing.append(name)
        options = {option for action in command._actions for option in action.option_strings}
        missing += [f"{name} {each}" for each in options if each not in page]
    assert missing == []


def test_the_wake_word_engine_that_is_shown_is_there() -> None:
    shown = re.search(r"wake_engine: ([\w.]+):(\w+)", read("docs/wake-word.md"))
    assert shown is not None
    found = importlib.util.find_spec(shown[1])
    assert found is not None
    assert found.origin is not None
    assert f"class {shown[2]}" in Path(found.origin).read_text(encoding="utf-8")
