"""What both kinds of chat stand on: a companion of this process, or the daemon that runs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from typing import Protocol

from companion import runtime
from companion.cli.call import Call
from companion.cli.output import note
from companion.cli.talk_remote import RemoteTalk
from companion.daemon.client import Client
from companion.dialog.turn import TurnResult
from companion.phases import Phases, Watcher
from companion.records import Memory, Profile
from companion.store import profile
from companion.store.database import Store
from companion.store.memories import list_memories


class Reply(Protocol):
    """The sentences of a reply, as they come."""

    def __aiter__(self) -> AsyncIterator[str]: ...

    async def __anext__(self) -> str: ...

    @property
    def result(self) -> TurnResult:
        """The finished turn."""


class Talk(Protocol):
    """Somebody to talk with."""

    def answer(self, line: str) -> AbstractAsyncContextManager[Reply]:
        """The companion, awake, and its reply; leaving the block early stops the reply."""

    async def memories(self) -> list[Memory]:
        """The active ones, oldest first."""

    async def profile(self) -> Profile: ...

    async def sleep(self) -> None:
        """Let it go inactive now."""

    async def rested(self) -> None:
        """Wait until it has learnt what there is to learn."""


class OwnTalk:
    """With a companion of this process."""

    def __init__(self, store: Store, phases: Phases) -> None:
        self.phases = phases
        self._store = store

    @asynccontextmanager
    async def answer(self, line: str) -> AsyncIterator[Reply]:
        async with self.phases.awake() as dialog, aclosing(dialog.reply(line)) as reply:
            yield reply

    async def memories(self) -> list[Memory]:
        return await self._store.read(list_memories)

    async def profile(self) -> Profile:
        return await self._store.read(profile.current)

    async def sleep(self) -> None:
        await self.phases.sleep()

    async def rested(self) -> None:
        await self.phases.rested()


@asynccontextmanager
async def talking(call: Call, watcher: Watcher) -> AsyncIterator[Talk]:
    """With the daemon when one runs, else with a companion of this process."""
    daemon = await Client.find(call.config)
    if daemon is not None:
        note(f"companion: talking with the daemon (process {daemon.pid})")
        yield RemoteTalk(daemon)
        return
    async with living(call, watcher) as own:
        yield own


@asynccontextmanager
async def living(call: Call, watcher: Watcher) -> AsyncIterator[OwnTalk]:
    """A companion that lives as long as the block: own the store, load the models, begin the
    first silence; end the session on leaving.

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
        yield OwnTalk(store, phases)
