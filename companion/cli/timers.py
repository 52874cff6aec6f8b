"""`companion timers`: what is to ring. `companion stories`: what can be told, and checks."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import listing, note, one_line, when
from companion.store.timers import Timer


def register(commands: Commands) -> None:
    add_command(commands, "timers", run_timers, "timers, alarms and reminders that have not rung")
    check = add_command(
        commands,
        "stories",
        run_stories,
        "the stories that it can tell; or check files of stories",
        "Without files: the titles. With files: what keeps each from being told, or told well.",
    )
    check.add_argument("files", nargs="*", type=Path, metavar="FILE", help="a story to be checked")


async def run_timers(call: Call) -> int:
    from companion.store.timers import all_timers

    async with call.store("reader") as store:
        found = await store.read(all_timers)
    now = call.clock.wall()
    rows = [(each.id, each.kind, one_line(each.label), _due(each, now)) for each in found]
    headings = ("timer", "kind", "for", "rings")
    return call.show(
        [asdict(each) for each in found],
        lambda: listing(headings, rows, "Nothing is waiting to ring."),
    )


def _due(timer: Timer, now: datetime) -> str:
    if timer.at is not None:
        return when(datetime.fromisoformat(timer.at).replace(tzinfo=now.tzinfo), now)
    if timer.due is None:
        return "unknown: the clock was not set"
    return when(datetime.fromtimestamp(timer.due, now.tzinfo), now)


def run_stories(call: Call) -> int:
    from companion.errors import InputError
    from companion.skills import story

    if not call.arguments.files:
        shelf = story.shelf()
        rows = [
            (each.title, len(each.parts), f"{each.ages[0]} to {each.ages[1]}", each.bedtime)
            for each in shelf
        ]
        document: Any = [{"title": each.title, "parts": len(each.parts)} for each in shelf]
        return call.show(
            document, lambda: listing(("title", "parts", "ages", "bedtime"), rows, "No stories.")
        )
    found: dict[str, list[str]] = {}
    for file in call.arguments.files:
        try:
            found[str(file)] = story.faults(story.read(file))
        except InputError as error:
            found[str(file)] = [str(error).removeprefix(f"{file}: ")]

    def show() -> None:
        for name, faults in found.items():
            for fault in faults:
                print(f"{name}: {fault}")
        note(f"{sum(not each for each in found.values())} of {len(found)} stories are well made")

    call.show(found, show)
    return 1 if any(found.values()) else 0
