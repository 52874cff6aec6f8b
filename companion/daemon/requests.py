"""What the control socket can be asked; see `protocol` for how."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import TypeAdapter

from companion import faults
from companion.assembly.companion import Companion
from companion.daemon.control import Event
from companion.dialog.turn import TurnResult
from companion.errors import DaemonError, InputError
from companion.records import Memory, Profile
from companion.store import profile
from companion.store.memories import list_memories

if TYPE_CHECKING:
    from companion.voice.turns.loop import VoiceLoop

TURN = TypeAdapter(TurnResult)
MEMORIES = TypeAdapter(list[Memory])
PROFILE = TypeAdapter(Profile)
"""The shapes of answers, for both ends."""


class Running(Protocol):
    """What of a running daemon is asked and told."""

    async def status(self) -> dict[str, Any]:
        """How it fares; see `status`."""

    async def opened(self) -> Companion:
        """The companion, once it is there."""

    @property
    def voice(self) -> VoiceLoop | None:
        """None while there is none."""


class Requests:
    """Carries out requests on a running daemon."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._simple: dict[str, Callable[[Event], Awaitable[Any]]] = {
            "status": self._status,
            "pause": self._pause,
            "resume": self._resume,
            "sleep": self._sleep,
            "wake": self._wake,
            "say": self._say,
            "memories": self._memories,
            "profile": self._profile,
        }

    async def answer(self, request: Event) -> AsyncGenerator[Event, None]:
        """The events of one request. Raises CompanionError."""
        faults.point("request")
        do = request.get("do")
        if do == "chat":
            async with aclosing(self._chat(_text(request))) as events:
                async for event in events:
                    yield event
        elif isinstance(do, str) and do in self._simple:
            yield {"done": await self._simple[do](request)}
        else:
            known = ", ".join(("chat", *self._simple))
            raise InputError(f"there is no such request; there are: {known}")

    async def _chat(self, text: str) -> AsyncGenerator[Event, None]:
        companion = await self._running.opened()
        async with companion.phases.awake() as dialog, aclosing(dialog.reply(text)) as reply:
            async for sentence in reply:
                yield {"sentence": sentence}
        yield {"done": TURN.dump_python(reply.result, mode="json")}

    async def _status(self, request: Event) -> Any:
        return await self._running.status()

    async def _pause(self, request: Event) -> None:
        self._voice().pause()

    async def _resume(self, request: Event) -> None:
        self._voice().resume()

    async def _say(self, request: Event) -> None:
        await self._voice().say(_text(request))

    async def _sleep(self, request: Event) -> None:
        """With "wait": answered when everything is learnt, or somebody has spoken."""
        companion = await self._running.opened()
        await companion.phases.sleep()
        if request.get("wait"):
            await companion.phases.rested()

    async def _wake(self, request: Event) -> None:
        companion = await self._running.opened()
        async with companion.phases.awake():
            pass

    async def _memories(self, request: Event) -> Any:
        companion = await self._running.opened()
        return MEMORIES.dump_python(await companion.store.read(list_memories), mode="json")

    async def _profile(self, request: Event) -> Any:
        companion = await self._running.opened()
        return PROFILE.dump_python(await companion.store.read(profile.current), mode="json")

    def _voice(self) -> VoiceLoop:
        if self._running.voice is None:
            raise DaemonError(
                "the companion has neither ears nor mouth now; `companion status` says why"
            )
        return self._running.voice


def _text(request: Event) -> str:
    text = request.get("text")
    if not isinstance(text, str):
        raise InputError('the request needs words: {"text": "..."}')
    return text
