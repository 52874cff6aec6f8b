"""What both kinds of chat stand on: a companion of this process, or the daemon that runs."""

from __future__ import annotations

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

    def show(step: Step) -> None:
        if step is Step.FIRST_START:
            note(f"companion: {step.value}")

    policy = Fail(on_step=show, on_notice=note)
    async with open_companion(call.config, call.clock, policy, watcher) as companion:
        yield companion
