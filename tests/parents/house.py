"""A running companion on a scripted model, behind a real control socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.assembly.companion import Companion
from companion.assembly.models import Models
from companion.clock import Clock, SystemClock
from companion.config import Config, StoreSection
from companion.daemon.body import Body
from companion.daemon.client import Client
from companion.daemon.control import Control
from companion.daemon.parents import Parents
from companion.daemon.requests import Requests
from companion.store.database import Store
from tests.assembly.conftest import World, a_world, talks_and_learns
from tests.fakes import HashEmbedder, Script


@dataclass
class House:
    """What answers requests, with what a test looks at."""

    companion: Companion
    parents: Parents
    body: Body
    world: World
    client: Client
    config: Config

    voice: Any = None

    async def opened(self) -> Companion:
        return self.companion

    async def status(self) -> dict[str, Any]:
        return {}

    @property
    def store(self) -> Store:
        return self.world.store

    async def ask(self, do: str, **details: Any) -> Any:
        """As a parent, through the socket."""
        return await self.client.ask(do, **details)


@asynccontextmanager
async def a_house(
    directory: Path,
    *,
    script: Script = talks_and_learns,
    seconds_per_token: float = 0.0,
    inactivity_s: float = 3600,
    undo_s: float = 600,
    clock: Clock | None = None,
    erases: bool = True,
    socket: str = "s",
) -> AsyncIterator[House]:
    """erases: what is hidden goes for good when it is due."""
    clock = clock or SystemClock()
    data = directory / "data"
    config = Config(data_dir=data, store=StoreSection(encrypt=False))
    config = config.model_copy(update={"web": config.web.model_copy(update={"undo_s": undo_s})})
    async with a_world(
        data,
        script=script,
        seconds_per_token=seconds_per_token,
        inactivity_s=inactivity_s,
        clock=clock,
    ) as world:
        models = Models(world.model, world.model, HashEmbedder())
        companion = Companion(world.store, models, world.phases)
        client = Client(directory / socket, 1)
        house = House(
            companion, Parents(config, clock), Body(lambda: "awake"), world, client, config
        )
        control = Control(directory / socket, data, Requests(house).answer)
        await control.open()
        task = asyncio.create_task(house.parents.erase_when_due(companion)) if erases else None
        try:
            yield house
        finally:
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
                if not task.cancelled():
                    task.result()
            await control.close()
