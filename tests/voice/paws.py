"""A paw whose assistant answers every touch alike, and the ear that it whispers into."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

import numpy as np

from companion.assist.assistant import Assisted
from companion.engines.sound.protocols import SPEAKER_FRAME, Samples
from companion.errors import EngineError
from companion.voice.devices.earpiece import TimedButton
from companion.voice.turns.whispering import PawParts
from tests.assembly.conftest import World
from tests.voice.a_voice import Room, Voice

KNOWN = Assisted("Mr. Plum", "What is her cat called?", "cloze")
UNKNOWN = Assisted("", None, "cloze")

Spans = Sequence[tuple[float, float]]


@dataclass
class Knows:
    """Answers every request alike, through the phases' errand as the real one does."""

    world: World
    room: Room
    found: Assisted = KNOWN
    seconds: float = 0.0
    """Of simulated time that an answer takes."""
    asked: list[tuple[str | None, str]] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)
    fails: bool = False

    async def assist(
        self,
        query: str | None,
        context: str,
        at_work: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> Assisted | None:
        async def work() -> Assisted:
            with at_work():
                if self.fails:
                    raise EngineError("the model is gone")
                self.asked.append((query, context))
            until = self.room.now + self.seconds
            for _ in iter(lambda: self.room.now < until, False):
                await asyncio.sleep(0)
            return self.found

        return await self.world.phases.errand(work)

    async def read_ahead(self, words: str) -> None:
        self.ahead.append(words)

    async def read_on(self) -> None:
        self.ahead.append("on")

    async def get_ready(self) -> None:
        self.ahead.append("ready")


@dataclass
class Ear:
    """A second speaker that can be pulled out."""

    out_after: int = 10**9
    """Loud frames after which it is pulled out."""
    frames: list[Samples] = field(default_factory=list)
    closed: bool = False
    trouble = "it was pulled out"

    @property
    def live(self) -> bool:
        return sum(bool(frame.any()) for frame in self.frames) < self.out_after

    @property
    def loud(self) -> int:
        return sum(bool(frame.any()) for frame in self.frames)

    def play(self, frame: Samples) -> None:
        assert frame.shape == (SPEAKER_FRAME,)
        self.frames.append(frame)

    async def close(self) -> None:
        self.closed = True


def paw(
    spans: Spans, made: list[Knows] | None = None, ear: Ear | None = None, **knows: object
) -> Callable[[World, Room], PawParts]:
    """A paw that is pressed in these spans."""

    def make(world: World, room: Room) -> PawParts:
        assists = Knows(world, room, **knows)  # type: ignore[arg-type]
        if made is not None:
            made.append(assists)
        return PawParts(TimedButton(spans, lambda: room.now), assists, ear)

    return make


def loudest(voice: Voice) -> int:
    return max(int(np.abs(frame.astype(np.int32)).max()) for frame in voice.room.played)
