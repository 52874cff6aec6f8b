"""Short soft tones for the moments in which the companion has nothing to say yet.

A rising pair of tones says that it listens, a falling one that it does not; thinking is a low
double tap.
"""

from __future__ import annotations

import numpy as np

from companion.engines.sound.protocols import SPEAKER_RATE, Samples

LOUDNESS = 0.12
"""Of full scale."""


def listening() -> Samples:
    """It listens from now on. Shape (n,) at SPEAKER_RATE, like all of these; 180 ms."""
    return _tones((523.25, 90), (783.99, 90))


def done() -> Samples:
    """It no longer listens; 180 ms."""
    return _tones((783.99, 90), (523.25, 90))


def thinking() -> Samples:
    """An answer is on its way; 200 ms."""
    return _tones((392.0, 80), (0.0, 40), (392.0, 80))


def unknown() -> Samples:
    """Nothing is known of what was asked: low and short, 160 ms."""
    return _tones((174.61, 160))


def _tones(*notes: tuple[float, int]) -> Samples:
    """Notes (Hz, ms) one after the other, each swelling and fading; 0 Hz is a rest."""
    return np.concatenate([_tone(pitch, length) for pitch, length in notes])


def _tone(pitch: float, milliseconds: int) -> Samples:
    count = SPEAKER_RATE * milliseconds // 1000
    time = np.arange(count) / SPEAKER_RATE
    # An octave above, softly, makes it a chime instead of a beep.
    wave = np.sin(2 * np.pi * pitch * time) + 0.25 * np.sin(4 * np.pi * pitch * time)
    envelope = np.hanning(count)
    sound: Samples = (wave / 1.25 * envelope * LOUDNESS * 32767).astype(np.int16)
    return sound
