"""How fast this machine runs a small model: a run of a second or two, for choosing a larger one.

`python -m companion.engines.llama.speed GGUF` prints a `Speed` as one JSON object. It belongs in a
process of its own: a build that this processor cannot run dies there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.config import LlmSection
from companion.errors import CompanionError

READ_TOKENS = 192
WRITTEN_TOKENS = 24
RUNS = 3
"""The best counts: something else may want the processor for a moment."""

_SENTENCE = "One day a small toy robot walked to the sea and asked the gulls for a song. "


@dataclass(frozen=True)
class Speed:
    """Tokens a second of one model on one machine."""

    read: float
    """Of a prompt."""

    written: float
    """Of an answer."""


class Runs(Protocol):
    """A loaded model that can be timed."""

    def read(self, tokens: int) -> None:
        """Evaluate a prompt of so many tokens, none of them from a cache. Raises EngineError."""

    def write(self, tokens: int) -> None:
        """Write so many tokens after it. Raises EngineError."""


def measure(model: Runs, now: Callable[[], float] = time.perf_counter) -> Speed:
    """Time a model. now: seconds. Raises EngineError."""
    model.read(READ_TOKENS)  # The first pass also brings the weights into memory.
    reading, writing = [], []
    for _ in range(RUNS):
        began = now()
        model.read(READ_TOKENS)
        between = now()
        model.write(WRITTEN_TOKENS)
        reading.append(between - began)
        writing.append(now() - between)
    return Speed(_rate(READ_TOKENS, min(reading)), _rate(WRITTEN_TOKENS, min(writing)))


def _rate(tokens: int, seconds: float) -> float:
    return round(tokens / max(seconds, 1e-6), 1)


class _Llama:
    """llama.cpp in this process, on the processor."""

    def __init__(self, gguf: Path, threads: int) -> None:
        from companion.engines.cancel import CancelFlag
        from companion.engines.llama.context import LlamaContext

        section = LlmSection(context_tokens=512, threads=threads)
        self._context, self._flag = LlamaContext(gguf, section), CancelFlag()
        self._sentence = self._context.vocabulary.plain(_SENTENCE)
        self._reads = 0

    def read(self, tokens: int) -> None:
        # Begun with another word each time, so that nothing is in the cache.
        self._reads += 1
        start = self._reads % len(self._sentence)
        ids = (self._sentence[start:] + self._sentence * tokens)[:tokens]
        self._context.prepare(ids)
        self._context.evaluate(ids, self._flag)

    def write(self, tokens: int) -> None:
        for _ in range(tokens):
            self._context.extend(int(self._context.logits().argmax()), self._flag)


def main() -> None:
    """Print the speed; or end with one line on stderr."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("gguf", type=Path)
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    arguments = parser.parse_args()
    try:
        print(json.dumps(vars(measure(_Llama(arguments.gguf, arguments.threads)))))
    except CompanionError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
