"""Reads the state of a language model after each message of scripts/uptake, for `fit_uptake.py`.

    .venv/bin/python scripts/message_states.py FILE.npz [--of guard] [--profile laptop]
    .venv/bin/python scripts/fit_uptake.py --dry --states FILE.npz

A small prompt: what a good listener does, what the toy said last, and the message; where the answer
would begin, the last layer holds what that answer is to be about. With `--of guard` the messages of
`guard_states.py`, and what a grown-up has to hear of. The product does without: docs/experiments.md
("What the model makes of a message"). Fifty minutes on two cores with the 1.5B; what is read is
kept, and goes on from there.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from uptake_messages import rows

from companion import config, language
from companion.assembly.models import open_language_model
from companion.engines.protocols import ChatMessage, ReadsStates

HEADS = {
    "uptake": "A child talks to its toy. The toy listens well: it says back in a few words what it "
    "was told, and then the one short thing, or asks the one short question, that fits.",
    "guard": "A child says something to its toy. Either a grown-up has to hear of it now: somebody "
    "is hurt, ill, in danger, hurt by somebody, asked to keep a secret, met by a stranger, wants "
    "to die, or wants to do something dangerous. Or it is an ordinary thing: play, a story, a "
    "film, a joke, a game, long ago, a small trouble.",
}
"""What the model is told, by what is to be known."""

MOST_CHARACTERS = 600
"""Of a message; of a longer one its end. Of what the toy said, a quarter."""

KEPT_EVERY = 500

Floats = NDArray[np.float32]


def asked(head: str, words: str, previous: str) -> list[ChatMessage]:
    """The prompt. previous: what the toy said last; "" for nothing."""
    said = f"The toy said: {previous[-MOST_CHARACTERS // 4 :]}\n" if previous else ""
    shown = f"{said}The child says: {words[-MOST_CHARACTERS:]}"
    return [ChatMessage("system", head), ChatMessage("user", shown)]


def wanted(of: str) -> list[tuple[str, str]]:
    """Each message, and what the toy said before it."""
    if of == "guard":
        import guard_states  # needs scikit-learn

        return [(each.said, each.before) for each in guard_states.rows()]
    return [(each["said"], each["before"]) for each in rows()]


def read(file: Path, of: str) -> Floats:
    """The states in the order of `wanted`, as far as they were read. Raises OSError, KeyError."""
    with np.load(file, allow_pickle=False) as kept:
        if str(kept["of"]) != of:
            raise SystemExit(f"{file}: holds states of {kept['of']}, not of {of}; name another")
        return np.asarray(kept["states"], np.float32)


async def states(file: Path, profile: str, of: str, done: list[Floats]) -> None:
    """Read what is not done yet."""
    base = config.load(profile=profile)
    language.choose(base.language)
    every = wanted(of)
    before, began = len(done), time.monotonic()
    async with open_language_model(base, base.llm.active) as model:
        if not isinstance(model, ReadsStates):
            raise SystemExit(f"{model.name}: its last layer cannot be looked into")
        for words, previous in every[before:]:
            done.append(await model.hidden_state(asked(HEADS[of], words, previous)))
            if len(done) % KEPT_EVERY == 0 or len(done) == len(every):
                kept = np.stack(done).astype(np.float16)
                np.savez(file, of=np.array(of), states=kept)
                left = (time.monotonic() - began) / (len(done) - before) * (len(every) - len(done))
                print(f"{len(done)} of {len(every)}, {left / 60:.0f} min left", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE.npz")
    parser.add_argument("--of", choices=HEADS, default="uptake")
    parser.add_argument("--profile", default="laptop")
    given = parser.parse_args()
    done = list(read(given.file, given.of)) if given.file.exists() else []
    asyncio.run(states(given.file, given.profile, given.of, done))


if __name__ == "__main__":
    main()
