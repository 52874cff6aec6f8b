"""Wake words by models of openWakeWord (0.1 to 0.6), run by onnxruntime alone.

Three networks stand in a row, and are fed 80 ms of sound at a time: sound becomes a spectrogram
(10 ms a row), 76 of its rows an embedding, and the last embeddings (the classifier says how many)
the score of a word. The first two are the same for every word; they are read from the folder in
which the word's model lies, as `melspectrogram.onnx` and `embedding_model.onnx`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from companion.engines.onnx_session import open_session
from companion.engines.sound.protocols import Samples
from companion.errors import ModelFileError

STEP = 1280
"""Samples that make a new embedding: 80 ms."""

BEFORE = 480
"""Samples before those that the spectrogram sees again: its windows overlap."""

ROWS = 76
"""Rows of a spectrogram that an embedding sees: 0.76 s."""

NEW_ROWS = STEP // 160
BANDS = 32
EMBEDDING = 96


class OpenWakeWord:
    """See `protocols.WakeWord`."""

    def __init__(self, model: Path | None) -> None:
        """model: the word's, e.g. hey_jarvis_v0.1.onnx. Raises ModelFileError."""
        if model is None:
            raise ModelFileError("voice.wake_model is not set: name the model of your wake word")
        model = model.expanduser()
        self._spectrum = _network(model.with_name("melspectrogram.onnx"))
        self._embed = _network(model.with_name("embedding_model.onnx"))
        self._word = _network(model)
        shape = self._word.get_inputs()[0].shape
        if len(shape) != 3 or shape[2] != EMBEDDING or not isinstance(shape[1], int):
            raise ModelFileError(f"{model}: is no wake-word model of openWakeWord")
        self._count: int = shape[1]
        self._sound: NDArray[np.int16]
        self._rows: NDArray[np.float32]
        self._embeddings: NDArray[np.float32]
        self.reset()

    def score(self, frame: Samples) -> float:
        """The last score, until a further 80 ms are complete."""
        self._sound = np.concatenate((self._sound, frame))
        while len(self._sound) >= BEFORE + STEP:
            self._hear(self._sound[: BEFORE + STEP])
            self._sound = self._sound[STEP:]
        return self._score

    def reset(self) -> None:
        self._sound = np.zeros(BEFORE, np.int16)
        self._rows = np.ones((ROWS, BANDS), np.float32)
        self._embeddings = np.zeros((self._count, EMBEDDING), np.float32)
        self._score = 0.0
        self._heard = 0

    def _hear(self, sound: Samples) -> None:
        (spectrum,) = _run(self._spectrum, sound.astype(np.float32)[None])
        # Scaled as the embedding's network was trained (openWakeWord's own transformation).
        rows = spectrum.reshape(-1, BANDS)[-NEW_ROWS:] / 10 + 2
        self._rows = np.concatenate((self._rows, rows))[-ROWS:]
        (embedding,) = _run(self._embed, self._rows[None, :, :, None])
        self._embeddings = np.concatenate((self._embeddings, embedding.reshape(1, EMBEDDING)))
        self._embeddings = self._embeddings[-self._count :]
        self._heard += 1
        if self._heard >= self._count:  # Before, what it sees was made up.
            (score,) = _run(self._word, self._embeddings[None])
            self._score = float(np.clip(np.ravel(score)[0], 0, 1))


def _network(path: Path) -> InferenceSession:
    if not path.is_file():
        raise ModelFileError(f"{path}: no such file; docs/wake-word.md says where it comes from")
    try:
        return open_session(path)
    except Exception:  # onnxruntime's classes have no common base of their own.
        raise ModelFileError(f"{path}: is no usable ONNX file") from None


def _run(network: InferenceSession, given: NDArray[np.float32]) -> Any:
    return network.run(None, {network.get_inputs()[0].name: given})
