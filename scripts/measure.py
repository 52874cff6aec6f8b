"""Rerun the figures of docs/results.md, and say what has changed.

    scripts/measure FOLDER [--only NAME,...] [--locomo FILE] [--memorybank DIR] [--again]
        [--dry-run]

Each figure of scripts/figures.yaml is measured by its command and kept in FOLDER as NAME.json and,
where there is one, NAME.png. What was measured already, by the same command, is not measured again:
after a cut, the same line goes on. At the end (and after every figure) FOLDER/summary.md holds each
value beside what docs/results.md says and what the contract asks for. Counts and ratios are what
two machines have in common; leave the machine alone meanwhile if milliseconds are to mean anything.
Exit code 1 when a figure could not be measured.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, Any

import yaml
from figure_values import against, find, reached

from companion import config

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "scripts" / "figures.yaml"
PROGRAMS = {"companion": [sys.executable, "-m", "companion"], "python": [sys.executable]}


@dataclass(frozen=True)
class Value:
    """One number of a figure's document."""

    path: str
    """Keys and places, joined by dots: `sizes.1000.p50_ms`."""

    written: str = ""
    """What docs/results.md says, literally."""

    contract: str = ""
    """`<= 20` or `>= 8`; nothing where none was promised."""


@dataclass(frozen=True)
class Figure:
    """What one command measures."""

    name: str
    what: str
    run: str
    """Its command, with {models}, {locomo}, {memorybank}, {out} to be filled in."""

    minutes: float
    """On two cores, roughly."""

    values: tuple[Value, ...] = ()
    plot: bool = False

    def command(self, places: Mapping[str, Path | None], out: Path) -> list[str] | None:
        """None when it needs a file that was not given."""
        words = []
        for word in shlex.split(self.run):
            if any(place is None and f"{{{name}}}" in word for name, place in places.items()):
                return None
            for name, place in places.items():
                word = word.replace(f"{{{name}}}", str(place))
            words.append(word)
        extra = ["--plot", str(out / f"{self.name}.png")] if self.plot else []
        return [*PROGRAMS[words[0]], *words[1:], *extra]


def figures(file: Path = FIGURES) -> list[Figure]:
    """Every figure, in the order in which they are measured."""
    found = []
    for row in yaml.safe_load(file.read_text(encoding="utf-8")):
        values = tuple(Value(*map(str, each)) for each in row.pop("values", []))
        found.append(Figure(**row, values=values))
    return found


def chosen(known: Sequence[Figure], only: str | None) -> list[Figure]:
    """Those whose name fits one of the patterns. Exits with 2 for a pattern that fits none."""
    if only is None:
        return list(known)
    patterns = only.split(",")
    for pattern in patterns:
        if not any(fnmatch(each.name, pattern) for each in known):
            names = ", ".join(each.name for each in known)
            sys.exit(_wrong(f"--only {pattern}: no such figure; there are: {names}"))
    return [each for each in known if any(fnmatch(each.name, pattern) for pattern in patterns)]


def measure(figure: Figure, command: Sequence[str], out: Path) -> str:
    """Run one figure. "" when it was measured, else why not, in one line."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        last: list[str] = []
        passing = threading.Thread(target=_pass_on, args=(process.stderr, last))
        passing.start()
        document = _document(process.stdout.read())
        passing.join()
    code = process.returncode
    if document is None:
        return f"exit code {code}, and no figures{f': {last[0]}' if last else ''}"
    keep(out / f"{figure.name}.json", document)
    return ""


def _pass_on(stream: IO[str], last: list[str]) -> None:
    """What a command tells of its progress, line by line; the last one is why it ended, perhaps."""
    for line in stream:
        sys.stderr.write(line)
        sys.stderr.flush()
        if line.strip():
            last[:] = [line.strip()]


def keep(file: Path, document: Any) -> None:
    part = file.with_name(f"{file.name}.part")
    part.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
    part.replace(file)


def kept(file: Path) -> Any:
    """None where there is no file, or a power cut left none of its content."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def _document(text: str) -> Any:
    """One JSON document, or JSON lines as a list; None of anything else."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()] or None
    except ValueError:
        return None


def summary(known: Sequence[Figure], out: Path) -> str:
    """Markdown: every value that lies in the folder."""
    lines = [
        "| figure | value | now | docs/results.md | now / then | contract | reached |",
        "|---|---|---|---|---|---|---|",
    ]
    plots = []
    for figure in known:
        document = kept(out / f"{figure.name}.json")
        if document is None:
            continue
        for row in _rows(figure, document):
            lines.append("| " + " | ".join((figure.name, *row)) + " |")
        if (out / f"{figure.name}.png").exists():
            plots.append(f"![{figure.what}]({figure.name}.png)")
    return "\n".join([*lines, "", *plots, ""])


def _rows(figure: Figure, document: Any) -> list[tuple[str, ...]]:
    if isinstance(document, list):  # voice_figures.py judges its figures itself.
        return [
            (
                row["name"],
                row["result"],
                "",
                "",
                row["target"],
                "yes" if row["reached"] else "**no**",
            )
            for row in document
        ]
    rows: list[tuple[str, ...]] = []
    for value in figure.values:
        now = find(document, value.path)
        judged = reached(now, value.contract), against(now, value.written)
        shown = "missing" if now is None else f"{now:,}" if isinstance(now, int) else str(now)
        rows.append((value.path, shown, value.written, judged[1], value.contract, judged[0]))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    known = figures(asked.figures)
    out: Path = asked.folder.resolve()
    places: dict[str, Path | None] = {
        "models": config.load().models_dir.expanduser(),
        "locomo": asked.locomo and asked.locomo.resolve(),
        "memorybank": asked.memorybank and asked.memorybank.resolve(),
        "out": out,
    }
    jobs = [(each, each.command(places, out)) for each in chosen(known, asked.only)]
    for figure, command in jobs:
        if command is None:
            _note(f"left out: {figure.name} needs data ({figure.run}); see --help")
    ready = [(figure, command) for figure, command in jobs if command is not None]
    if asked.dry_run:
        for figure, command in ready:
            print(f"{figure.name:<22}{figure.minutes:>6.1f} min  {figure.what}")
            print(f"{'':<34}{shlex.join([figure.run.split()[0], *_own(command)])}")
        print(f"{len(ready)} figures, about {sum(f.minutes for f, _ in ready):.0f} minutes")
        return 0
    out.mkdir(parents=True, exist_ok=True)
    failed = measure_all(known, ready, out, again=asked.again)
    print((out / "summary.md").read_text(encoding="utf-8"))
    for name, why in failed.items():
        _note(f"NOT measured: {name}: {why}")
    _note(f"everything lies in {out}; begin with summary.md")
    return 1 if failed else 0


def measure_all(
    known: Sequence[Figure], jobs: Sequence[tuple[Figure, list[str]]], out: Path, *, again: bool
) -> dict[str, str]:
    """Measure what is not there yet; why which could not be."""
    record = out / "measured.json"
    measured = kept(record) or {}
    failed: dict[str, str] = {}
    left = sum(figure.minutes for figure, _ in jobs)
    for number, (figure, command) in enumerate(jobs, start=1):
        head = f"[{number}/{len(jobs)}] {figure.name}"
        there = kept(out / f"{figure.name}.json") is not None
        if there and not again and measured.get(figure.name, {}).get("command") == command:
            _note(f"{head}: there already")
        else:
            _note(f"{head}: {figure.what} (about {figure.minutes:.0f} of {left:.0f} min left)")
            began = time.monotonic()
            if why := measure(figure, command, out):
                failed[figure.name] = why
                _note(f"{head}: NOT measured: {why}")
            else:
                seconds = round(time.monotonic() - began, 1)
                measured[figure.name] = {"command": command, "seconds": seconds}
                keep(record, measured)
        left -= figure.minutes
        (out / "summary.md").write_text(summary(known, out), encoding="utf-8")
    return failed


def _own(command: list[str]) -> list[str]:
    """A command without the program it begins with."""
    return command[3:] if command[1:3] == ["-m", "companion"] else command[1:]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/measure", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--only", metavar="NAME,...", help="names or patterns: 'ttft-*,memory-tiny'"
    )
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="locomo_conv1-5.json")
    parser.add_argument(
        "--memorybank", type=Path, metavar="DIR", help="with sessions.jsonl and gold.jsonl"
    )
    parser.add_argument("--again", action="store_true", help="also what was measured already")
    parser.add_argument("--dry-run", action="store_true", help="list figures, commands, minutes")
    parser.add_argument("--figures", type=Path, default=FIGURES, help=argparse.SUPPRESS)
    return parser


def _wrong(text: str) -> int:
    _note(f"scripts/measure: {text}")
    return 2


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
