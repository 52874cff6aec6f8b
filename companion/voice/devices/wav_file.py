"""WAV files of any rate, width and number of channels, as samples.

The standard library's reader knows neither floats nor (before Python 3.12) the extensible header
that most programs write for 24 bits, and gives up on files whose writer was killed.
"""

from __future__ import annotations

import struct
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import soxr
from numpy.typing import NDArray

from companion.engines.sound.protocols import Samples
from companion.errors import InputError

_INTEGERS: Final = 1
_FLOATS: Final = 3
_EXTENSIBLE: Final = 0xFFFE

_RATES: Final = range(1_000, 768_001)
"""Samples a second that something may have recorded. A header that says 1 Hz would make hours of a
short file, and gigabytes."""

_FORMAT = struct.Struct("<HHIIHH")
"""Tag, channels, rate, bytes a second, bytes a frame, bits a sample."""


def read_wav(path: Path, rate: int) -> Samples:
    """The sound in a file, mixed to one channel, at `rate` samples a second.

    A file that was cut while it was written counts as far as it goes.
    Raises InputError when it cannot be read or is not a WAV file of integers or floats.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a WAV file") from None
    channels, own_rate, loudness = _decode(path, content)
    mono = loudness.reshape(-1, channels).mean(axis=1, dtype=np.float32)
    if own_rate != rate and len(mono):
        mono = soxr.resample(mono, own_rate, rate)
    return np.asarray(np.clip(np.rint(mono * 32768.0), -32768, 32767), dtype=np.int16)


class WavWriter:
    """Writes samples into a WAV file as they come. The file is whole after every write, so that
    a program that is killed leaves what it had."""

    def __init__(self, path: Path, rate: int) -> None:
        """Raises InputError when the file cannot be made."""
        self._path = path
        try:
            self._stream = path.open("wb")
        except OSError as error:
            raise self._refused(error) from None
        self._wave = wave.Wave_write(self._stream)
        self._wave.setnchannels(1)
        self._wave.setsampwidth(2)
        self._wave.setframerate(rate)
        self.write(np.zeros(0, np.int16))

    def write(self, samples: Samples) -> None:
        """Raises InputError when the disk is full."""
        try:
            self._wave.writeframes(samples.astype("<i2", copy=False).tobytes())
            self._stream.flush()
        except OSError as error:
            raise self._refused(error) from None

    def close(self) -> None:
        """Calling twice is harmless."""
        self._wave.close()
        self._stream.close()

    def _refused(self, error: OSError) -> InputError:
        return InputError(f"{self._path}: {error.strerror}; name another file to write")


def _decode(path: Path, content: bytes) -> tuple[int, int, NDArray[np.float32]]:
    """Channels, rate, and interleaved samples between -1 and 1."""
    if content[:4] != b"RIFF" or content[8:12] != b"WAVE":
        raise InputError(f"{path}: is not a WAV file; convert it with: sox FILE out.wav")
    header: bytes | None = None
    for name, body in _chunks(content):
        if name == b"fmt ":
            header = body
        elif name == b"data" and header is not None:
            return _samples(path, header, body)
    raise InputError(f"{path}: is a WAV file without sound; record it again")


def _chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and body of each part. A part that says it is longer than the file ends with it:
    so does one whose writer could not go back to fill in its length."""
    at = 12
    while at + 8 <= len(content):
        name, length = struct.unpack_from("<4sI", content, at)
        yield name, content[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _samples(path: Path, header: bytes, body: bytes) -> tuple[int, int, NDArray[np.float32]]:
    if len(header) < _FORMAT.size:
        raise InputError(f"{path}: its header is cut; record it again")
    tag, channels, rate, _, _, bits = _FORMAT.unpack_from(header)
    if tag == _EXTENSIBLE and len(header) >= 26:
        tag = struct.unpack_from("<H", header, 24)[0]
    if channels == 0 or rate not in _RATES:
        raise InputError(f"{path}: says it has {channels} channels at {rate} Hz; record it again")
    width = bits // 8
    widths, decode = _DECODERS.get(tag, ((), _integers))
    if bits % 8 or width not in widths:
        raise InputError(
            f"{path}: holds samples of kind {tag} with {bits} bits, which are not known; "
            "convert it with: sox FILE -b 16 out.wav"
        )
    whole = len(body) - len(body) % (width * channels)
    return channels, rate, decode(body[:whole], width)


def _integers(body: bytes, width: int) -> NDArray[np.float32]:
    if width == 1:  # these alone are unsigned
        return np.asarray(np.frombuffer(body, np.uint8) / 128 - 1, dtype=np.float32)
    if width == 3:
        wide = np.zeros((len(body) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(body, np.uint8).reshape(-1, 3)
        body, width = wide.tobytes(), 4
    return np.asarray(np.frombuffer(body, f"<i{width}") / 2 ** (8 * width - 1), dtype=np.float32)


def _floats(body: bytes, width: int) -> NDArray[np.float32]:
    """A float may be anything: what is no number is silence, the rest clips."""
    with np.errstate(invalid="ignore"):  # some of what is no number cannot even be converted
        numbers = np.frombuffer(body, f"<f{width}").astype(np.float64)
    return np.clip(np.nan_to_num(numbers), -1, 1).astype(np.float32)


_DECODERS = {_INTEGERS: ((1, 2, 3, 4), _integers), _FLOATS: ((4, 8), _floats)}
"""By kind of sample: the bytes that one may have, and what reads them."""
