"""What consolidation did, in words: a line while it works, a diary when it has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from companion.cli.output import counted, one_line
from companion.consolidation.report import Entry, Progress, Report

_DOING = {
    "embed": "leafing through",
    "embed-memory": "leafing through",
    "embed-block": "leafing through",
    "chunk": "leafing through",
    "summarize": "summing up",
    "draft": "going over what was said",
    "merge": "putting like to like",
    "refine": "comparing with what was known",
    "sort": "comparing with what was known",
    "follow": "looking for what became of it",
    "profile": "thinking about who you are",
    "revise": "thinking about who you are",
    "finish": "closing the day",
    "openers": "thinking of tomorrow",
    "forget": "letting old things fade",
}
_SIGNS = {"learnt": "+", "changed": "~", "faded": "-"}


def doing(progress: Progress) -> str:
    """The kind of step, e.g. `going over what was said`."""
    return _DOING.get(progress.step, progress.step)


def in_words(progress: Progress) -> str:
    """One step, e.g. `going over what was said, 3 of 12`."""
    return f"{doing(progress)}, {progress.done} of {progress.done + progress.left}"


def summary(report: Report) -> str:
    """One line about a run; empty when it changed nothing."""
    counts = {change: sum(entry.change == change for entry in report.diary) for change in _SIGNS}
    parts = [f"{count} {change}" for change, count in counts.items() if count]
    return ", ".join(parts)


def show_report(report: Report, file: TextIO | None = None) -> None:
    """The diary: what was learnt, changed and faded, each with the turns it rests on."""
    for entry in report.diary:
        print(_line(entry), file=file)
    for line in _figures(report):
        print(line, file=file)


def _line(entry: Entry) -> str:
    said = ", ".join(f"{session}#{turn}" for session, turn in entry.sources)
    before = f" (before: {one_line(entry.before)})" if entry.before else ""
    name = f"memory {entry.id}" if entry.id is not None else entry.what
    where = f"  [{said}]" if said else ""
    return f"{_SIGNS[entry.change]} {entry.change} {name}: {one_line(entry.text)}{before}{where}"


def _figures(report: Report) -> Iterator[str]:
    if not report.sessions and not report.diary:
        yield "Nothing new to consolidate."
        return
    yield (
        f"{counted(report.sessions, 'session')}, {counted(report.turns, 'turn')} "
        f"in {report.duration_s:.0f} s: "
        f"{report.drafted} drafted, {report.dropped} dropped, {report.added} added, "
        f"{report.replaced} replaced, {report.duplicates} duplicates, {report.forgotten} forgotten"
    )
    if report.retries.parked:
        parked = counted(report.retries.parked, "step")
        yield f"{parked} given up for now, to be tried again next time"
