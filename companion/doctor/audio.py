"""`companion doctor --audio`: plays a sound, listens to it, and says which `voice.echo` fits.

What is measured: how late and how loud the companion's own voice comes back into its microphone,
and how much of that an echo canceller leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from companion.config import VoiceSection
from companion.doctor.finding import Finding, Level
from companion.engines.sound.protocols import (
    FRAME_S,
    MIC_FRAME,
    MIC_RATE,
    SPEAKER_FRAME,
    SPEAKER_RATE,
    EchoCanceller,
    Samples,
    Sound,
)
from companion.voice.devices.live_sound import LiveSound
from companion.voice.turns.far_end import FarEnd

_QUIET_S = 1.0
_CHIRP_S = 0.8
_NOISE_S = 6.0
_TAIL_S = 0.8

_LATEST_S = 0.5
"""The longest way from a speaker to a microphone that is looked for, Bluetooth included."""

_CLEAR = 8.0
"""How far the correlation's peak must stand above its own mean."""

_HARMLESS_DB = 6.0
"""Above the room's own noise: a rest that starts no turn."""

_ENOUGH_DB = 20.0
"""What a canceller that works takes away."""

_FAINTEST_DB = -90.0

_FEW_LOST = 5
"""Frames in ten seconds: a device that has just been opened may stumble."""

GONE = "microphone or speaker went away while it was measured"

Echo = Literal["cancel", "half-duplex", "none"]


@dataclass(frozen=True)
class Loopback:
    """What of a sound that was played came back. Levels are in dB of full scale (RMS)."""

    delay_ms: float | None
    """From the handing over of a frame to its coming back; None: it was not heard."""

    room_db: float
    """Before anything was played."""

    echo_db: float
    left_db: float
    """Of the echo, after the canceller has had half of the noise to learn the room."""

    loss_db: float
    """How much quieter it came back than it was played."""

    @property
    def echo(self) -> Echo:
        """What `voice.echo` should be."""
        if self.delay_ms is None:
            return "none"
        harmless = self.left_db - self.room_db <= _HARMLESS_DB
        return "cancel" if harmless or self.echo_db - self.left_db >= _ENOUGH_DB else "half-duplex"


async def examine_audio(
    section: VoiceSection, canceller: EchoCanceller, sound: LiveSound | None = None
) -> list[Finding]:
    """What microphone, speaker and the air between them are like. Plays aloud for ten seconds."""
    sound = sound or LiveSound(section)
    try:
        state = await sound.start()
        found = [
            Finding(side, "ok", name)
            for side, name in zip(("microphone", "speaker"), state.names, strict=True)
            if name != "none"
        ]
        if sound.troubles:
            return found + _missing(sound)
        measured = findings(await record(sound, canceller), section.echo)
        state = sound.state
        if sound.troubles or state.restarts:  # What was measured then is no room.
            return found + (_missing(sound) or [Finding("sound", "bad", GONE, "measure again")])
        found += measured
        if lost := state.overruns + state.underruns:
            what = f"{state.overruns} frames of 32 ms were lost when heard, "
            what += f"{state.underruns} came too late to be played"
            level: Level = "ok" if lost < _FEW_LOST else "warn"
            found.append(Finding("frames", level, what, "end other programs and measure again"))
        return found
    finally:
        await sound.close()


def _missing(sound: LiveSound) -> list[Finding]:
    mend = "plug it in; `companion devices` lists what there is"
    return [Finding("sound", "bad", why, mend) for why in sound.troubles]


def probe() -> Samples:
    """Silence, a chirp (for the delay), noise with the rhythm of speech (for the canceller), and
    silence; at SPEAKER_RATE, whole frames."""
    time = np.arange(int(_CHIRP_S * SPEAKER_RATE)) / SPEAKER_RATE
    low, high = 300.0, 6000.0
    sweep = np.log(high / low) / _CHIRP_S
    chirp = np.sin(2 * np.pi * low * (np.exp(sweep * time) - 1) / sweep)
    noise = np.random.default_rng(1).standard_normal(int(_NOISE_S * SPEAKER_RATE))
    noise = np.convolve(noise, 0.85 ** np.arange(32), "same")  # deep like a voice
    noise *= 0.55 + 0.45 * np.sin(2 * np.pi * 4 * np.arange(len(noise)) / SPEAKER_RATE)
    parts = (
        np.zeros(int(_QUIET_S * SPEAKER_RATE)),
        chirp * 0.3,
        np.zeros(int(_TAIL_S * SPEAKER_RATE)),
        noise / np.abs(noise).max() * 0.6,
        np.zeros(int(_TAIL_S * SPEAKER_RATE)),
    )
    line = np.concatenate(parts)
    line = np.pad(line, (0, -len(line) % SPEAKER_FRAME))
    return np.asarray(np.rint(line * 32767), dtype=np.int16)


async def record(sound: Sound, canceller: EchoCanceller) -> Loopback:
    """Play the probe over `sound` and measure what comes back; takes about ten seconds."""
    far_end, silence = FarEnd(), np.zeros(MIC_FRAME, np.int16)
    far = silence
    heard, played, clean = [], [], []
    for frame in probe().reshape(-1, SPEAKER_FRAME):
        near = await sound.capture()
        if near is None:
            break
        clean.append(canceller.process(near, far))
        sound.play(frame)
        heard.append(near)
        far = far_end.convert(frame)
        played.append(far)
    return measure(np.concatenate(played), np.concatenate(heard), np.concatenate(clean))


def measure(played: Samples, heard: Samples, clean: Samples) -> Loopback:
    """All three at MIC_RATE and in step: the n-th frame played was handed over once the n-th frame
    had been heard."""
    begin, end = int(_QUIET_S * MIC_RATE), int((_QUIET_S + _CHIRP_S) * MIC_RATE)
    late = int(_LATEST_S * MIC_RATE) + MIC_FRAME
    delay = _delay(played[begin:end], heard[begin : end + late])
    noise = int((_QUIET_S + _CHIRP_S + _TAIL_S) * MIC_RATE)
    learnt = slice(
        noise + int(_NOISE_S / 2 * MIC_RATE) + late // 2, noise + int(_NOISE_S * MIC_RATE)
    )
    echo_db = _level(heard[learnt])
    return Loopback(
        delay_ms=None if delay is None else delay * 1000 / MIC_RATE - FRAME_S * 1000,
        room_db=_level(heard[MIC_FRAME:begin]),
        echo_db=echo_db,
        left_db=_level(clean[learnt]),
        loss_db=_level(played[learnt]) - echo_db,
    )


def findings(loopback: Loopback, configured: str) -> list[Finding]:
    """What was measured, in the doctor's words. `configured`: voice.echo as it is set."""
    if loopback.delay_ms is None:
        return [
            Finding(
                "echo",
                "warn",
                "the microphone did not hear the speaker: with headphones that is well and "
                "`voice.echo: none` fits; else one of the two is muted, far away or another device",
                "turn the speaker up, and see `companion devices`",
            )
        ]
    found = Finding(
        "echo",
        "ok",
        f"our own voice comes back after {loopback.delay_ms:.0f} ms, "
        f"{loopback.loss_db:.0f} dB quieter; the canceller takes "
        f"{loopback.echo_db - loopback.left_db:.0f} dB of it away; the room itself is at "
        f"{loopback.room_db:.0f} dB",
    )
    wanted = loopback.echo
    if configured == wanted:
        return [found, Finding("voice.echo", "ok", f"{configured} fits")]
    return [
        found,
        Finding("voice.echo", "warn", f"is {configured}", f"set `voice.echo: {wanted}`"),
    ]


def _delay(sent: Samples, heard: Samples) -> int | None:
    """Samples after which `sent` is found in `heard`; None when it is not there."""
    size = len(sent) + len(heard)
    spectrum = np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sent, size))
    match = np.abs(np.fft.irfft(spectrum, size))[: len(heard) - len(sent)]
    peak = int(np.argmax(match))
    return peak if match[peak] > _CLEAR * match.mean() else None


def _level(samples: Samples) -> float:
    power = float(np.mean((samples / 32768.0) ** 2)) if len(samples) else 0.0
    return max(_FAINTEST_DB, 10 * float(np.log10(power + 1e-12)))
