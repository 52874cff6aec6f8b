"""Active and inactive: the companion talks, and when nobody speaks it consolidates.

Silence is counted on the monotonic clock, so that a jump of the wall clock neither cuts a
conversation short nor keeps it open. What happens in silence runs as one task, in this order:
the prompt is warmed, the session ends after `inactivity_s`, the KV state of the prompt's prefix
is set aside, the memories are consolidated, the state is put back, and what a new profile changes
in the prefix is read.
The moment someone speaks the task is cancelled and awaited: then the model is free, and the
KV state is back. The next silence resumes it; consolidation knows where it stopped.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast

from companion.answering import Announcement
from companion.clock import Clock
from companion.consolidation.phase import Consolidation
from companion.consolidation.report import Progress, Report
from companion.dialog.turn import Dialog
from companion.engines.protocols import LanguageModel
from companion.errors import CompanionError

T = TypeVar("T")


class Watcher(Protocol):
    """Who is told what happens in silence."""

    def progress(self, progress: Progress) -> None:
        """Consolidation has done a step."""

    def finished(self, report: Report) -> None:
        """Consolidation has come to its end."""

    def failed(self, error: CompanionError) -> None:
        """Warming or consolidation failed. The dialog goes on; the next silence tries again."""


@dataclass
class Listening:
    """Somebody makes a sound: the dialog, with the model free for it."""

    dialog: Dialog
    spoken_to: bool = False
    """Set it when words were meant for the companion: silence then begins anew."""


@dataclass(eq=False)
class Phases:
    """Alternates between a dialog and a consolidation that may share one model."""

    _dialog: Dialog
    _consolidation: Consolidation | None
    """Without one, silence only ends the session."""

    _shared_model: LanguageModel | None
    """The dialog's, when consolidation borrows it; None when it has its own."""

    _inactivity_s: float
    _clock: Clock
    _watcher: Watcher

    def __post_init__(self) -> None:
        self.consolidating = False
        """It is at it now."""

        self._silence: asyncio.Task[None] | None = None
        self._deadline = 0.0
        self._floor = asyncio.Lock()
        self._errand: asyncio.Task[object] | None = None
        self._wanted = 0
        """How many wait for the floor to talk: no errand begins before they had it."""

    @property
    def trouble(self) -> str | None:
        """Why what is said is not kept just now, in one line; None when it is."""
        return self._dialog.trouble

    @property
    def talking(self) -> bool:
        """Whether a session is open: somebody has spoken, and has not been silent for long."""
        return self._dialog.talking

    def start(self) -> None:
        """Begin the first silence."""
        self._fall_silent(self._inactivity_s)

    @asynccontextmanager
    async def awake(self) -> AsyncIterator[Dialog]:
        """The dialog, with the model free for it. Silence begins when the block is left.

        One at a time: a second one waits for the first to leave.
        Raises what was unexpected in the silence before.
        """
        async with self.listening() as floor:
            floor.spoken_to = True
            yield floor.dialog

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[Listening]:
        """Like `awake`, when it is not known yet whether what is heard is meant for it.

        Unless `spoken_to` is set, silence goes on counting from where it was: a room full of
        noise neither keeps a session open nor keeps consolidation from coming to its end.
        """
        if self._errand is not None:
            self._errand.cancel()
        self._wanted += 1
        try:
            await self._floor.acquire()
        finally:
            self._wanted -= 1
        try:
            floor = Listening(self._dialog)
            try:
                await self._end_silence()
                yield floor
            finally:
                if floor.spoken_to:
                    self._fall_silent(self._inactivity_s)
                else:
                    self._fall_silent(self._deadline - self._clock.monotonic())
        finally:
            self._floor.release()

    async def errand(self, work: Callable[[], Awaitable[T]]) -> T | None:
        """Do something that borrows the dialog's model, and gives it back as it was, while nobody
        has the floor; silence goes on counting. None when somebody took the floor meanwhile:
        whoever speaks comes first, and waits only until the work has let go.

        Raises what the work raises.
        """
        async with self._floor:
            if self._wanted:
                return None
            try:
                await self._end_silence()
                task = asyncio.ensure_future(work())
                self._errand = cast("asyncio.Task[object]", task)
                try:
                    await asyncio.wait([task])
                finally:
                    self._errand = None
                    if not task.done():  # whoever asked has gone
                        task.cancel()
                        await asyncio.wait([task])
                return None if task.cancelled() else task.result()
            finally:
                self._fall_silent(self._deadline - self._clock.monotonic())

    async def due(self) -> list[Announcement]:
        """What is to be said now although nobody has spoken; see `Dialog.due`. It takes no floor:
        a timer rings while the companion talks, and while it consolidates."""
        return await self._dialog.due()

    async def announced(self, said: Announcement) -> None:
        """It has been said."""
        await self._dialog.announced(said)

    async def sleep(self) -> None:
        """Go inactive now, without waiting for `inactivity_s`; returns once nobody talks."""
        async with self._floor:
            try:
                await self._end_silence()
            finally:
                self._fall_silent(0)

    async def rested(self) -> None:
        """Wait until the present silence has nothing more to do.

        Raises what was unexpected in it.
        """
        if self._silence is not None:
            await _settled(self._silence)

    async def close(self) -> None:
        """Stop whatever runs and end the session: also when this is cancelled meanwhile, as by
        a SIGTERM that comes while the program is leaving anyway."""
        closing = asyncio.create_task(self._close())
        try:
            await asyncio.shield(closing)
        except asyncio.CancelledError:
            await closing
            raise

    async def _close(self) -> None:
        await self._end_silence()
        await self._dialog.close()

    def _fall_silent(self, inactivity_s: float) -> None:
        self._deadline = self._clock.monotonic() + inactivity_s
        self._silence = asyncio.create_task(self._be_silent(self._deadline), name="silence")

    async def _end_silence(self) -> None:
        """Cancel what runs in silence, and wait until it has let go, even when whoever wants to
        speak has gone meanwhile: two may not have the model at once."""
        silence, self._silence = self._silence, None
        if silence is None:
            return
        silence.cancel()
        gone: asyncio.CancelledError | None = None
        while not silence.done():
            try:
                await asyncio.wait([silence])
            except asyncio.CancelledError as error:
                gone = error
        if gone is not None:
            raise gone
        await _settled(silence)

    async def _be_silent(self, deadline: float) -> None:
        with self._told_of_failure():
            await self._dialog.warm()
        await self._clock.sleep(deadline - self._clock.monotonic())
        with self._told_of_failure():
            await self._dialog.close()
            # Else a guard's mark may be missing in the log, or the session still be the dialog's.
            if not self._dialog.waiting:
                await self._consolidate()

    @contextmanager
    def _told_of_failure(self) -> Iterator[None]:
        try:
            yield
        except CompanionError as error:
            self._watcher.failed(error)

    async def _consolidate(self) -> None:
        self.consolidating = self._consolidation is not None
        try:
            # The next session begins with the prefix alone: that is all that is set aside.
            await self._dialog.warm()
            if self._consolidation is not None:
                report = await self._with_model(self._consolidation)
                self._watcher.finished(report)
                await self._dialog.warm()
        finally:
            self.consolidating = False

    async def _with_model(self, consolidation: Consolidation) -> Report:
        """Run it; the dialog's model, when it is borrowed, has its state back afterwards."""
        model = self._shared_model
        saved_state = None if model is None else await model.snapshot()
        try:
            return await consolidation.run(self._watcher.progress)
        finally:
            if model is not None and saved_state is not None:
                await model.restore(saved_state)


async def _settled(task: asyncio.Task[None]) -> None:
    """Wait for the end of a task that may be cancelled. Raises what it raised."""
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
