"""`companion doctor`, `devices`, `check-config`: is everything in place on this machine?"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.call import Call, Commands, add_command
from companion.cli.output import listing, note, one_line
from companion.cli.sound import libraries
from companion.errors import ConfigError

if TYPE_CHECKING:
    from companion.config import Config
    from companion.doctor.finding import Finding


def register(commands: Commands) -> None:
    add_command(commands, "devices", run_devices, "list microphones and speakers")
    parser = add_command(
        commands, "doctor", run_doctor, "check machine, configuration, models, store"
    )
    parser.add_argument("--quick", action="store_true", help="leave out the self-test of llama.cpp")
    parser.add_argument(
        "--audio",
        action="store_true",
        help="only the sound: play noise for ten seconds and measure what the microphone hears",
    )
    what = "the configuration as it applies here, as JSON"
    add_command(commands, "check-config", run_check, "check the configuration file", json=what)


async def run_doctor(call: Call) -> int:
    findings = await (_sound(call) if call.arguments.audio else _machine(call))
    call.show([asdict(finding) for finding in findings], lambda: _show(findings))
    return 1 if any(finding.level == "bad" for finding in findings) else 0


def _show(findings: Sequence[Finding]) -> None:
    for finding in findings:
        print(f"{finding.level:<4}  {finding.name:<22}  {one_line(finding.what)}")
        if finding.mend:
            print(f"{'':<4}  {'':<22}  -> {finding.mend}")


async def _machine(call: Call) -> list[Finding]:
    from companion.doctor.machine import examine

    if sys.stderr.isatty():
        note("Looking …")
    return await examine(lambda: call.config, call.clock, selftest=not call.arguments.quick)


async def _sound(call: Call) -> list[Finding]:
    with libraries():
        from companion.assembly.sound import load_canceller
        from companion.doctor.audio import examine_audio

        canceller = await load_canceller()
    note("Playing noise for ten seconds; please be quiet …")
    return await examine_audio(call.config.voice, canceller)


async def run_devices(call: Call) -> int:
    from companion.voice.devices.device_process import list_devices

    devices = await list_devices()
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
    headings = ("device", "microphones", "speakers", "own rate", "used by default as")

    def show() -> None:
        nothing = "No sound device. Is it plugged in, and is this user in the group audio?"
        listing(headings, rows, nothing)
        if rows:
            note("Choose with voice.microphone and voice.speaker: a part of the name is enough.")

    return call.show(devices, show)


def run_check(call: Call) -> int:
    config = call.config
    _check_names(call, config)

    def show() -> None:
        print(f"{_file(call)}: good, profile {config.profile}")
        if config.settings:
            from companion.config.settings_list import FILE

            keys = ", ".join(sorted(config.settings))
            print(f"{config.data_dir / FILE}: good, wins for {keys}")

    return call.show(config.model_dump(mode="json", exclude={"profiles"}), show)


def _check_names(call: Call, config: Config) -> None:
    """Raises ConfigError for a model that there is not, with file and line."""
    from companion.config.errors import has_key
    from companion.config.yaml_file import YamlFile
    from companion.weights.manifest import Manifest
    from companion.weights.needed import misnamed

    found = misnamed(config, Manifest.load())
    if found is not None:
        place, problem = found
        file, in_overlay = YamlFile.read(_file(call)), ("profiles", config.profile, *place)
        at = file.at(in_overlay if has_key(file.tree, in_overlay) else place)
        raise ConfigError(f"{at}: {'.'.join(place)}: {problem}")


def _file(call: Call) -> Path:
    from companion.config import default_path

    return call.arguments.config or default_path()
