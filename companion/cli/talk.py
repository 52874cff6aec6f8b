"""What both kinds of chat stand on: a companion of this process, or the daemon that runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias

from companion.assembly.companion import Companion, open_companion
from companion.assembly.missing import Fail, Step
from companion.cli.call import Call
from companion.cli.output import note
from companion.cli.talk_remote import RemoteReply, RemoteTalk
from companion.daemon.client import Client
from companion.dialog.reply import ReplyStream
from companion.phases import Watcher

LONG_S = 10.0
"""A step of the start that takes longer is told."""

Talk: TypeAlias = Companion | RemoteTalk
"""Somebody to talk with."""

Reply: TypeAlias = ReplyStream | RemoteReply
"""The sentences of a reply, as they come; then its `result`."""


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
async def living(call: Call, watcher: Watcher) -> AsyncIterator[Companion]:
    """A companion that lives as long as the block: own the store, load the models, begin the
    first silence; end the session on leaving.

    On a disk that cannot be written it talks without memory.
    Raises StoreBusy, ModelFileError, ContextTooSmall and what else stands in the way.
    """

    with Patience() as patience:
        policy = Fail(on_step=patience.step, on_notice=note)
        async with open_companion(call.config, call.clock, policy, watcher) as companion:
            patience.end()
            yield companion


class Patience:
    """Tells what a start is at when it takes long."""

    def __init__(self, after_s: float = LONG_S) -> None:
        self._after_s = after_s
        self._waiting: asyncio.TimerHandle | None = None

    def __enter__(self) -> Patience:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def step(self, step: Step) -> None:
        """A step begins."""
        if step is Step.FIRST_START:
            note(f"companion: {step.value}")
            return
        self.end()
        line = f"companion: still {step.value}; companion doctor tells how quick the disk is"
        self._waiting = asyncio.get_running_loop().call_later(self._after_s, note, line)

    def end(self) -> None:
        """Nothing is waited for any more."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
