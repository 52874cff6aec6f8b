"""A process that owns one sound device.

Run as `python -m companion.voice.devices.device_child microphone`.

It can be killed and started again alone, which is the only cure for a device that was pulled out.
It opens the device, carries frames of 32 ms and ends by itself: when it cannot open the device,
when the device stops, when its parent is gone. It always ends at once, without asking PortAudio,
which may be hanging.

It imports as little as it can: it is started while somebody waits.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import queue
import sys
import threading
import time
from typing import Any, NoReturn, Protocol

import numpy as np

from companion.engines.sound.protocols import FRAME_S, MIC_RATE, SPEAKER_RATE
from companion.errors import SoundError
from companion.voice.devices.device_wire import (
    FRAME_FROM_MICROPHONE,
    FRAME_TO_SPEAKER,
    Kind,
    message,
)
from companion.voice.devices.speaker_queue import SpeakerQueue

_MOST_HEARD = 62
"""Blocks that wait for the parent: 2 s. Then the oldest are dropped."""

_STEP_S = 0.25
"""Between two looks at whether the device still runs."""


class Stream(Protocol):
    """An open device."""

    name: str
    rate: int
    channels: int

    @property
    def active(self) -> bool: ...


def main() -> NoReturn:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("microphone", "speaker", "list"))
    parser.add_argument("--device", help="a part of its name")
    parser.add_argument("--backend", default="companion.voice.devices.port_audio")
    arguments = parser.parse_args()
    try:
        backend = importlib.import_module(arguments.backend)
        if arguments.what == "microphone":
            _microphone(backend, arguments.device)
        elif arguments.what == "speaker":
            _speaker(backend, arguments.device)
        _write(json.dumps(backend.devices()).encode())
    except SoundError as error:
        _fail(str(error))
    except Exception as error:  # whatever a driver comes up with: the parent tells it and retries
        _fail(f"{type(error).__name__}: {error}")
    os._exit(0)


def _microphone(backend: Any, wanted: str | None) -> NoReturn:
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    lost = 0

    def deliver(block: bytes, gap: bool) -> None:
        nonlocal lost
        lost += gap
        if heard.qsize() >= _MOST_HEARD:
            heard.get_nowait()
            lost += 1
        heard.put(block)

    stream: Stream = backend.open_microphone(wanted, deliver)
    _write(message(Kind.OPENED, _description(stream)))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    convert = _Converter(stream.rate, MIC_RATE)
    waiting = b""
    while True:
        try:
            block = heard.get(timeout=_STEP_S)
        except queue.Empty:
            _look(stream)
            continue
        samples = np.frombuffer(block, np.int16).reshape(-1, stream.channels)
        # At most two: the others of an array of microphones may carry what was played.
        mono = samples[:, :2].mean(axis=1).astype(np.int16) if stream.channels > 1 else samples
        waiting += convert(mono.ravel())
        while len(waiting) >= FRAME_FROM_MICROPHONE:
            _write(message(Kind.HEARD, waiting[:FRAME_FROM_MICROPHONE], lost))
            waiting = waiting[FRAME_FROM_MICROPHONE:]


def _speaker(backend: Any, wanted: str | None) -> NoReturn:
    fetched = 0
    frames: SpeakerQueue | None = None

    def fetch(size: int) -> bytes:
        nonlocal fetched
        fetched += 1
        return bytes(size) if frames is None else frames.take(size)

    stream: Stream = backend.open_speaker(wanted, fetch)
    frames = SpeakerQueue(round(stream.rate * FRAME_S) * stream.channels * 2)
    _write(message(Kind.OPENED, _description(stream)))
    threading.Thread(target=_bring, args=(stream, frames), daemon=True).start()
    before = 0
    while True:
        time.sleep(_STEP_S)
        _look(stream)
        if fetched != before:
            before = fetched
            _write(message(Kind.TOOK, lost=frames.missing))


def _bring(stream: Stream, frames: SpeakerQueue) -> NoReturn:
    """Carries frames from the parent to the queue."""
    silence = bytes(FRAME_TO_SPEAKER)
    convert = _Converter(SPEAKER_RATE, stream.rate)
    while len(frame := sys.stdin.buffer.read(FRAME_TO_SPEAKER)) == FRAME_TO_SPEAKER:
        block = np.frombuffer(convert(np.frombuffer(frame, np.int16)), np.int16)
        if len(block):
            frames.put(np.repeat(block, stream.channels).tobytes(), silent=frame == silence)
    os._exit(0)


class _Converter:
    """Mono samples at another rate, as bytes, without a seam between blocks."""

    def __init__(self, rate: int, wanted: int) -> None:
        self._stream = None
        if rate != wanted:
            import soxr  # only then: it takes its time

            self._stream = soxr.ResampleStream(rate, wanted, 1, dtype="int16", quality="MQ")

    def __call__(self, samples: Any) -> bytes:
        if self._stream is not None:
            samples = self._stream.resample_chunk(samples)
        return bytes(samples.tobytes())


def _description(stream: Stream) -> bytes:
    channels = "1 channel" if stream.channels == 1 else f"{stream.channels} channels"
    return f"{stream.name} ({stream.rate} Hz, {channels})".encode()


def _look(stream: Stream) -> None:
    """End when the device does."""
    if not stream.active:
        _fail(f"{stream.name}: stopped")


def _end_with_parent() -> NoReturn:
    while sys.stdin.buffer.read(1):
        pass
    os._exit(0)


def _write(content: bytes) -> None:
    """All of it, whatever a signal does to a write; a parent that is gone ends the process."""
    view = memoryview(content)
    try:
        while view:
            view = view[os.write(1, view) :]
    except OSError:
        os._exit(0)


def _fail(why: str) -> NoReturn:
    _write(message(Kind.FAILED, " ".join(why.split()).encode()))
    os._exit(1)


if __name__ == "__main__":
    main()
