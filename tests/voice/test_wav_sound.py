"""Files in the place of devices: every kind of WAV, in step, with our own echo."""

from __future__ import annotations

import struct
import wave
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.engines.sound.protocols import (
    MIC_FRAME,
    MIC_RATE,
    SPEAKER_FRAME,
    SPEAKER_RATE,
    Samples,
)
from companion.errors import InputError
from companion.voice.devices.wav_file import WavWriter, read_wav
from companion.voice.devices.wav_sound import WavSound
from companion.voice.turns.far_end import FarEnd


class Steps:
    """A pace that never waits, and counts."""

    def __init__(self) -> None:
        self.taken = 0

    async def tick(self) -> None:
        self.taken += 1


def tone(rate: int, seconds: float = 0.5, hertz: float = 440.0) -> NDArray[np.float64]:
    return np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate) * 0.5


def encoded(sound: NDArray[np.float64], kind: str) -> bytes:
    """Interleaved samples as a WAV file holds them."""
    if kind == "u8":
        return np.rint(sound * 127 + 128).astype(np.uint8).tobytes()
    if kind == "s24":
        wide = np.rint(sound * 8388607).astype("<i4")
        return wide.view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    whole = {"s16": 32767, "s32": 2147483647}.get(kind)
    if whole is not None:
        return np.rint(sound * whole).astype("<i2" if kind == "s16" else "<i4").tobytes()
    return sound.astype("<f4" if kind == "f32" else "<f8").tobytes()


def wav(
    path: Path, kind: str, rate: int, channels: int, *, extensible: bool = False, length: int = -1
) -> Path:
    """A tone in a file with a header of our own; `length`: what the data says of itself."""
    sound = np.repeat(tone(rate)[:, None], channels, axis=1).ravel()
    body = encoded(sound, kind)
    bits = int(kind[1:])
    tag = 3 if kind[0] == "f" else 1
    frame = channels * bits // 8
    header = struct.pack(
        "<HHIIHH", 0xFFFE if extensible else tag, channels, rate, rate * frame, frame, bits
    )
    if extensible:
        header += struct.pack("<HHIH14x", 22, bits, 0, tag)
    said = len(body) if length < 0 else length
    chunks = b"LIST" + struct.pack("<I", 3) + b"abc\0"  # an odd chunk that nobody needs
    chunks += b"fmt " + struct.pack("<I", len(header)) + header
    chunks += b"data" + struct.pack("<I", said) + body
    path.write_bytes(b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks)
    return path


def heard_hertz(sound: Samples) -> float:
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    return float(np.argmax(spectrum) * MIC_RATE / len(sound))


@pytest.mark.parametrize("kind", ["u8", "s16", "s24", "s32", "f32", "f64"])
@pytest.mark.parametrize(
    ("rate", "channels"), [(8_000, 1), (16_000, 2), (44_100, 2), (48_000, 6), (96_000, 1)]
)
def test_every_rate_width_and_number_of_channels_sounds_the_same(
    tmp_path: Path, kind: str, rate: int, channels: int
) -> None:
    sound = read_wav(wav(tmp_path / "a.wav", kind, rate, channels), MIC_RATE)
    assert sound.dtype == np.int16
    assert abs(len(sound) - MIC_RATE // 2) <= 2
    assert heard_hertz(sound) == pytest.approx(440, abs=4)
    middle = sound[1000:-1000].astype(float)
    assert np.sqrt((middle**2).mean()) == pytest.approx(32768 * 0.5 / np.sqrt(2), rel=0.02)


@pytest.mark.parametrize("kind", ["s24", "f32"])
def test_the_extensible_header_is_known(tmp_path: Path, kind: str) -> None:
    sound = read_wav(wav(tmp_path / "a.wav", kind, 48_000, 2, extensible=True), MIC_RATE)
    assert heard_hertz(sound) == pytest.approx(440, abs=4)


@pytest.mark.parametrize("length", [0xFFFFFFFF, 10**6])
def test_a_recording_that_was_never_finished_counts_as_far_as_it_goes(
    tmp_path: Path, length: int
) -> None:
    sound = read_wav(wav(tmp_path / "a.wav", "s16", 16_000, 1, length=length), MIC_RATE)
    assert len(sound) == MIC_RATE // 2


def test_a_file_without_a_sample_is_no_sound_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.wav"
    WavWriter(path, 44_100).close()
    assert read_wav(path, MIC_RATE).shape == (0,)


def test_numbers_that_are_none_are_silence(tmp_path: Path) -> None:
    path = wav(tmp_path / "a.wav", "f32", 16_000, 1)
    content = path.read_bytes()
    path.write_bytes(content[:-4] + struct.pack("<f", float("nan")))
    assert read_wav(path, MIC_RATE)[-1] == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        (b"", "not a WAV file"),
        (b"ID3\x04" + bytes(100), "not a WAV file"),
        (b"RIFF\x24\0\0\0WAVE", "without sound"),
        (b"RIFF\x24\0\0\0WAVEfmt \x04\0\0\0\1\0\1\0data\0\0\0\0", "header is cut"),
        (
            b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"
            + struct.pack("<HHIIHH", 1, 0, 16000, 0, 0, 16)
            + b"data\0\0\0\0",
            "0 channels",
        ),
        (
            b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"
            + struct.pack("<HHIIHH", 1, 1, 1, 2, 2, 16)
            + b"data\0\0\0\0",
            "at 1 Hz",
        ),
        (
            b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0"
            + struct.pack("<HHIIHH", 7, 1, 8000, 8000, 1, 8)
            + b"data\0\0\0\0",
            "kind 7",
        ),
    ],
)
def test_a_file_that_cannot_be_heard_is_one_clear_line(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "a.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as told:
        WavSound(path, None, Steps())
    assert words in str(told.value)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        WavSound(np.zeros(10, np.int16), tmp_path / "nowhere" / "b.wav", Steps())


async def test_frames_come_in_order_the_last_one_filled_up_then_nothing() -> None:
    source = np.arange(1, 2 * MIC_FRAME + 101, dtype=np.int16)
    pace = Steps()
    sound = WavSound(source, None, pace)
    frames = []
    while (frame := await sound.capture()) is not None:
        frames.append(frame)
        sound.play(np.zeros(SPEAKER_FRAME, np.int16))
    assert [len(frame) for frame in frames] == [MIC_FRAME] * 3
    assert np.array_equal(np.concatenate(frames)[: len(source)], source)
    assert not frames[-1][100:].any()
    assert pace.taken == 3
    assert await sound.capture() is None


async def test_silence_lingers_while_something_is_still_to_be_said() -> None:
    sound = WavSound(np.ones(MIC_FRAME, np.int16), None, Steps())
    sound.linger = lambda: sound.heard_samples < 5 * MIC_FRAME
    frames = []
    while (frame := await sound.capture()) is not None:
        frames.append(bool(frame.any()))
    assert frames == [True, False, False, False, False]
    assert sound.ended


async def test_what_is_played_is_in_the_file_at_once_and_in_step(tmp_path: Path) -> None:
    out = tmp_path / "b.wav"
    sound = WavSound(np.zeros(4 * MIC_FRAME, np.int16), out, Steps())
    for number in range(4):
        assert await sound.capture() is not None
        sound.play(np.full(SPEAKER_FRAME, number, np.int16))
        with wave.open(str(out)) as file:  # whole, though nobody has closed it
            assert file.getframerate() == SPEAKER_RATE
            assert file.getnframes() == (number + 1) * SPEAKER_FRAME
    await sound.close()
    await sound.close()
    with wave.open(str(out)) as file:
        played = np.frombuffer(file.readframes(10**6), np.int16).reshape(4, SPEAKER_FRAME)
    assert (played == np.arange(4)[:, None]).all()
    assert await sound.capture() is None


@pytest.mark.parametrize("delay_ms", [0, 40, 100])
async def test_our_own_echo_is_heard_so_much_quieter_and_so_much_later(delay_ms: int) -> None:
    sound = WavSound(
        np.zeros(20 * MIC_FRAME, np.int16), None, Steps(), echo_db=-12, echo_delay_ms=delay_ms
    )
    burst = np.rint(tone(SPEAKER_RATE, 0.032, 1000) * 32767).astype(np.int16)
    heard = []
    for number in range(20):
        frame = await sound.capture()
        assert frame is not None
        heard.append(frame)
        sound.play(burst if number == 4 else np.zeros(SPEAKER_FRAME, np.int16))
    line = np.concatenate(heard).astype(float)
    first = int(np.argmax(np.abs(line) > 200))
    handed_over = 5 * MIC_FRAME  # when the frame that was heard before it had ended
    assert first - handed_over == pytest.approx(delay_ms * MIC_RATE / 1000, abs=16)
    loud = line[first : first + MIC_FRAME]
    assert np.sqrt((loud**2).mean()) == pytest.approx(
        32767 * 0.5 / np.sqrt(2) * 10 ** (-12 / 20), rel=0.05
    )


async def test_an_echo_on_top_of_loud_speech_clips_and_does_not_wrap() -> None:
    sound = WavSound(np.full(9 * MIC_FRAME, 32000, np.int16), None, Steps(), echo_db=0)
    lowest = 0
    for _ in range(9):
        frame = await sound.capture()
        assert frame is not None
        lowest = min(lowest, int(frame.min()))
        sound.play(np.full(SPEAKER_FRAME, 30000, np.int16))
    assert lowest >= 0


def test_the_far_end_is_the_same_sound_without_a_seam() -> None:
    far = FarEnd()
    sound = np.rint(tone(SPEAKER_RATE, 0.32, 1000) * 32767).astype(np.int16)
    parts = [far.convert(frame) for frame in sound.reshape(-1, SPEAKER_FRAME)]
    assert {len(part) for part in parts} == {MIC_FRAME}
    line = np.concatenate(parts)[200:].astype(float)
    spectrum = np.abs(np.fft.rfft(line * np.hanning(len(line)))) ** 2
    near = slice(int(np.argmax(spectrum)) - 8, int(np.argmax(spectrum)) + 9)
    assert heard_hertz(line.astype(np.int16)) == pytest.approx(1000, abs=8)
    assert spectrum[near].sum() / spectrum.sum() > 0.9999


def test_what_the_microphone_cannot_carry_does_not_come_back_as_something_else() -> None:
    far = FarEnd()
    sound = np.rint(tone(SPEAKER_RATE, 0.32, 11_000) * 32767).astype(np.int16)
    line = np.concatenate([far.convert(frame) for frame in sound.reshape(-1, SPEAKER_FRAME)])
    assert np.abs(line[200:]).max() < 32767 * 0.5 * 0.02
