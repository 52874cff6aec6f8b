"""What the control socket can be asked; see `protocol` for how."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import TypeAdapter

from companion import faults
from companion.assembly.companion import Companion
from companion.assist.listening import ENDED, STARTED, Listening
from companion.daemon.body import Body
from companion.daemon.control import Event
from companion.daemon.page import Page
from companion.daemon.parents import Parents, in_parts
from companion.dialog.turn import TurnResult
from companion.errors import DaemonError, EngineError, InputError
from companion.parents import ACCESS, CHANGES, READS
from companion.parents.memories import MEMORIES
from companion.records import Profile

__all__ = ["MEMORIES", "PROFILE", "REQUESTS", "TURN", "Requests", "Running"]

if TYPE_CHECKING:
    from companion.voice.turns.loop import VoiceLoop

TURN = TypeAdapter(TurnResult)
PROFILE = TypeAdapter(Profile)
"""The shapes of answers, for both ends."""

REQUESTS = (
    "chat",
    "events",
    "status",
    "pause",
    "resume",
    "sleep",
    "wake",
    "say",
    "profile",
    "assist",
    "listen",
    "page",
    "pin_code",
    *sorted(READS),
    *sorted(CHANGES),
    *sorted(ACCESS),
)


class Running(Protocol):
    """What of a running daemon is asked and told."""

    async def status(self) -> dict[str, Any]:
        """How it fares; see `status`."""

    async def opened(self) -> Companion:
        """The companion, once it is there."""

    @property
    def parents(self) -> Parents:
        """What a parent sees and changes."""

    @property
    def body(self) -> Body:
        """What a lamp or a face can follow."""

    def supervise(self, work: Coroutine[Any, Any, None]) -> object:
        """Run beside everything else, until the end."""

    async def sleep(self, seconds: float) -> None:
        """By the daemon's clock."""

    @property
    def voice(self) -> VoiceLoop | None:
        """None while there is none."""


class Requests:
    """Carries out requests on a running daemon."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._page = Page(running)

    async def answer(self, request: Event) -> AsyncGenerator[Event, None]:
        """The events of one request. Raises CompanionError."""
        faults.point("request")
        if request.get("do") == "events":
            async with aclosing(self._running.body.listen()) as events:
                async for event in events:
                    yield event
        if request.get("do") == "page":
            async with aclosing(self._page.shown()) as events:
                async for event in events:
                    yield event
        if request.get("do") in READS:
            found = await self._running.parents.read(await self._running.opened(), request)
            for event in await in_parts(found):
                yield event
            return
        if request.get("do") != "chat":
            yield {"done": await self._done(request)}
            return
        text, companion = _text(request), await self._running.opened()
        body = self._running.body
        with body.typed():
            async with companion.answer(text) as reply:
                async for sentence in reply:
                    body.wrote(sentence, reply.by)
                    yield {"sentence": sentence}
        yield {"done": TURN.dump_python(reply.result, mode="json")}

    async def _done(self, request: Event) -> Any:
        """Carry out a request that is answered all at once."""
        match request.get("do"):
            case "status":
                return await self._running.status()
            case "pause":
                self._voice().pause()
                await (await self._running.opened()).listening.stop()
            case "listen":
                return await self._listened(request)
            case "resume":
                self._voice().resume()
            case "say":
                await self._voice().say(_text(request))
            case "sleep":  # with "wait": answered when everything is learnt, or somebody has spoken
                companion = await self._running.opened()
                await companion.sleep()
                if request.get("wait"):
                    await companion.rested()
            case "wake":
                async with (await self._running.opened()).phases.awake():
                    pass
            case str(change) if change in CHANGES:
                return await self._running.parents.change(await self._running.opened(), request)
            case str(access) if access in ACCESS:
                found = await self._running.parents.access(await self._running.opened(), request)
                if access == "pin_set":
                    self._page.gives_no_code()
                return found
            case "pin_code":
                return await self._page.speak_code()
            case "profile":
                known = await (await self._running.opened()).profile()
                return PROFILE.dump_python(known, mode="json")
            case "assist":
                return await self._assisted(request)
            case _:
                raise InputError(f"there is no such request; there are: {', '.join(REQUESTS)}")
        return None

    async def _listened(self, request: Event) -> dict[str, Any]:
        """Switch listening on, once everybody was told aloud, or off."""
        companion = await self._running.opened()
        listening = companion.listening
        minutes = request.get("minutes")
        if request.get("stop"):
            was = listening.running
            await listening.stop()
            companion.assistant.forget()
            if was and self._running.voice is not None:
                await self._running.voice.say(ENDED)
        elif minutes is not None and (not isinstance(minutes, int) or isinstance(minutes, bool)):
            raise InputError('the request needs whole minutes: {"minutes": 10}')
        else:
            minutes = listening.check(minutes)
            voice = self._voice()
            if voice.attention.paused:
                raise DaemonError("the microphone is off: `companion resume` turns it on")
            await voice.say(STARTED)  # nobody is overheard before
            listening.start(minutes)
            self._running.supervise(self._ends(listening))
        return {"left_s": round(listening.left_s, 1)}

    async def _ends(self, listening: Listening) -> None:
        """Keep the rest of what was heard, and say so, when the time is over."""
        while listening.left_s:
            await self._running.sleep(listening.left_s)
        if listening.on:
            await listening.stop()
            if self._running.voice is not None:
                with suppress(EngineError):
                    await self._running.voice.say(ENDED)

    async def _assisted(self, request: Event) -> dict[str, Any]:
        query, context = request.get("query"), request.get("context", "")
        if not (query is None or isinstance(query, str)) or not isinstance(context, str):
            raise InputError('the request needs words: {"query": "..." or null, "context": "..."}')
        found = await (await self._running.opened()).assist(query, context)
        if found is None:
            raise DaemonError("somebody is talking with the companion just now: ask again")
        return found.document

    def _voice(self) -> VoiceLoop:
        if self._running.voice is None:
            raise DaemonError(
                "the companion can neither hear nor speak now; `companion status` says why"
            )
        return self._running.voice


def _text(request: Event) -> str:
    text = request.get("text")
    if not isinstance(text, str):
        raise InputError('the request needs words: {"text": "..."}')
    return text
