"""A backend of the sound process whose devices are files in a folder; the folder is the wish.

`microphone` or `speaker` in the folder: the device is plugged in; its words are rate and channels.
Taken away: it was pulled out. `hang` in the folder: it stops without saying so.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from companion.errors import SoundError

HERTZ = 440
BLOCK_S = 0.032


class Stream:
    def __init__(self, folder: Path, what: str, exchange: Callable[[Stream, int], None]) -> None:
        self._sign = folder / what
        if not self._sign.exists():
            raise SoundError(f"there is no {what}")
        self.rate, self.channels = map(int, self._sign.read_text().split())
        self.name = f"toy {what}"
        self.active = True
        self._hang = folder / "hang"
        self._exchange = exchange
        whole = folder / f"{what}.pid.new"  # the test may read while it is written
        whole.write_text(str(os.getpid()))
        whole.replace(folder / f"{what}.pid")
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        began, done = time.monotonic(), 0
        while self._sign.exists():
            done += 1
            time.sleep(max(0.0, began + done * BLOCK_S - time.monotonic()))
            if self._hang.exists():
                time.sleep(3600)
            self._exchange(self, int(self.rate * BLOCK_S))
        self.active = False


def open_microphone(wanted: str, deliver: Callable[[bytes, bool], None]) -> Stream:
    """Hears a tone on all channels."""
    at = 0

    def exchange(stream: Stream, samples: int) -> None:
        nonlocal at
        place = np.arange(at, at + samples)
        at += samples
        sound = np.sin(2 * np.pi * HERTZ * place / stream.rate) * 10_000
        deliver(np.repeat(sound.astype(np.int16), stream.channels).tobytes(), False)

    return Stream(Path(wanted), "microphone", exchange)


def open_speaker(wanted: str, fetch: Callable[[int], bytes]) -> Stream:
    """Plays into the file `played`."""
    file = (Path(wanted) / "played").open("ab", buffering=0)

    def exchange(stream: Stream, samples: int) -> None:
        file.write(fetch(samples * stream.channels * 2))

    return Stream(Path(wanted), "speaker", exchange)


def devices() -> list[dict[str, object]]:
    return [{"name": "toy", "inputs": 1, "outputs": 1}]
