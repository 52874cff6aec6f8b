"""`companion run`: the daemon."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.call import Call, Commands, add_command
from companion.cli.sound import check_files
from companion.clock import ManualClock
from companion.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from companion.assembly.missing import Missing
    from companion.config import Config

_RESERVE = 0.9
"""Of the time to stop; the rest is for the kernel."""


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "run",
        run,
        "the daemon: listen, talk, learn",
        "The daemon: listens, talks, and learns in silence, until it is stopped. "
        "What is missing (a model, a microphone) is named, and the rest works.",
        json=None,
    )
    parser.add_argument(
        "--in", dest="heard", type=Path, metavar="WAV", help="hear this file, no microphone"
    )
    parser.add_argument(
        "--out", dest="spoken", type=Path, metavar="WAV", help="speak into this file"
    )
    parser.add_argument(
        "--pace",
        choices=("real", "simulated"),
        default="real",
        help="of files: as time passes, or as fast as the machine can (default: real)",
    )
    parser.set_defaults(stoppable=True)


async def run(call: Call) -> int:
    from companion.config import default_path
    from companion.daemon import journal, last_config
    from companion.daemon.daemon import Daemon
    from companion.daemon.notify import Notifier
    from companion.voice.parts import Files

    given = call.arguments
    if given.heard is None and given.spoken is not None:
        raise UsageError("--out needs --in: files stand for both devices or for none")
    if given.heard is None and given.pace != "real":
        raise UsageError("--pace simulated needs --in: devices know real time only")
    if given.heard is not None:
        check_files(given.heard, given.spoken)
    config, missing = _config(call)
    os.umask(0o077)
    if not missing:
        last_config.keep(given.config or default_path(), config)
    files = Files(given.heard, given.spoken) if given.heard is not None else None
    clock = call.clock
    if files is not None and given.pace == "simulated":
        clock = ManualClock(clock.wall(), trusted=clock.trusted())
    faulthandler.enable()
    journal.open_log()

    def be_quick(failed: bool) -> None:
        """Whatever still computes (a model that loads) must not outlast the time to stop. All
        that was said is committed; what is given up here, the next start finishes."""
        timer = threading.Timer(config.service.stop_s * _RESERVE, _leave, (int(failed),))
        timer.daemon = True
        timer.start()

    await Daemon(config, clock, Notifier(), files=files, missing=missing, stopping=be_quick).run()
    return 0


def _config(call: Call) -> tuple[Config, list[Missing]]:
    """The configuration; where it has a mistake, what is wrong with it and the same without what a
    parent has set, or the last good one. Raises ConfigError when there is none."""
    from companion.assembly.missing import Missing
    from companion.daemon import last_config

    try:
        config = call.config
    except ConfigError as error:
        last = last_config.find(call.arguments.data_dir)
        instead: list[dict[str, object]] = [{"with_settings": False}]
        if last is not None:
            instead += [{"config": last}, {"config": last, "with_settings": False}]
        for each in instead:
            arguments = argparse.Namespace(**{**vars(call.arguments), **each})
            with contextlib.suppress(ConfigError):
                config = replace(call, arguments=arguments).config
                return config, [Missing(last_config.MISTAKEN, str(error))]
        raise
    return config, []


def _leave(code: int) -> None:
    """code: a failure must not look like an orderly stop, after which nobody starts it again."""
    print("companion: left at once: a part took too long to close", file=sys.stderr, flush=True)
    os._exit(code)
