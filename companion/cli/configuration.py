"""`companion check-config`: is the configuration usable, and what does it come to?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import write_json
from companion.errors import ConfigError

if TYPE_CHECKING:
    from companion.config import Config


def register(commands: Commands) -> None:
    parser = commands.add_parser("check-config", help="check the configuration file")
    add_json_option(parser, "the configuration as it applies here, as JSON")
    parser.set_defaults(run=run)


def run(call: Call) -> int:
    config = call.config
    _check_names(call, config)
    if call.arguments.json:
        write_json(config.model_dump(mode="json", exclude={"profiles"}))
    else:
        print(f"{_file(call)}: good, profile {config.profile}")
    return 0


def _check_names(call: Call, config: Config) -> None:
    """Raises ConfigError for a model that there is not, with file and line."""
    from companion.config_errors import has_key
    from companion.weights.manifest import Manifest
    from companion.weights.needed import misnamed
    from companion.yaml_file import YamlFile

    found = misnamed(config, Manifest.load())
    if found is not None:
        place, problem = found
        file, in_overlay = YamlFile.read(_file(call)), ("profiles", config.profile, *place)
        at = file.at(in_overlay if has_key(file.tree, in_overlay) else place)
        raise ConfigError(f"{at}: {'.'.join(place)}: {problem}")


def _file(call: Call) -> Path:
    from companion.config import default_path

    return call.arguments.config or default_path()
