"""Messages of which readers said what a good listener takes up, as the toy sees them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion import config, language
from companion.acts.reader import ActReader
from companion.answering import Reading
from companion.assembly.models import open_uncached_embedder
from companion.engines.protocols import TextVectors
from companion.repertoire.echoes import Runs, runs

HERE = Path(__file__).resolve().parent / "uptake"
NAME = "Pip"

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Message:
    """What a reader said of a message."""

    author: str
    said: str
    echo: str
    fits: tuple[str, ...]
    listens: bool
    vectors: TextVectors
    reading: Reading
    runs: Runs
    state: Floats | None = None
    """Of the language model, where it was read."""

    @property
    def run(self) -> int:
        """The run that is repeated; their number where nothing is; -1 where none is just this."""
        if not self.echo:
            return len(self.runs.runs)
        plain = self.echo.strip(" .,!?")
        begin = self.said.find(plain)
        for at, (first, last) in enumerate(self.runs.runs):
            begins, ends = self.runs.words[first, 0], self.runs.words[last, 1]
            if begins == begin and abs(ends - begin - len(plain)) <= 1:
                return at
        return -1


def rows() -> list[dict[str, Any]]:
    """What stands in scripts/uptake, as it stands there."""
    return [
        json.loads(line)
        for file in sorted(HERE.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


async def messages(states: Sequence[Floats] = ()) -> list[Message]:
    """states: of a language model, for each of `rows`; none where nobody has read them."""
    if len(states) not in (0, len(rows())):
        raise SystemExit(f"{len(states)} states of {len(rows())} messages: read the others, too")
    base = config.load(profile="laptop")
    language.choose(base.language)
    found = []
    async with open_uncached_embedder(base) as embedder:
        acts = ActReader(embedder, NAME)
        for at, row in enumerate(rows()):
            vectors = (await embedder.embed_tokens([row["said"]]))[0]
            if (its := runs(row["said"], vectors)) is None:
                continue
            found.append(
                Message(
                    row["author"],
                    row["said"],
                    row["echo"],
                    tuple(row["fits"]),
                    row["wants"] == "listen",
                    vectors,
                    await acts.read(row["said"], row["before"]),
                    its,
                    states[at] if len(states) else None,
                )
            )
    return found
