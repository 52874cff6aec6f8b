"""`companion doctor`: is everything in place on this machine?"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import shutil
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass

from companion import runtime
from companion.cli.call import Call, Commands, add_json_option
from companion.cli.output import write_json
from companion.errors import CompanionError, ConfigError, EngineError, StoreError

_LEAST_FREE_BYTES = 200 * 2**20
"""Room for the store to grow, and for its backups."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    check: str
    good: bool
    detail: str


def register(commands: Commands) -> None:
    parser = commands.add_parser("doctor", help="check machine, configuration, models, store")
    add_json_option(parser)
    parser.set_defaults(run=run)


async def run(call: Call) -> int:
    checks: tuple[tuple[str, Callable[[Call], Awaitable[str]]], ...] = (
        ("configuration", _configuration),
        ("machine", _machine),
        ("clock", _clock),
        ("disk", _disk),
        ("language model", _language_model),
        ("embedder", _embedder),
        ("store", _store),
    )
    findings = []
    for name, check in checks:
        try:
            findings.append(Finding(name, True, await check(call)))
        except CompanionError as error:
            findings.append(Finding(name, False, str(error)))
        if not call.arguments.json:
            found = findings[-1]
            print(f"{'ok  ' if found.good else 'FAIL'}  {found.check:<15} {found.detail}")
    if call.arguments.json:
        write_json([asdict(finding) for finding in findings])
    return 0 if all(finding.good for finding in findings) else 1


async def _configuration(call: Call) -> str:
    from companion.config import default_path

    config = call.config
    return f"{call.arguments.config or default_path()}, profile {config.profile}"


async def _machine(call: Call) -> str:
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    threads = call.config.llm.active.threads
    if threads > cores:
        raise ConfigError(
            f"llm.active.threads is {threads} on {cores} cores, which makes it many times slower; "
            "set 0 for all cores"
        )
    return (
        f"{platform.machine()}, {cores} cores, {memory:.1f} GiB, Python {platform.python_version()}"
    )


async def _clock(call: Call) -> str:
    now = call.clock.wall()
    if not call.clock.trusted():
        raise StoreError(f"it says {now:%Y-%m-%d}, which cannot be; until it is set nothing fades")
    return f"{now:%Y-%m-%d %H:%M %Z}"


async def _disk(call: Call) -> str:
    from companion.weights.progress import megabytes

    folder = call.config.data_dir
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE_BYTES:
        raise StoreError(f"{folder}: {megabytes(free)} are free; the memory needs room to grow")
    return f"{megabytes(free)} free at {folder}"


async def _language_model(call: Call) -> str:
    """Finds the file, then lets another process evaluate a prompt with it: a llama.cpp built for
    another CPU dies of an illegal instruction, and only there."""
    section = call.config.llm.active
    if section.backend == "openai":
        return f"{section.model} at {section.url} (asked when it is used)"
    path = runtime.model_file(section, call.config.models_dir)
    test = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "companion.engines.selftest",
        str(path),
        f"--gpu-layers={section.gpu_layers}",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    output, _ = await test.communicate()
    if test.returncode != 0:
        cause = "died of signal" if test.returncode < 0 else "ended with code"
        raise EngineError(
            f"{path}: llama.cpp does not run it here: the self-test {cause} "
            f"{abs(test.returncode)}; build it anew with scripts/setup"
        )
    rate = json.loads(output)["prompt_tokens_per_s"]
    return f"{path.name}, {rate:.0f} prompt tokens a second on one core"


async def _embedder(call: Call) -> str:
    async with runtime.embedder(call.config) as embedder:
        await embedder.embed(["hello"])
        return f"{embedder.name}, {embedder.dimension} dimensions"


async def _store(call: Call) -> str:
    from companion.store import log, memories
    from companion.store.opening import DATABASE

    if not (call.config.data_dir / DATABASE).exists():
        return f"{call.config.data_dir}: nothing is stored yet"
    async with call.store("reader") as store:
        sessions = await store.read(log.sessions)
        remembered = await store.read(memories.list_memories)
    return f"{call.config.data_dir}: {len(sessions)} sessions, {len(remembered)} memories"
