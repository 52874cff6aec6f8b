"""One sound device, kept running: its process is started again whenever it ends or falls silent."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from typing import Any, Literal

from companion.errors import SoundError
from companion.voice.devices.device_wire import FRAME_TO_SPEAKER, HEADER, Kind

logger = logging.getLogger(__name__)

Side = Literal["microphone", "speaker"]

BACKEND = "companion.voice.devices.port_audio"

_STEP_S = 0.25
_STALL_STEPS = 8
"""2 s without a sign of life: the device hangs."""

_START_STEPS = 24
"""6 s until a device that was found must be open."""

_FIRST_WAIT_S = 0.5
_LONGEST_WAIT_S = 4.0
"""Between two attempts. A device that comes back is used within 10 s, a start included; each
attempt costs 0.2 s of one core."""

_STEADY_S = 10.0
"""A device that ran for so long is tried again at once; one that falters has to wait."""

_MOST_UNSENT = 8 * FRAME_TO_SPEAKER


class DeviceProcess:
    """A microphone or a speaker, for as long as `run` is awaited."""

    def __init__(
        self,
        side: Side,
        wanted: str | None,
        heard: Callable[[bytes], None] | None = None,
        *,
        backend: str = BACKEND,
    ) -> None:
        """`wanted`: a part of the device's name. `heard` takes each frame of a microphone."""
        self.side = side
        self.name = ""
        """Of the device in use, with rate and channels; "" while there is none."""

        self.restarts = 0
        """How often the device came back."""

        self.trouble = ""
        """Why there is no device now, for a person; "" while there is one."""

        self.tried = asyncio.Event()
        """The first attempt has succeeded or failed."""

        self._arguments = ["-m", "companion.voice.devices.device_child", side, "--backend", backend]
        self._arguments += [] if wanted is None else [f"--device={wanted}"]
        self._heard = heard
        self._stdin: asyncio.StreamWriter | None = None
        self._sign_of_life = False
        self._opened_before = False
        self._lost_before = 0
        self._lost_now = 0
        self._chatter = b""

    @property
    def live(self) -> bool:
        return bool(self.name)

    @property
    def lost(self) -> int:
        """Frames lost, by all processes so far."""
        return self._lost_before + self._lost_now

    def send(self, frame: bytes) -> None:
        """Hand FRAME_TO_SPEAKER bytes to the speaker. Without one they are dropped; with one that
        does not take them they are lost."""
        if not self.live or self._stdin is None or self._stdin.is_closing():
            return
        if self._stdin.transport.get_write_buffer_size() > _MOST_UNSENT:
            self._lost_before += 1
            return
        self._stdin.write(frame)

    async def run(self) -> None:
        """Until cancelled. Then the process is gone."""
        wait, now = _FIRST_WAIT_S, asyncio.get_running_loop().time
        while True:
            began = now()
            why, was_open = await self._once()
            self._lost_before, self._lost_now = self.lost, 0
            if why != self.trouble:
                logger.warning("no %s: %s", self.side, why)
            self.trouble = why
            self.tried.set()
            steady = was_open and now() - began > _STEADY_S
            wait = _FIRST_WAIT_S if steady else min(wait * 2, _LONGEST_WAIT_S)
            await asyncio.sleep(wait)

    async def _once(self) -> tuple[str, bool]:
        """One life of the process: why it ended, and whether the device was open."""
        try:
            process = await _start(*self._arguments)
        except OSError as error:  # no memory, too many files or processes: it may pass
            return f"the sound process cannot be started: {error.strerror}", False
        self._stdin, self._chatter = process.stdin, b""
        chatter = asyncio.create_task(self._listen_to_chatter(process))
        messages = asyncio.create_task(self._listen(process))
        try:
            why = await self._watch(messages)
            was_open = self.live
        finally:
            self.name = ""
            await _end(process, messages, chatter)
        return why or self._last_words() or "the sound process ended", was_open

    async def _watch(self, messages: asyncio.Task[str]) -> str:
        """Why it is over. Steps are counted, not seconds: while this program itself was held up,
        nothing could be heard from the process either."""
        quiet = 0
        while True:
            self._sign_of_life = False
            done, _ = await asyncio.wait({messages}, timeout=_STEP_S)
            if done:
                return messages.result()
            quiet = 0 if self._sign_of_life else quiet + 1
            if quiet >= (_STALL_STEPS if self.live else _START_STEPS):
                return f"{self.name}: hangs" if self.live else "does not open"

    async def _listen(self, process: Process) -> str:
        """Takes messages until the process ends; why, if it said so."""
        assert process.stdout is not None
        while True:
            try:
                kind, length, lost = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
                payload = await process.stdout.readexactly(length)
            except (asyncio.IncompleteReadError, ConnectionError):
                return ""
            self._sign_of_life = True
            self._lost_now = lost
            if kind == Kind.HEARD and self._heard is not None:
                self._heard(payload)
            elif kind == Kind.OPENED:
                self._opened(payload.decode(errors="replace"))
            elif kind == Kind.FAILED:
                return payload.decode(errors="replace")

    def _opened(self, name: str) -> None:
        self.name, self.trouble = name, ""
        self.restarts += self._opened_before
        self._opened_before = True
        self.tried.set()
        logger.info("%s: %s", self.side, name)

    async def _listen_to_chatter(self, process: Process) -> None:
        """ALSA writes pages to standard error: the end of it is kept for `_last_words`."""
        assert process.stderr is not None
        while part := await process.stderr.read(4096):
            self._chatter = (self._chatter + part)[-500:]

    def _last_words(self) -> str:
        lines = self._chatter.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


async def list_devices(*, backend: str = BACKEND) -> list[dict[str, Any]]:
    """Every sound device there is now. Raises SoundError."""
    process = await _start(
        "-m", "companion.voice.devices.device_child", "list", "--backend", backend
    )
    out = b""
    try:
        out, _ = await asyncio.wait_for(process.communicate(), _START_STEPS * _STEP_S)
    except asyncio.TimeoutError:
        raise SoundError("the sound system does not answer; restart it, or the machine") from None
    finally:
        await _end(process)
    if process.returncode == 0:
        devices: list[dict[str, Any]] = json.loads(out)
        return devices
    raise SoundError(out[HEADER.size :].decode(errors="replace") or "the sound process ended")


async def _start(*arguments: str) -> Process:
    # A session of its own: Ctrl-C in a terminal is for this program, which then ends its sound.
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
    )


async def _end(process: Process, *listening: asyncio.Task[Any]) -> None:
    """Kill it: it holds nothing that must be put away."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        process.kill()
    for task in listening:
        task.cancel()
    await asyncio.gather(process.wait(), *listening, return_exceptions=True)
