"""A talk on a disk that cannot be written: `python -m tests.dialog.on_read_only DIR`."""

from __future__ import annotations

import asyncio
import sys
from contextlib import aclosing
from pathlib import Path

from companion.assembly.dialog import build_dialog
from companion.assembly.missing import Fail
from companion.assembly.store import open_store, store_or_ram
from companion.clock import SystemClock
from companion.config import Config, PersonaSection, SafetySection
from companion.errors import StoreFailing
from tests.fakes import HashEmbedder, ScriptedModel


async def talk(directory: Path) -> None:
    config = Config(
        data_dir=directory / "data",
        persona=PersonaSection(greeting=False),
        safety=SafetySection(guard="patterns"),
    )
    clock = SystemClock()
    async with store_or_ram(config, clock, Fail()) as store:
        print(store.trouble)
        dialog = build_dialog(config, clock, store, ScriptedModel(), HashEmbedder())
        await dialog.open()
        assert dialog.trouble == store.trouble
        for _ in range(2):
            async with aclosing(dialog.reply("Hello")) as reply:
                assert [sentence async for sentence in reply] == ["Hello!"]
        await dialog.close()
    try:
        async with open_store(config, clock, mode="owner"):
            pass
    except StoreFailing:
        print("talked")


if __name__ == "__main__":
    asyncio.run(talk(Path(sys.argv[1])))
