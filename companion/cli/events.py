"""`companion events`: what a lamp, a servo or a face can follow, as it happens."""

from __future__ import annotations

import json
from contextlib import aclosing

from companion.cli.call import Call, Commands, add_command
from companion.errors import DaemonError


def register(commands: Commands) -> None:
    parser = add_command(
        commands,
        "events",
        run,
        "what a body can follow: state, loudness, words, moods, timers",
        "Writes a JSON object a line as things happen, until it is stopped. Needs the daemon: "
        "`companion run`. A reader that falls behind is dropped.",
        json=None,
    )
    parser.set_defaults(stoppable=True)


async def run(call: Call) -> int:
    from companion.daemon.client import Client

    daemon = await Client.find(call.config)
    if daemon is None:
        raise DaemonError(
            f"no daemon runs for {call.config.data_dir}: start it with `companion run`"
        )
    async with aclosing(daemon.events("events")) as events:
        async for event in events:
            print(json.dumps(event), flush=True)
    return 0
