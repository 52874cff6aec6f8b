"""Speech to text by Whisper (faster-whisper over CTranslate2), resident, in int8.

Whisper was trained on windows of 30 s and is usually given one, whatever was said: the encoder
then spends nine tenths of its time on padding. Here the window is what was said and a little
silence. In a short window the decoder sometimes does not notice that speech has ended and says
everything again; that shows in the number of tokens, and such a piece is heard anew in the full
window.

Reads a folder with `model.bin`, `config.json`, `tokenizer.json` and `vocabulary.*`.
"""

from __future__ import annotations

import math
import zlib
from pathlib import Path

import ctranslate2
import numpy as np
from faster_whisper import WhisperModel
from faster_whisper.tokenizer import Tokenizer
from numpy.typing import NDArray

from companion.engines.cores import usable_cores
from companion.engines.heap import give_back
from companion.engines.resident import Resident
from companion.engines.sound.protocols import MIC_RATE, Samples, Transcript
from companion.errors import EngineError, ModelFileError, first_line

LONGEST_S = 30.0
"""What the model hears at most."""

_SILENCE_S = 2.0
"""Silence after the words, in a short window."""

_SHORTEST_S = 8.0
"""Least length of a window: in a shorter one the end of a single word is often missed."""

_TOKENS_PER_S = 8.0
"""More than people say in a second: fast readers reach five or six."""

_FEW_TOKENS = 8
"""Beside those for each second."""

_MOST_TOKENS = 220
"""Half of the decoder's context, as whisper itself has it."""

_FILES = ("model.bin", "config.json", "tokenizer.json")


class Whisper(Resident["_Recogniser"]):
    """See `protocols.Transcriber`."""

    @classmethod
    async def load(cls, directory: Path, *, name: str, threads: int, expects: str = "") -> Whisper:
        """Load from a folder, and hear a second of silence, so that the first words wait less.

        threads: 0 is all cores the process may use. expects: words that are often said and that
        the model would not write by itself, as the text before what it hears ("Hey Pip.").
        Raises ModelFileError when a file is missing or unreadable.
        """
        return await cls.start("whisper", name, _Recogniser, directory, name, threads, expects)

    async def transcribe(self, samples: Samples) -> Transcript:
        return await self.run(_Recogniser.transcribe, samples)


class _Recogniser:
    """A Whisper model. Blocking, for one thread."""

    def __init__(self, directory: Path, name: str, threads: int, expects: str) -> None:
        mend = f"fetch it again with: companion models fetch {name}"
        _require_files(directory, mend)
        try:
            # An absolute folder that exists is never looked up on a hub.
            self._model = WhisperModel(
                str(directory.resolve()),
                device="cpu",
                compute_type="int8",
                cpu_threads=threads or usable_cores(),
                local_files_only=True,
            )
        except Exception as error:  # CTranslate2 and tokenizers raise bare classes.
            raise ModelFileError(
                f"{directory}: is not a usable Whisper model ({first_line(error)}); {mend}"
            ) from None
        multilingual = self._model.model.is_multilingual
        self._tokenizer = Tokenizer(
            self._model.hf_tokenizer, multilingual, task="transcribe", language="en"
        )
        before = self._tokenizer.encode(f" {expects}") if expects else []
        self._prompt = self._model.get_prompt(self._tokenizer, before, without_timestamps=True)
        self.transcribe(np.zeros(MIC_RATE, dtype=np.int16))

    def transcribe(self, samples: Samples) -> Transcript:
        """The words, greedily decoded once (twice when the short window failed)."""
        if not len(samples):
            return Transcript("", confidence=0.0, no_speech=1.0)
        sound = samples[: int(LONGEST_S * MIC_RATE)] / np.float32(32768)
        seconds = len(sound) / MIC_RATE
        most = min(_MOST_TOKENS, int(_FEW_TOKENS + _TOKENS_PER_S * seconds))
        window = min(LONGEST_S, max(_SHORTEST_S, seconds + _SILENCE_S))
        try:
            heard, ended = self._decode(sound, window, most)
            if not ended and window < LONGEST_S:
                heard, _ = self._decode(sound, LONGEST_S, most)
        except (RuntimeError, ValueError) as error:
            raise EngineError(f"the transcriber failed: {first_line(error)}") from None
        give_back()
        return heard

    def _decode(
        self, sound: NDArray[np.float32], window: float, most: int
    ) -> tuple[Transcript, bool]:
        """What is heard, and whether it came to its end within `most` tokens."""
        # The sound is padded, not its features: zeros among features are no silence.
        padded = np.pad(sound, (0, int(window * MIC_RATE) - len(sound)))
        features = self._model.feature_extractor(padded, padding=0)
        result = self._model.model.generate(
            ctranslate2.StorageView.from_array(np.ascontiguousarray(features[None], np.float32)),
            [self._prompt],
            beam_size=1,
            max_length=2 * most,  # CTranslate2 keeps half of it for a prompt.
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        tokens = result.sequences_ids[0]
        text = self._tokenizer.decode(tokens).strip()
        heard = Transcript(
            text=text,
            # The score of a sequence is the mean logarithm of a token's probability.
            confidence=math.exp(result.scores[0]) if text else 0.0,
            no_speech=float(result.no_speech_prob),
            compression=_compression(text),
        )
        return heard, len(tokens) < most


def _require_files(directory: Path, mend: str) -> None:
    for name in _FILES:
        if not (directory / name).is_file():
            raise ModelFileError(f"{directory / name}: no such file; {mend}")
    if not any(directory.glob("vocabulary.*")):
        raise ModelFileError(f"{directory / 'vocabulary.txt'}: no such file; {mend}")


def _compression(text: str) -> float:
    data = text.encode("utf-8", "replace")
    return len(data) / len(zlib.compress(data)) if data else 1.0
