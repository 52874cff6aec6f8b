"""`companion replay`: import a recorded conversation into the log."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from companion.cli.call import Call, Commands, add_command, moment
from companion.cli.lines import lines, text_of
from companion.cli.output import counted, note
from companion.errors import InputError, UsageError
from companion.records import Role

Row = tuple[Role, str, datetime]


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "replay",
        run,
        "import a recorded conversation",
        "Import JSON lines {session, time, role, text}; role is user or assistant. "
        "Doing it again adds nothing. A bad line is named and left out.",
    )
    parser.add_argument("file", metavar="FILE.jsonl", help="- reads standard input")
    parser.add_argument("--user", metavar="NAME", help="only lines whose `user` is this")


@dataclass
class Recording:
    """What a file holds: the messages of each session in order, and what is wrong with it."""

    sessions: dict[str, list[Row]] = field(default_factory=dict)
    users: set[str] = field(default_factory=set)
    bad: list[str] = field(default_factory=list)
    """One line for each problem, without a word of what was said."""

    def take(self, document: dict[str, Any], only: str | None) -> None:
        """Add one line. Raises InputError when it is no message."""
        user = document.get("user")
        if user is not None:
            self.users.add(str(user))
        if only is not None and (user is None or str(user) != only):
            return
        session, role, text = (_string(document, key) for key in ("session", "role", "text"))
        if role not in ("user", "assistant"):
            raise InputError("role must be user or assistant")
        if not text.strip():
            raise InputError("text is empty")
        try:
            time = moment(_string(document, "time"))
        except UsageError:
            raise InputError("time is not an ISO time such as 2026-11-21T16:00:00+00:00") from None
        self.sessions.setdefault(session, []).append((role, text, time))  # type: ignore[arg-type] # looked at above


async def run(call: Call) -> int:
    name, only = call.arguments.file, call.arguments.user
    recording = await read_recording(name, only)
    if only is None and len(recording.users) > 1:
        known = ", ".join(sorted(recording.users))
        raise UsageError(f"{name}: holds several users: choose one with --user NAME of {known}")
    if only is not None and only not in recording.users:
        known = ", ".join(sorted(recording.users)) or "none"
        raise UsageError(f"{name}: there is no user {only!r}; users in it: {known}")
    added = 0
    if recording.sessions:
        added = await _store(call, recording)
    for problem in recording.bad:
        note(f"companion: {name}: {problem}")
    held = sum(len(rows) for rows in recording.sessions.values())
    sessions, bad = len(recording.sessions), len(recording.bad)
    summary = f"{counted(held, 'message')} in {counted(sessions, 'session')}: {added} added"
    document = {"sessions": sessions, "messages": held, "added": added, "bad": bad}
    call.show(document, lambda: print(summary))
    return 1 if recording.bad else 0


async def _store(call: Call, recording: Recording) -> int:
    """Import session by session; one that contradicts the log is left out as a whole."""
    from companion.store.log import import_messages

    added = 0
    async with call.store("owner") as store:
        for session, rows in recording.sessions.items():
            try:
                added += await store.write(import_messages, session, rows)
            except InputError as error:
                recording.bad.append(str(error))
    return added


async def read_recording(name: str, only: str | None) -> Recording:
    """Read a file (`-`: standard input) to its end. Raises InputError when it cannot be read."""
    recording = Recording()
    number = 0
    async with _opened(name) as descriptor:
        async for line in lines(descriptor):
            number += 1
            if not line.strip():
                continue
            try:
                recording.take(_document(line, first=number == 1), only)
            except InputError as error:
                recording.bad.append(f"line {number}: {error}")
    return recording


def _document(line: bytes, *, first: bool) -> dict[str, Any]:
    text = text_of(line)
    try:
        document = json.loads(text.removeprefix("\ufeff") if first else text)
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise InputError("not a message: nested too deeply") from None
    if not isinstance(document, dict):
        raise InputError("not an object {session, time, role, text}")
    return document


def _string(document: dict[str, Any], key: str) -> str:
    value = document.get(key)
    if not isinstance(value, str):
        raise InputError(f"{key} is missing" if value is None else f"{key} must be a string")
    return value


@asynccontextmanager
async def _opened(name: str) -> AsyncIterator[int]:
    if name == "-":
        yield sys.stdin.fileno()
        return
    try:
        descriptor = os.open(name, os.O_RDONLY)
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    try:
        yield descriptor
    except OSError as error:  # a directory, or a disk that fails
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    finally:
        os.close(descriptor)
