"""The store: on its disk, or an empty one in RAM in its place."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from companion.assembly.missing import CANNOT_REMEMBER, Policy
from companion.clock import Clock
from companion.config import Config
from companion.errors import StoreBusy, StoreError, StoreFailing

if TYPE_CHECKING:
    from companion.store.database import Mode, Store


@asynccontextmanager
async def open_store(config: Config, clock: Clock, *, mode: Mode) -> AsyncIterator[Store]:
    """The store: as its one owner, or to look on, also beside an owner.

    A store that was never used is made even for a reader, who then finds it empty.
    Raises StoreBusy, StoreNewer, StoreFailing (its disk cannot be written), StoreError.
    """
    store = await _opened(config, clock, mode)
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def store_or_ram(
    config: Config, clock: Clock, policy: Policy, *, memory: bool = True
) -> AsyncIterator[Store]:
    """The store as its one owner; an empty one in RAM where the policy goes on without it.

    memory: False leaves what is on disk alone (safe mode). Raises StoreBusy, and what the policy
    raises: a store that is in use is not missing.
    """
    from companion.store.database import Store

    try:
        if not memory:
            raise StoreFailing(f"{config.data_dir}: left alone in safe mode")
        store = await _opened(config, clock, "owner")
    except StoreBusy:
        raise
    except StoreError as error:
        if memory:
            policy.missing(CANNOT_REMEMBER, error)
        store = await Store.in_ram(
            config.data_dir,
            config.store,
            clock,
            error,
            largest_gap_days=config.forgetting.largest_gap_days,
        )
    try:
        for notice in store.notices:
            policy.on_notice(notice)
        yield store
    finally:
        await store.close()


async def _opened(config: Config, clock: Clock, mode: Mode) -> Store:
    from companion.store.database import Store
    from companion.store.opening import DATABASE

    try:
        if not (config.data_dir / DATABASE).exists():
            mode = "owner"
        return await Store.open(
            config.data_dir,
            config.store,
            clock,
            mode=mode,
            largest_gap_days=config.forgetting.largest_gap_days,
        )
    except OSError as error:
        place = error.filename or config.data_dir
        raise StoreError(
            f"{place}: cannot be used: {error.strerror}; if the service owns it: sudo companion"
        ) from None
