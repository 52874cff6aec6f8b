"""Who sits opposite the simulated person: an arm over the real dialog and the real store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from companion.assembly.dialog import build_dialog
from companion.assembly.models import Models
from companion.assembly.store import open_store
from companion.clock import Clock
from companion.config import Config
from companion.dialog.turn import Dialog, TurnResult
from companion.engines.protocols import LanguageModel
from companion.errors import EngineError
from companion.evaluation.answered import answered
from companion.evaluation.arms import Arm, for_arm
from companion.evaluation.raw import raw_reply
from companion.evaluation.simulation.asking import Parked
from companion.store import log
from companion.store.database import Store

LONGEST_WINDOW = 400
"""Messages that the arm without memory sees, as far as its context holds them."""


class Seat(Protocol):
    """One arm, talking."""

    async def say(self, words: str) -> TurnResult:
        """Answer in the running session, which the first words begin. Raises Parked."""

    async def ask(self, words: str) -> TurnResult:
        """Answer in a session of its own; nothing is kept. Raises Parked."""

    async def leave(self) -> None:
        """End the session."""


def arm_config(config: Config, arm: Arm) -> Config:
    """As `eval qa` has it, but whoever has a memory greets, and who has none sees all that fits."""
    config = for_arm(config, arm)
    if arm == "raw":
        window = {"window_messages": LONGEST_WINDOW, "window_slack": 0}
        return config.model_copy(update={"dialog": config.dialog.model_copy(update=window)})
    greets = config.persona.model_copy(update={"greeting": True})
    return config.model_copy(update={"persona": greets})


@asynccontextmanager
async def seat(
    config: Config, arm: Arm, engines: Models, folder: Path, clock: Clock
) -> AsyncIterator[Seat]:
    """The arm over the store in a folder. config: as `arm_config` makes it."""
    placed = config.model_copy(update={"data_dir": folder})
    async with open_store(placed, clock, mode="owner") as store:
        if arm == "raw":
            yield RawSeat(placed, store, engines.active, clock)
            return
        dialog = build_dialog(placed, clock, store, engines.active, engines.embedder)
        try:
            yield MemorySeat(dialog)
        finally:
            await dialog.close()


class MemorySeat:
    """An arm with memory: the dialog that talks with people."""

    def __init__(self, dialog: Dialog) -> None:
        self._dialog = dialog

    async def say(self, words: str) -> TurnResult:
        return await self._answer(words, keep=True)

    async def ask(self, words: str) -> TurnResult:
        return await self._answer(words, keep=False)

    async def leave(self) -> None:
        await self._dialog.close()

    async def _answer(self, words: str, *, keep: bool) -> TurnResult:
        try:
            return await answered(self._dialog, words, keep=keep)
        except EngineError as error:
            raise Parked(str(error)) from None


class RawSeat:
    """The arm without memory: the model, its persona, and the log as far as it fits."""

    def __init__(self, config: Config, store: Store, model: LanguageModel, clock: Clock) -> None:
        self._config = config
        self._store = store
        self._model = model
        self._clock = clock
        self._session: str | None = None

    async def say(self, words: str) -> TurnResult:
        result = await self.ask(words)
        now = self._clock.wall()
        if self._session is None:
            self._session = await self._store.write(log.start_session, now)
        await self._store.write(log.append, self._session, "user", words, now)
        if result.text:
            await self._store.write(log.append, self._session, "assistant", result.text, now)
        return result

    async def ask(self, words: str) -> TurnResult:
        try:
            return await raw_reply(self._config, self._store, self._model, words)
        except EngineError as error:
            raise Parked(str(error)) from None

    async def leave(self) -> None:
        if self._session is not None:
            await self._store.write(log.end_session, self._session, self._clock.wall())
            self._session = None
