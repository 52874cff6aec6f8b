"""`companion doctor`: is everything in place on this machine?"""

from __future__ import annotations

import sys
from dataclasses import asdict

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import note, one_line, write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="check machine, configuration, models, store")
    parser.add_argument("--quick", action="store_true", help="leave out the self-test of llama.cpp")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    from companion.doctor import examine

    if sys.stderr.isatty():
        note("Looking …")
    findings = await examine(lambda: call.config, call.clock, selftest=not call.arguments.quick)
    if call.arguments.json:
        write_json([asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.level:<4}  {finding.name:<22}  {one_line(finding.what)}")
            if finding.mend:
                print(f"{'':<4}  {'':<22}  -> {finding.mend}")
    return 1 if any(finding.level == "bad" for finding in findings) else 0
