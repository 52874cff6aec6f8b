"""`companion web`: the parents' page, a process of its own."""

from __future__ import annotations

import asyncio
import os

from companion.cli import pin
from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import positive
from companion.cli.output import note
from companion.errors import UsageError

NICE = 10
"""Below the toy, as the unit of systemd has it: the child's talk comes first, whoever knocks."""


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "web",
        run,
        "the parents' page",
        "The parents' page, until it is stopped: see what the toy has learnt, correct, keep and "
        "erase it. Open on this machine only, unless web.lan is set.",
        json=None,
    )
    parser.add_argument(
        "--port", type=positive, metavar="N", help="another one than web.port (8722)"
    )
    parser.set_defaults(stoppable=True)
    pin.add_to(parser, run)


async def run(call: Call) -> int:
    try:
        from companion.web import listening
        from companion.web.site import site
    except ModuleNotFoundError as error:
        raise UsageError(
            f"the parents' page needs {error.name}, which is not installed: "
            "scripts/setup installs it, and so does pip install 'companion[web]'"
        ) from None
    from companion.web.toy import Daemon

    section = call.config.web
    listening.check_certificate(section)
    port = call.arguments.port or section.port
    sockets = listening.handed_over()
    if not sockets:
        os.nice(NICE)
        sockets = listening.own(section, port)
        kind = "https" if section.certificate else "http"
        note(f"the parents' page: {kind}://localhost:{port}/ (Ctrl-C ends it)")
    toy = Daemon(call.config, call.clock)
    telling = asyncio.create_task(toy.show())
    try:
        await listening.serve(site(call.config, call.clock, toy), section, sockets)
    finally:
        telling.cancel()
        await asyncio.wait([telling])
    return 0
