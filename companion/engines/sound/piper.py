"""Speech by a piper voice, resident: a clause in, sound at the speaker's rate out.

Reads a folder with one `NAME.onnx` and its `NAME.onnx.json`. piper turns text into phonemes with
the espeak-ng that its wheel brings, and phonemes into sound with onnxruntime. The session is made
here and not by piper, whose own takes every core and lets its threads spin while they wait.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import soxr
from onnxruntime import InferenceSession
from piper import PiperVoice, SynthesisConfig
from piper.config import PiperConfig

from companion.engines.cores import usable_cores
from companion.engines.heap import give_back
from companion.engines.onnx_session import open_session
from companion.engines.resident import Resident
from companion.engines.sound.protocols import SPEAKER_RATE, Samples
from companion.engines.utf8 import encodable
from companion.errors import EngineError, ModelFileError

_VOLUME = 0.8
"""Peak of a sentence. Below 1, for resampling may lift a peak a little."""


class Piper(Resident["_Voice"]):
    """See `protocols.Synthesizer`."""

    @classmethod
    async def load(cls, directory: Path, *, name: str, threads: int, speed: float) -> Piper:
        """Load the voice in a folder and speak a word with it, so that the first one is quick.

        threads: 0 is all cores the process may use. speed: 1 is the voice's own.
        Raises ModelFileError when a file is missing or unreadable.
        """
        return await cls.start("piper", name, _Voice, directory, name, threads, speed)

    async def synthesize(self, text: str, pace: float = 1.0) -> Samples:
        return await self.run(_Voice.speak, text, pace)


class _Voice:
    """A voice. Blocking, for one thread."""

    def __init__(self, directory: Path, name: str, threads: int, speed: float) -> None:
        mend = f"fetch it again with: companion models fetch {name}"
        network = _network_in(directory, mend)
        description = network.with_name(f"{network.name}.json")
        try:
            config = PiperConfig.from_dict(json.loads(description.read_text(encoding="utf-8")))
        except OSError as error:
            raise ModelFileError(f"{description}: {error.strerror}; {mend}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ModelFileError(f"{description}: does not describe a voice; {mend}") from None
        self._voice = PiperVoice(session=_session(network, threads, mend), config=config)
        self._length_scale = config.length_scale / speed
        self.speak("Hello.")
        give_back()

    def speak(self, text: str, pace: float = 1.0) -> Samples:
        style = SynthesisConfig(length_scale=self._length_scale / pace, volume=_VOLUME)
        if not any(letter.isalnum() for letter in text):
            return np.zeros(0, dtype=np.int16)
        try:
            sentences = [
                sentence.audio_float_array
                for sentence in self._voice.synthesize(_plain(text), style)
            ]
        except Exception as error:  # onnxruntime's own classes share no public base.
            raise EngineError(f"the voice failed ({type(error).__name__})") from None
        if not sentences:
            return np.zeros(0, dtype=np.int16)
        sound = np.concatenate(sentences)
        sound = soxr.resample(sound, self._voice.config.sample_rate, SPEAKER_RATE)
        samples: Samples = (sound.clip(-1, 1) * 32767).astype(np.int16)
        return samples


def _plain(text: str) -> str:
    """Without what piper and espeak-ng take for more than text: [[phonemes]] and a C string's
    end."""
    return encodable(text).replace("\0", " ").replace("[[", "[ [").replace("]]", "] ]")


def _network_in(directory: Path, mend: str) -> Path:
    found = sorted(directory.glob("*.onnx"))
    if not found:
        raise ModelFileError(f"{directory}: has no .onnx file of a piper voice; {mend}")
    return found[0]


def _session(path: Path, threads: int, mend: str) -> InferenceSession:
    try:
        return open_session(path, threads or usable_cores(), severity=3)
    except Exception:  # onnxruntime's own classes share no public base.
        raise ModelFileError(f"{path}: is not a usable ONNX model; {mend}") from None
