"""The parser of all commands, and the one place where a failure becomes a line and a code."""

from __future__ import annotations

import argparse
import asyncio
import inspect
import io
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

from companion import __version__
from companion.cli.call import Call, add_global_options, clock_for
from companion.errors import CompanionError

GROUPS = (
    "chat ask assist run status control events consolidate replay memories questions repertoire "
    "listings settings timers export storage erase key models doctor eval voice web bench"
).split()
"""The modules of this room that register commands, in the order in which they are listed."""

_ALONE = ("web",)
"""Commands of a process that stays small beside the daemon: they do without the other modules."""

_OURS = os.path.dirname(os.path.dirname(__file__))
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_STOPPED = "companion: stopped; what was done is kept"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 a named failure, 2 wrong usage,
    75 already running. Wrong usage found by argparse leaves through SystemExit(2)."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        _write_utf8(stream)
    arguments = parser(_groups(argv)).parse_args(argv)
    try:
        call = Call(arguments, clock_for(arguments))
        if inspect.iscoroutinefunction(arguments.run):
            code = asyncio.run(_run(call))
        else:
            code = int(arguments.run(call))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`| head`): nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CompanionError as error:
        print(f"companion: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(_STOPPED, file=sys.stderr)
        return 1
    except Exception as error:  # a defect of ours: one line, without what was said
        if os.environ.get("COMPANION_DEBUG") == "1":
            traceback.print_exc()
        else:
            print(f"companion: {_defect(error)}", file=sys.stderr)
        return 1
    return code


def parser(groups: Sequence[str] = GROUPS) -> argparse.ArgumentParser:
    """All commands. Each group registers its own."""
    root = argparse.ArgumentParser(
        prog="companion",
        description="An on-device companion that remembers. Nothing that is said leaves this "
        "machine, unless the configuration names a server.",
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"companion {__version__}")
    add_global_options(root)
    root.set_defaults(stoppable=False)
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for group in groups:
        import_module(f"companion.cli.{group}").register(commands)
    return root


def _groups(argv: Sequence[str] | None) -> Sequence[str]:
    """What the command needs: all, but for those of _ALONE."""
    words = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    add_global_options(words)
    words.add_argument("command", nargs="?")
    try:
        command = words.parse_known_args(argv)[0].command
    except (argparse.ArgumentError, SystemExit):
        return GROUPS  # the whole parser says what is wrong
    return (command,) if command in _ALONE else GROUPS


async def _run(call: Call) -> int:
    """Await the command; the first signal to stop cancels it, so that it closes what it has
    open. A second one takes its default course: whatever is committed is safe."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True
        for number in _STOPPING:
            loop.remove_signal_handler(number)
        task.cancel()

    for number in _STOPPING:
        loop.add_signal_handler(number, stop)
    try:
        return int(await call.arguments.run(call))
    except asyncio.CancelledError:
        if not stopped:
            raise
        if not call.arguments.stoppable:
            print(_STOPPED, file=sys.stderr)
            return 1
        return 0


def _defect(error: Exception) -> str:
    """One line for what should never happen. The exception's own text stays out of it: it may
    carry words that were said."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _OURS in frame.filename]
    return (
        f"unexpected {type(error).__name__} at {ours[-1].filename}:{ours[-1].lineno}; this is a "
        "defect, please report it; COMPANION_DEBUG=1 shows the traceback"
    )


def _open_what_is_closed() -> None:
    """A service or a shell (`<&-`) may give no stream at all: then there is nothing to read, and
    nobody reads. Else the next file that is opened would be taken for it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(nothing, mode, encoding="utf-8"))


def _write_utf8(stream: TextIO) -> None:
    """Whatever the locale says: a lone surrogate is shown as an escape, never an exception."""
    if isinstance(stream, io.TextIOWrapper):  # else a test has put something in its place
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
