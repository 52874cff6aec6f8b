"""What both kinds of chat stand on: everything loaded, the store owned, the phases ready."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from companion import runtime
from companion.cli.call import Call
from companion.cli.output import note
from companion.phases import Phases, Watcher
from companion.store.database import Store


@dataclass(frozen=True)
class Talk:
    """A chat's parts."""

    store: Store
    phases: Phases


@asynccontextmanager
async def talking(call: Call, watcher: Watcher) -> AsyncIterator[Talk]:
    """Own the store, load the models, begin the first silence; end the session on leaving.

    On a disk that cannot be written it talks without memory.
    Raises StoreBusy, ModelFileError, ContextTooSmall and what else stands in the way.
    """
    config = call.config
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("owner", talk_on=True))
        engines = await stack.enter_async_context(runtime.engines(config))
        dialog = runtime.dialog(config, call.clock, store, engines.active, engines.embedder)
        await dialog.open()
        prefix = runtime.prefix(config)
        if prefix is not None:
            if not prefix.exists:
                note("companion: the first start with a model takes some seconds more")
            await prefix.load(engines.active)
        phases = Phases(
            dialog,
            runtime.consolidation(config, call.clock, store, engines.inactive, engines.embedder),
            call.clock,
            lent=engines.active if engines.shared else None,
            inactivity_s=config.consolidation.inactivity_s,
            watcher=watcher,
        )
        stack.push_async_callback(phases.close)
        phases.start()
        yield Talk(store, phases)
