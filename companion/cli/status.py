"""`companion status`: how the companion fares, with or without a running daemon."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import counted, one_line


def register(commands: Commands) -> None:
    add_command(
        commands,
        "status",
        run,
        "how the companion fares",
        "What the daemon does, what it has and what is missing. Without a daemon: "
        "what is remembered. Succeeds either way.",
    )


async def run(call: Call) -> int:
    from companion.daemon import status
    from companion.daemon.client import Client
    from companion.store.opening import DATABASE

    daemon = await Client.find(call.config)
    if daemon is not None:
        document = await daemon.ask("status")
    elif _may_hold_memories(call.config.data_dir / DATABASE):
        async with call.store("reader") as store:
            document = await status.of_store(call.config, store)
    else:
        document = status.idle(call.config)
    return call.show(document, lambda: _show(document))


def _may_hold_memories(database: Path) -> bool:
    try:
        return database.exists()
    except OSError:
        return True  # Opening it says why it cannot be looked at.


def _show(document: dict[str, Any]) -> None:
    for name, value in _rows(document):
        print(f"{name:<13} {one_line(value)}")


def _rows(document: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if document["running"]:
        yield "daemon", f"runs as process {document['pid']} for {_span(document['uptime_s'])}"
        yield "phase", document["phase"]
    else:
        yield "daemon", "does not run; `companion run` starts it"
    if document["safe_mode"]:
        yield "safe mode", document["safe_mode"]
    for line in document["missing"]:
        yield "missing", line
    for role, name in document["models"].items():
        yield role, name or "none"
    for name, value in (document["voice"] or {}).items():
        yield name, str(value)
    if document["page"]:
        yield "parents' page", "on"
    if document.get("listening"):
        yield "listening", f"to everybody, for {_span(document['listening']['left_s'])} more"
    if document["memory"]:
        yield "memory", _memory(document["memory"])
    if document["last_consolidation"]:
        last = document["last_consolidation"]
        yield "consolidated", f"{last['at']}: {last['added']} added, {last['replaced']} replaced"
    if document["problem"]:
        yield "problem", document["problem"]
    yield "data", document["data_dir"]


def _memory(counts: dict[str, Any]) -> str:
    waiting = f", {counts['waiting']} to learn from" if counts["waiting"] else ""
    return (
        f"{counts['memories']} memories, {counted(counts['messages'], 'message')} in "
        f"{counted(counts['sessions'], 'session')}{waiting}"
    )


def _span(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"
