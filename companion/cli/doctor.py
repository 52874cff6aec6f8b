"""`companion doctor`: is everything in place on this machine?"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, one_line, write_json
from companion.cli.sound import libraries

if TYPE_CHECKING:
    from companion.doctor import Finding


def register(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="check machine, configuration, models, store")
    parser.add_argument("--quick", action="store_true", help="leave out the self-test of llama.cpp")
    parser.add_argument(
        "--audio",
        action="store_true",
        help="only the sound: play noise for ten seconds and measure what the microphone hears",
    )
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    findings = await (_sound(call) if call.arguments.audio else _machine(call))
    if call.arguments.json:
        write_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.level:<4}  {finding.name:<22}  {one_line(finding.what)}")
            if finding.mend:
                print(f"{'':<4}  {'':<22}  -> {finding.mend}")
    return 1 if any(finding.level == "bad" for finding in findings) else 0


async def _machine(call: Call) -> list[Finding]:
    from companion.doctor import examine

    if sys.stderr.isatty():
        note("Looking …")
    return await examine(lambda: call.config, call.clock, selftest=not call.arguments.quick)


async def _sound(call: Call) -> list[Finding]:
    with libraries():
        from companion.doctor_audio import examine_audio
        from companion.engines.webrtc_echo import WebRtcEcho

    note("Playing noise for ten seconds; please be quiet …")
    return await examine_audio(call.config.voice, WebRtcEcho())
