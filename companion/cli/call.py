"""One run of the program: what was asked, in which configuration, at what time."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.cli.output import note, write_json
from companion.clock import Clock, ShiftedClock, SystemClock
from companion.errors import StoreInRam, UsageError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.store.database import Mode, Store

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a group of commands registers itself."""


@dataclass(frozen=True)
class Call:
    """What a command is given."""

    arguments: argparse.Namespace
    clock: Clock

    @cached_property
    def config(self) -> Config:
        """The configuration, with the options before the command applied. Raises ConfigError."""
        from companion.config import load

        given = self.arguments
        settings = getattr(given, "with_settings", True)
        config = load(
            given.config, profile=given.profile, data_dir=given.data_dir, settings=settings
        )
        if self.arguments.llm is None:
            return config
        own = {"backend": "llama-cpp", "file": self.arguments.llm}
        active = config.llm.active.model_copy(update=own)
        pair = config.llm.model_copy(update={"active": active})
        return config.model_copy(update={"llm": pair})

    @asynccontextmanager
    async def store(self, mode: Mode) -> AsyncIterator[Store]:
        """The store, open; what a person should know about it goes to stderr.

        Raises StoreBusy, StoreError, ConfigError.
        """
        from companion.assembly.store import open_store

        async with open_store(self.config, self.clock, mode=mode) as store:
            for notice in store.notices:
                note(notice)
            yield store

    async def asked(self, do: str, **details: Any) -> Any:
        """The document of what a parent sees or changes (`companion.parents`): from the running
        daemon, which owns the store; where none runs, or where it keeps everything in RAM, from
        the store itself.

        Raises InputError, StoreBusy, StoreError, DaemonError, ConfigError.
        """
        from companion.daemon.client import Client
        from companion.parents import ACCESS, CHANGES, READS

        if (daemon := await Client.find(self.config)) is not None:
            try:
                return await daemon.ask(do, kept=True, **details)
            except StoreInRam:
                pass  # then the files are nobody's, or say themselves what is wrong with them
        changes = {**CHANGES, **ACCESS}
        function = changes.get(do) or READS[do]
        async with self.store("owner" if do in changes else "reader") as store:
            return await function(store, self.config, self.clock, details)

    def show(self, document: Any, for_people: Callable[[], object]) -> int:
        """The same facts for machines, with `--json`, or for people; returns the exit code 0."""
        if self.arguments.json:
            write_json(document)
        else:
            for_people()
        return 0


Run = Callable[[Call], Awaitable[int]] | Callable[[Call], int]
"""A command: does its work and returns the exit code. A plain function may block, and is stopped
by signals as any program is; a coroutine function is cancelled by them, to close what it opened."""


def moment(text: str) -> datetime:
    """An ISO date or time, aware; the local zone when none is given. Raises UsageError."""
    try:
        # Python 3.10 does not read the Z of UTC.
        parsed = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in "Zz" else text)
        if not MINYEAR < parsed.year < MAXYEAR:  # a zone or a day more would leave the calendar
            raise ValueError
        return parsed if parsed.tzinfo else parsed.astimezone()
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            f"{text!r} is not a time; write it as 2026-11-21T16:00:00+00:00 or 2026-11-21"
        ) from None


def add_global_options(parser: argparse.ArgumentParser) -> None:
    """The options that stand before the command."""
    parser.add_argument(
        "--config",
        type=_path,
        metavar="FILE",
        help="configuration (default: $COMPANION_CONFIG, else the config.yaml of this program)",
    )
    parser.add_argument(
        "--data-dir",
        type=_path,
        metavar="DIR",
        help="where the memory is kept, in place of data_dir",
    )
    parser.add_argument(
        "--profile", metavar="NAME", help="laptop, desktop, tiny, jetson, jetson-4b or one of yours"
    )
    parser.add_argument(
        "--now", metavar="ISO", help="let the wall clock start at this moment (replays, tests)"
    )
    parser.add_argument("--llm", type=_path, metavar="FILE", help="a GGUF model file of your own")


def _path(text: str) -> Path:
    """Not "", which would be the present folder: the shell makes it of a variable that is unset."""
    if not text:
        raise argparse.ArgumentTypeError("is empty")
    return Path(text)


def clock_for(arguments: argparse.Namespace) -> Clock:
    """The machine's clock, or one that starts at `--now`. Raises UsageError."""
    return SystemClock() if arguments.now is None else ShiftedClock(moment(arguments.now))


def add_command(
    commands: Commands,
    name: str,
    run: Run,
    help: str,
    description: str | None = None,
    *,
    json: str | None = "one JSON document",
) -> argparse.ArgumentParser:
    """A command and what carries it out. json: what `--json` writes, the same facts for machines;
    None for a command without it."""
    parser = commands.add_parser(name, help=help, description=description)
    if json is not None:
        parser.add_argument("--json", action="store_true", help=f"{json} on standard output")
    parser.set_defaults(run=run)
    return parser
