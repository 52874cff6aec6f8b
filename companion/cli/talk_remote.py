"""Talking with the daemon, through its control socket."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from typing import Any

from companion.daemon.client import Client
from companion.daemon.requests import MEMORIES, PROFILE, TURN
from companion.dialog.turn import TurnResult
from companion.records import Memory, Profile


class RemoteTalk:
    """A Talk; every line is a connection of its own."""

    def __init__(self, daemon: Client) -> None:
        self._daemon = daemon

    @asynccontextmanager
    async def answer(self, line: str) -> AsyncIterator[RemoteReply]:
        async with aclosing(self._daemon.events("chat", text=line)) as events:
            yield RemoteReply(events)

    async def memories(self) -> list[Memory]:
        return MEMORIES.validate_python(await self._daemon.ask("memories"))

    async def profile(self) -> Profile:
        return PROFILE.validate_python(await self._daemon.ask("profile"))

    async def sleep(self) -> None:
        await self._daemon.ask("sleep")

    async def rested(self) -> None:
        await self._daemon.ask("sleep", wait=True)


class RemoteReply:
    """Sentences, then the turn."""

    def __init__(self, events: AsyncGenerator[dict[str, Any], None]) -> None:
        self._events = events
        self._result: TurnResult | None = None

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        async for event in self._events:
            if "sentence" in event:
                return str(event["sentence"])
            self._result = TURN.validate_python(event["done"])
        raise StopAsyncIteration

    @property
    def result(self) -> TurnResult:
        """Raises RuntimeError before the end."""
        if self._result is None:
            raise RuntimeError("the reply has not ended: read it to its end")
        return self._result
