"""`companion run`: the daemon."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from pathlib import Path

from companion.cli.call import Call, Commands
from companion.cli.sound import check_files
from companion.clock import ManualClock
from companion.errors import UsageError

_RESERVE = 0.9
"""Of the time to stop; the rest is for the kernel."""


def register(commands: Commands) -> None:
    parser = commands.add_parser(
        "run",
        help="the daemon: listen, talk, learn",
        description="The daemon: listens, talks, and learns in silence, until it is stopped. "
        "What is missing (a model, a microphone) is named, and the rest works.",
    )
    parser.add_argument("--in", dest="heard", type=Path, metavar="WAV", help="hear this file")
    parser.add_argument("--out", dest="spoken", type=Path, metavar="WAV", help="speak into this")
    parser.add_argument(
        "--pace",
        choices=("real", "simulated"),
        default="real",
        help="of files: as time passes, or as fast as the machine can (default: real)",
    )
    parser.set_defaults(run=run, stoppable=True)


async def run(call: Call) -> int:
    from companion.daemon import journal
    from companion.daemon.ears import Files
    from companion.daemon.life import Life
    from companion.daemon.notify import Notifier

    given, config = call.arguments, call.config
    if given.heard is None and given.spoken is not None:
        raise UsageError("--out needs --in: files stand for both devices or for none")
    if given.heard is None and given.pace != "real":
        raise UsageError("--pace simulated needs --in: devices know real time only")
    if given.heard is not None:
        check_files(given.heard, given.spoken)
    files = Files(given.heard, given.spoken) if given.heard is not None else None
    clock = call.clock
    if files is not None and given.pace == "simulated":
        clock = ManualClock(clock.wall(), trusted=clock.trusted())
    os.umask(0o077)
    faulthandler.enable()
    journal.open_log()

    def be_quick(failed: bool) -> None:
        """Whatever still computes (a model that loads) must not outlast the time to stop. All
        that was said is committed; what is given up here, the next start finishes."""
        timer = threading.Timer(config.service.stop_s * _RESERVE, _leave, (int(failed),))
        timer.daemon = True
        timer.start()

    await Life(config, clock, Notifier(), files=files, stopping=be_quick).run()
    return 0


def _leave(code: int) -> None:
    """code: a failure must not look like an orderly stop, after which nobody starts it again."""
    print("companion: left at once: a part took too long to close", file=sys.stderr, flush=True)
    os._exit(code)
