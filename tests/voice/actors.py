"""Who makes the sounds of a scenario: two voices, and everything in a room that is no speech.

The same words always sound the same: piper speaks without its random part, and noise has a seed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import onnxruntime
import soxr
from piper import PiperVoice, SynthesisConfig
from piper.config import PiperConfig

from companion.engines.sound.protocols import MIC_RATE, Samples

SPEECH_DB = -24.0
"""Loudness of speech (RMS of its voiced part), in dB of full scale: somebody at a metre or two."""

LONGEST_PAUSE_S = 0.35

VOICES = {"adult": (1.0, 1.0), "child": (1.22, 0.9), "slow": (1.0, 0.8), "quick": (1.0, 1.2)}
"""Of each voice: how much higher, and how much faster than the recorded one."""


class Actors:
    """Speaks lines with one piper voice; every line is made once."""

    def __init__(self, folder: Path) -> None:
        model = next(folder.glob("*.onnx"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        options.log_severity_level = 3
        self._voice = PiperVoice(
            session=onnxruntime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            ),
            config=_config(model),
        )
        self._lines: dict[tuple[str, str], Samples] = {}

    def speak(self, text: str, voice: str = "adult") -> Samples:
        """A line at MIC_RATE, without silence around it."""
        key = text, voice
        if key not in self._lines:
            self._lines[key] = self._speak(text, *VOICES[voice])
        return self._lines[key]

    def _speak(self, text: str, higher: float, faster: float) -> Samples:
        style = SynthesisConfig(length_scale=higher / faster, noise_scale=0.0, noise_w_scale=0.0)
        parts = [part.audio_float_array for part in self._voice.synthesize(text, style)]
        sound = np.concatenate(parts)
        # Played faster it is higher; it was spoken slower by as much.
        sound = soxr.resample(sound, self._voice.config.sample_rate * higher, MIC_RATE)
        return at_level(_trimmed(sound), SPEECH_DB)


def _config(model: Path) -> PiperConfig:
    return PiperConfig.from_dict(json.loads(model.with_name(f"{model.name}.json").read_text()))


def _trimmed(sound: np.ndarray) -> np.ndarray:
    """Without silence around it, and with short pauses: a line is one utterance."""
    loud = np.flatnonzero(np.abs(sound) > 0.02 * np.abs(sound).max())
    longest = int(LONGEST_PAUSE_S * MIC_RATE)
    keep = np.zeros(len(sound), bool)
    for before, after in zip(loud, [*loud[1:], loud[-1] + 1], strict=True):
        keep[before : min(after, before + longest)] = True
    return sound[keep]


def level_db(sound: np.ndarray) -> float:
    """RMS of the loud part of a sound (full scale 1), in dB: pauses do not count."""
    loud = sound[np.abs(sound) > 0.02 * np.abs(sound).max()]
    return float(20 * np.log10(np.sqrt(np.mean(loud**2))))


def at_level(sound: np.ndarray, decibels: float) -> Samples:
    """A sound of any scale, so loud; clipped where it does not fit."""
    scaled = sound * 10 ** ((decibels - level_db(sound)) / 20)
    return np.asarray(np.clip(scaled, -1, 1) * 32767, dtype=np.int16)


def louder(sound: Samples, decibels: float) -> Samples:
    return np.asarray(np.clip(sound * 10 ** (decibels / 20), -32768, 32767), dtype=np.int16)


def noise(kind: str, seconds: float, decibels: float, seed: int = 0) -> Samples:
    """A sound that is no speech, at MIC_RATE."""
    time = np.arange(int(seconds * MIC_RATE)) / MIC_RATE
    return at_level(NOISES[kind](time, np.random.default_rng(seed)), decibels)


def _white(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return np.asarray(random.standard_normal(len(time)))


def _hum(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    waves = [np.sin(2 * np.pi * 50 * n * time) / n for n in (1, 2, 3, 5)]
    return sum(waves, np.zeros(len(time))) + 0.02 * random.standard_normal(len(time))


def _music(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Chords of plucked strings, four in two seconds, with a beat."""
    sound = np.zeros(len(time))
    for number, start in enumerate(np.arange(0, time[-1], 0.5)):
        since = time - start
        fading = np.where(since >= 0, np.exp(-3 * np.maximum(since, 0)), 0)
        root = 220 * 2 ** ((0, 5, 7, 3)[number // 4 % 4] / 12)
        for step in (0, 4, 7, 12):
            pitch = root * 2 ** (step / 12)
            for partial in (1, 2, 3):
                sound += fading * np.sin(2 * np.pi * pitch * partial * since) / partial
        sound += (
            np.exp(-60 * np.maximum(since, 0)) * (since >= 0) * random.standard_normal(len(time))
        )
    return sound


def _clipping(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A microphone turned up until everything is a rectangle."""
    return np.sign(np.sin(2 * np.pi * 90 * time) + 0.8 * random.standard_normal(len(time)))


def _cough(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A burst of breath, then a shorter one: 0.35 s in all, whatever time there is."""
    breath = np.convolve(random.standard_normal(len(time)), np.ones(6) / 6, "same")
    first = np.where(time < 0.35, np.exp(-((time - 0.06) ** 2) / 0.002), 0)
    second = np.where(time < 0.35, 0.6 * np.exp(-((time - 0.24) ** 2) / 0.0015), 0)
    throat = 1 + 0.6 * np.sign(np.sin(2 * np.pi * 140 * time))
    return np.asarray(breath * throat * (first + second))


def _knock(time: np.ndarray, random: np.random.Generator) -> np.ndarray:
    return np.asarray(np.exp(-80 * time) * random.standard_normal(len(time)))


NOISES: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "white": _white,
    "hum": _hum,
    "music": _music,
    "clipping": _clipping,
    "cough": _cough,
    "knock": _knock,
    "silence": _white,
}


@cache
def television() -> tuple[str, ...]:
    """What several people say at once in another room."""
    return (
        "And now the weather for the whole country, with rain in the north until the evening.",
        "The minister said that the talks will go on for another week in the capital.",
        "Our prices have never been lower, so come and see us this weekend.",
        "He takes the ball, he runs down the left side, and it goes over the line.",
    )


def babble(actors: Actors, seconds: float, decibels: float) -> Samples:
    """Four voices over each other, none of them to be understood."""
    length = int(seconds * MIC_RATE)
    sound = np.zeros(length)
    for number, text in enumerate(television()):
        line = actors.speak(text, ("adult", "quick", "slow", "child")[number]) / 32768
        sound += np.resize(np.roll(line, number * 7000), length)
    return at_level(sound, decibels)
