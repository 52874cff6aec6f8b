"""What hears and speaks, as far as it is there. The only place where the daemon meets sound."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from companion.clock import Clock
from companion.config import Config
from companion.daemon.missing import Missing
from companion.phases import Phases

CANNOT_HEAR = "I can't hear or speak right now."


class Voice(Protocol):
    """The voice loop as the daemon sees it; see `companion.voice.loop`."""

    frames: int
    """Heard so far."""

    async def run(self) -> None:
        """Until the sound ends or it is cancelled; then quiet within 1 s, the turn committed."""

    async def say(self, text: str) -> None:
        """Spoken when nobody talks; returns when it was heard."""

    def pause(self) -> None:
        """Turn the microphone off."""

    def resume(self) -> None: ...

    def state(self) -> dict[str, object]: ...


@dataclass(frozen=True)
class Files:
    """Sound from and into files, instead of devices."""

    heard: Path
    spoken: Path | None
    pace: Literal["real", "simulated"]


@asynccontextmanager
async def voice(
    config: Config, clock: Clock, phases: Phases, files: Files | None, missing: list[Missing]
) -> AsyncIterator[Voice | None]:
    """The voice loop over devices, or over `files`, not running yet; None when there is none.

    missing: takes what is not there.
    """
    missing.append(Missing(CANNOT_HEAR, "the voice room is not built yet"))
    yield None
