"""Writes docs/lives.md: of written lives the talk, what was remembered, and the answers next day.

    python scripts/lives_page.py docs/lives.md lachlan gwilym
    python scripts/lives_page.py docs/lives.md --answers desmond=DOCUMENT.json

For each name it reads tests/memories/NAME (form.md, form.key.json, reader_*.txt, answers.json) and
links to tests/strangers/lives/NAME.jsonl. `--answers` first takes the answers out of a document of
`companion eval memories --json` and keeps them as tests/memories/NAME/answers.json. Without names:
those of `SHOWN`. Memories are listed where a form compares variants; else the form is linked. A
line of a memory's grades is `reader one / reader two`, and the facts are those of the form.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.errors import InputError
from companion.evaluation.memories.form import Key, read_key
from companion.evaluation.memories.grades import Graded, graded, read_grades

ROOT = Path(__file__).resolve().parent.parent
MEMORIES = ROOT / "tests" / "memories"
_ITEM = re.compile(r"^### (\w{3})\n\n> (.*)$(?:\n> \(day: (.*)\))?", re.MULTILINE)
SHOWN = ("soraya", "edvin")
"""A child and a grown-up: the lives that were opened last."""

_HEAD = """# Lives: what was said, what was remembered, what was answered

Weeks of talk by strangers, every memory made of them as two blind readers graded it (how:
[HOW.md](../tests/memories/HOW.md)), and the answers next day as they came. Made by
`python scripts/lives_page.py docs/lives.md`, not written by hand; the figures behind it:
[experiments.md](experiments.md#one-value-at-a-time-and-passages).
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("lives", nargs="*", metavar="NAME")
    parser.add_argument("--answers", nargs="*", default=[], metavar="NAME=DOCUMENT.json")
    asked = parser.parse_args(arguments)
    try:
        for each in asked.answers:
            keep_answers(each)
        names = asked.lives or SHOWN
        asked.page.write_text(page(names, asked.page.resolve().parent), encoding="utf-8")
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def keep_answers(named: str) -> None:
    """Take the answers out of a document, without what was recalled for them. Raises InputError."""
    name, _, document = named.partition("=")
    try:
        read = json.loads(Path(document).read_text(encoding="utf-8"))
        kept = {
            part: [
                {key: each[key] for key in ("question", "answer", "gold", "type", "right")}
                for each in read[part]["answers"]
            ]
            for part in ("questions", "questions_expired")
            if part in read
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{document}: is not a document of `companion eval memories --json` ({error})"
        ) from None
    folder = MEMORIES / name
    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such life; its form and grades stand there")
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    (folder / "answers.json").write_text(text + "\n", encoding="utf-8")


def page(names: Sequence[str], folder: Path) -> str:
    """The whole page. folder: where it will stand. Raises InputError."""
    return "\n".join([_HEAD, *("\n".join(life(name)) for name in names)])


def life(name: str) -> Iterator[str]:
    """The lines of one life."""
    of, talk = MEMORIES / name, f"../tests/strangers/lives/{name.capitalize()}.jsonl"
    form, key_file = of / "form.md", of / "form.key.json"
    readers = sorted(of.glob("reader_*.txt"))
    key, result = read_key(key_file), graded(form, key_file, readers)
    yield f"## {key.user}\n"
    yield f"[The whole talk]({talk}), [the form](../tests/memories/{name}/form.md).\n"
    yield "| | memories | good | trivial | wrong | garbled | complete | updated |"
    yield "|---|---|---|---|---|---|---|---|"
    for variant, counts in result["variants"].items():
        shares = " | ".join(f"{share:.0%}" for share in counts["shares"].values())
        updated = "–" if counts["updated"] is None else f"{counts['updated']:.0%}"
        complete = f"{counts['complete']:.0%}"
        yield f"| {variant} | {counts['memories']} | {shares} | {complete} | {updated} |"
    yield ""
    if len(key.variants) > 1:
        yield from _memories(form, key, readers)
    yield from _answers(of / "answers.json")


def _memories(form: Path, key: Key, readers: Sequence[Path]) -> Iterator[str]:
    yield "| memory | in | grades | tells |"
    yield "|---|---|---|---|"
    readings = [read_grades(path, key) for path in readers]
    for id, text, day in _ITEM.findall(form.read_text(encoding="utf-8")):
        yield _row(id, f"{text} ({day})" if day else text, key, readings)
    yield ""


def _row(id: str, text: str, key: Key, readings: Sequence[dict[str, Graded]]) -> str:
    variants = ", ".join(dict.fromkeys(each.variant for each in key.items[id]))
    grades = " / ".join(each[id].grade for each in readings)
    tells = " ".join(sorted(set[str]().union(*(each[id].tells for each in readings))))
    return f"| {_cell(text)} | {variants} | {grades} | {tells} |"


def _answers(path: Path) -> Iterator[str]:
    if not path.exists():
        return
    document: dict[str, list[dict[str, Any]]] = json.loads(path.read_text(encoding="utf-8"))
    for part, heading in (
        ("questions", "Asked on the next day"),
        ("questions_expired", "The same with raw turns expired"),
    ):
        answers = document.get(part, [])
        if not answers:
            continue
        right = sum(each["right"] for each in answers)
        yield f"### {heading}: {right} of {len(answers)} right\n"
        yield "| question | answer | should be | |"
        yield "|---|---|---|---|"
        for each in answers:
            cells = (each["question"], each["answer"], each["gold"])
            yield f"| {' | '.join(map(_cell, cells))} | {'right' if each['right'] else ''} |"
        yield ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
