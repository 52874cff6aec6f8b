"""`companion check-config`: is the configuration usable, and what does it come to?"""

from __future__ import annotations

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import write_json


def register(commands: Commands) -> None:
    parser = commands.add_parser("check-config", help="check the configuration file")
    add_json_option(parser, "the configuration as it applies here, as JSON")
    parser.set_defaults(run=run)


def run(call: Call) -> int:
    from companion.config import default_path

    config = call.config
    if call.arguments.json:
        write_json(config.model_dump(mode="json", exclude={"profiles"}))
    else:
        path = call.arguments.config or default_path()
        print(f"{path}: good, profile {config.profile}")
    return 0
