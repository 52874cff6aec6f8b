"""`companion devices`: the microphones and speakers there are."""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, table, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("devices", help="list microphones and speakers")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.voice.device_process import list_devices

    devices = await list_devices()
    if call.arguments.json:
        write_json(devices)
        return 0
    if not devices:
        note("No sound device. Is it plugged in, and is this user in the group audio?")
        return 0
    rows = [
        (
            device["name"],
            device["inputs"] or "",
            device["outputs"] or "",
            f"{device['rate']} Hz",
            " and ".join(side for side in ("microphone", "speaker") if device[f"default_{side}"]),
        )
        for device in devices
    ]
    table(("device", "microphones", "speakers", "own rate", "used by default as"), rows)
    note("Choose with voice.microphone and voice.speaker: a part of the name is enough.")
    return 0
