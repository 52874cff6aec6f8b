"""One run of the daemon: startup, phases, shutdown.

What is opened goes on a stack, so that a stop at any moment closes exactly what there is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from companion import faults
from companion.assembly.announcing import announce
from companion.assembly.companion import Companion, open_companion
from companion.assembly.missing import GoOn, Missing, Step
from companion.assembly.voice import open_voice
from companion.clock import Clock
from companion.config import Config
from companion.daemon.body import Body
from companion.daemon.control import Control
from companion.daemon.diary import Diary
from companion.daemon.notify import LONGER_S, Notifier
from companion.daemon.parents import Parents
from companion.daemon.protocol import own_socket
from companion.daemon.requests import Requests
from companion.daemon.safe_mode import Safe, Starts
from companion.daemon.status import Snapshot, Stage, of_daemon
from companion.daemon.watchdog import watch
from companion.errors import EngineError, StoreBusy, StoreError
from companion.store.lock import Lock
from companion.voice.parts import Files

if TYPE_CHECKING:
    from companion.voice.turns.loop import VoiceLoop

logger = logging.getLogger(__name__)

LEAVE_SAFE_MODE = "Switch me off and on again to try everything anew."
SAFE = {
    Safe.NO_MEMORY: "I kept failing, so I talk without my memory for now.",
    Safe.NO_MODEL: "I kept failing, so I can't think or remember for now.",
}


class Daemon:
    """Make it, then `await daemon.run()` once."""

    def __init__(
        self,
        config: Config,
        clock: Clock,
        notifier: Notifier,
        *,
        files: Files | None = None,
        missing: Sequence[Missing] = (),
        stopping: Callable[[bool], None],
    ) -> None:
        """missing: what is known to be missing before anything was opened.
        stopping: is told when the end begins, and whether a failure is the reason."""
        self.config = config
        self.pid = os.getpid()
        self.stage: Stage = "starting"
        self.companion: Companion | None = None
        self.voice: VoiceLoop | None = None
        self.missing = list(missing)
        self.safe = Safe.OFF
        self._clock = clock
        self._notifier = notifier
        self._files = files
        self._stopping = stopping
        self._began = clock.monotonic()
        self._opened = asyncio.Event()
        self._diary = Diary(clock)
        self.body = Body(self._resting)
        self.parents = Parents(config, clock)
        self._starts = Starts(config.data_dir, config.service)
        self._control: Control | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: asyncio.Task[None] | None = None
        """The voice loop: its end is the end."""

    @property
    def safe_line(self) -> str | None:
        """What safe mode means, and how to leave it; None when all is as it should be."""
        return f"{SAFE[self.safe]} {LEAVE_SAFE_MODE}" if self.safe else None

    async def opened(self) -> Companion:
        """The companion, once it is there."""
        await self._opened.wait()
        assert self.companion is not None, "set before the event"
        return self.companion

    async def sleep(self, seconds: float) -> None:
        """By its clock."""
        await self._clock.sleep(seconds)

    async def status(self) -> dict[str, Any]:
        """How it fares, as a document for people and scripts."""
        return await of_daemon(
            Snapshot(
                config=self.config,
                pid=self.pid,
                uptime_s=self._clock.monotonic() - self._began,
                stage=self.stage,
                safe_mode=self.safe_line,
                missing=[str(each) for each in self.missing if each.still()],
                companion=self.companion,
                diary=self._diary,
                page=self.body.page,
                voice=None if self.voice is None else self.voice.state(),
            )
        )

    async def run(self) -> None:
        """From start to stop. Cancel it to stop it; it returns when a file has been heard.

        Raises StoreBusy when another companion has the data directory, and whatever ends the
        voice loop unexpectedly: the service manager then starts anew.
        """
        async with AsyncExitStack() as stack:
            failed = True
            try:
                await self._startup(stack)
                await self._phases()
                failed = False
            except asyncio.CancelledError:
                failed = False
                raise
            finally:
                await self._shutdown(failed)

    async def _startup(self, stack: AsyncExitStack) -> None:
        """Be the only one; then open what there is, and say what is missing."""
        stack.enter_context(self._alone())
        stack.enter_context(self._counted())
        faults.point("boot")
        self.supervise(watch(self._notifier, self._frames))
        self.supervise(self._ask_for_time())
        await self._listen_to_requests()
        policy = GoOn(self._tell_step, logger.warning, self.missing)
        self.companion = await stack.enter_async_context(
            open_companion(
                self.config,
                self._clock,
                policy,
                self._diary,
                memory=self.safe is Safe.OFF,
                think=self.safe is not Safe.NO_MODEL,
            )
        )
        self._tell("opening microphone and speaker")
        phases = self.companion.phases
        self.voice = await stack.enter_async_context(
            open_voice(
                *(self.config, self._clock, phases, self._files, policy),
                *(self.companion.listening, self.companion),
            )
        )
        self.body.follow(self.voice)
        self._opened.set()

    async def _phases(self) -> None:
        """Talk and learn in turn, until the end; `companion.phases` knows when which."""
        self.stage = "ready"
        self._notifier.ready()
        lines = [str(each) for each in self.missing]
        for line in lines if self.safe_line is None else [self.safe_line, *lines]:
            logger.warning("%s", line)
        self._tell("; ".join([self.safe_line or "ready", *(each.spoken for each in self.missing)]))
        self.supervise(self._prove_healthy())
        if self.companion is not None:
            self.supervise(self.parents.erase_when_due(self.companion))
        if self.voice is not None:
            self.supervise(self._excuse_itself(self.voice))
            self._last = self.supervise(self.voice.run())
            if self.companion is not None:
                phases, say = self.companion.phases, self.voice.say
                self.supervise(announce(phases, self._clock, say, self.body.rings))
        await self._ended()

    def _resting(self) -> str:
        """What it does while nobody talks, as `status` says."""
        if self.companion is None or self.stage != "ready":
            return self.stage
        phases = self.companion.phases
        if phases.consolidating:
            return "consolidating"
        return "awake" if phases.talking else "asleep"

    async def _shutdown(self, failed: bool) -> None:
        """Quiet first, then nobody is served any more. What is open closes with the stack: the
        session ends, then the models are freed, then the store is closed."""
        self.stage = "stopping"
        self._notifier.stopping()
        self._stopping(failed)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._control is not None:
            await self._control.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the daemon's lock. Raises StoreBusy with the other one's process id."""
        directory = self.config.data_dir
        try:
            with contextlib.suppress(OSError):  # the lock says it better
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = Lock(directory, "daemon.lock")
        except StoreBusy:
            raise
        except StoreError as error:
            # Where nothing can be written, nothing can be spoilt by two.
            logger.warning("%s", error)
            yield
            return
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count this start as a crash until it turns out to be none."""
        self.safe = self._starts.begin()
        try:
            yield
        except StoreBusy:
            self._starts.withdraw()
            raise
        except asyncio.CancelledError:
            self._starts.clear()
            raise
        self._starts.clear()

    async def _ask_for_time(self) -> None:
        """Weights may take minutes from a slow card: no reason to end while it goes on."""
        while self.stage == "starting":
            self._notifier.starting()
            await asyncio.sleep(LONGER_S / 4)

    async def _prove_healthy(self) -> None:
        await asyncio.sleep(self.config.service.healthy_s)
        self._starts.clear()

    async def _listen_to_requests(self) -> None:
        path = own_socket(self.config)
        control = Control(path, self.config.data_dir, Requests(self).answer)
        try:
            await control.open()
        except StoreBusy:
            raise
        except StoreError as error:
            self.missing.append(Missing("I can't be reached from the command line.", str(error)))
        else:
            self._control = control

    async def _excuse_itself(self, voice: VoiceLoop) -> None:
        """Say aloud what is missing."""
        try:
            if self.safe_line is not None:
                await voice.say(self.safe_line)
            for each in self.missing:
                if each.still():
                    await voice.say(each.spoken)
        except EngineError as error:
            logger.error("not said aloud: %s", error)

    def supervise(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run beside everything else. What fails there ends the daemon, loudly."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    async def _ended(self) -> None:
        """Wait until the sound has ended, or something that must not fail has failed."""
        while self._last is None or not self._last.done():
            done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            self._tasks -= done
            for task in done:
                task.result()

    def _frames(self) -> int | None:
        return None if self._last is None or self.voice is None else self.voice.frames

    def _tell_step(self, step: Step) -> None:
        if step is not Step.FIRST_START:
            self._tell(step.value)

    def _tell(self, line: str) -> None:
        self._notifier.status(line)
        logger.info("%s", line)
