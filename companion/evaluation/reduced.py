"""A consolidated store with only a part of what it holds, to see what that part is good for."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

import apsw

from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config
from companion.store.database import Store
from companion.store.expiry import expire_turns
from companion.store.memories import list_memories, remove


@asynccontextmanager
async def open_reduced(
    config: Config, clock: Clock, *, memories: bool = True, turns: bool = True
) -> AsyncIterator[Store]:
    """The store of `config.data_dir`; if anything is left out, a copy, which is thrown away.

    memories: False removes all that was learnt but the profile. turns: False expires the raw turns
    of every session that is consolidated, as `forgetting.turn_days` does, without any time passing.
    Raises StoreBusy, StoreError.
    """
    with ExitStack() as stack:
        if not (memories and turns):
            folder = config.data_dir
            copy = folder.with_name(f"{folder.name}-reduced")
            shutil.rmtree(copy, ignore_errors=True)
            stack.callback(shutil.rmtree, copy, ignore_errors=True)
            shutil.copytree(folder, copy)
            config = config.model_copy(update={"data_dir": copy})
        async with open_store(config, clock, mode="owner") as store:
            if not memories:
                await store.write(_remove_memories)
            if not turns:
                await store.write(expire_turns, 0.0)
            yield store


def _remove_memories(c: apsw.Connection) -> None:
    for memory in list_memories(c):
        remove(c, memory.id)
