"""Echo cancellation by WebRTC's audio processing (AEC3), as pywebrtc-audio binds it.

AEC3 works in blocks of 10 ms and pads an incomplete one with zeros, which clicks; a frame of
32 ms is no multiple of that. So whole blocks are cut out of the stream, and what comes out is
`DELAY` samples late: the longest rest that ever waits for its block to fill.
"""

from __future__ import annotations

import numpy as np
from pywebrtc_audio import AudioProcessor

from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, Samples

BLOCK = MIC_RATE // 100
"""Samples that AEC3 takes at once."""

DELAY = 128
"""Samples (8 ms) from a sound heard to the same sound given out. Frames leave rests of 32, 64,
96, 128 and 0 samples in turn."""

_NOTHING: Samples = np.zeros(0, dtype=np.int16)


class WebRtcEcho:
    """See `protocols.EchoCanceller`."""

    def __init__(self) -> None:
        # Without a hint AEC3 finds the echo's delay itself, which takes it a second of sound.
        self._processor = AudioProcessor(
            sample_rate=MIC_RATE, echo_cancellation=True, stream_delay_ms=0
        )
        self._near = self._far = self._clean = _NOTHING
        self._empty()

    def process(self, near: Samples, far: Samples) -> Samples:
        assert near.shape == far.shape == (MIC_FRAME,), "a frame is MIC_FRAME samples"
        near = np.concatenate([self._near, near])
        far = np.concatenate([self._far, far])
        whole = len(near) - len(near) % BLOCK
        clean = self._processor.process(near[:whole], far[:whole])
        self._near, self._far = near[whole:], far[whole:]
        clean = np.concatenate([self._clean, clean])
        self._clean = clean[MIC_FRAME:]
        return clean[:MIC_FRAME]

    def reset(self) -> None:
        self._processor.reset()
        self._empty()

    def _empty(self) -> None:
        self._near = self._far = _NOTHING
        self._clean = np.zeros(DELAY, dtype=np.int16)
