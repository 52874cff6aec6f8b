"""The far-end signal for echo cancellation: what the speaker plays, at the microphone's rate."""

from __future__ import annotations

import numpy as np

from companion.engines.sound.protocols import SPEAKER_FRAME, Samples

_UP, _DOWN = 2, 3
"""SPEAKER_RATE times 2 over 3 is MIC_RATE: a frame of 768 samples becomes one of 512."""

_TAPS = 48
"""Length of the low-pass filter, at 48 kHz: it delays by half of that, 0.5 ms."""


def _low_pass() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A windowed sinc that keeps what is below 7.2 kHz, at 48 kHz."""
    place = np.arange(_TAPS) - (_TAPS - 1) / 2
    taps = np.sinc(2 * place * 7_200 / 48_000) * np.hamming(_TAPS)
    return np.asarray(taps / taps.sum() * _UP)


class FarEnd:
    """Turns frames for the speaker into frames at the microphone's rate, one for one.

    A stream resampler of soxr gives its samples in bursts; an echo canceller needs exactly
    MIC_FRAME of them for each frame, in step with what is heard.
    """

    def __init__(self) -> None:
        self._taps = _low_pass()
        self._before = np.zeros(_TAPS - 1)

    def convert(self, frame: Samples) -> Samples:
        """MIC_FRAME samples at MIC_RATE of SPEAKER_FRAME samples at SPEAKER_RATE."""
        if not frame.any() and not self._before.any():
            return np.zeros(SPEAKER_FRAME * _UP // _DOWN, np.int16)
        spread = np.zeros(SPEAKER_FRAME * _UP)
        spread[::_UP] = frame
        spread = np.concatenate((self._before, spread))
        self._before = spread[-(_TAPS - 1) :]
        smooth = np.convolve(spread, self._taps, "valid")[::_DOWN]
        return np.asarray(np.clip(np.rint(smooth), -32768, 32767), dtype=np.int16)
