#!/usr/bin/env python3
"""Speaks a talk into a WAV file, and says when the paw is pressed in it.

    scripts/paw_talk.py talk.wav        # prints the spans for `companion voice --paw`

A voice of piper stands for the person: what it says to the companion, and to somebody else.
"""

from __future__ import annotations

import sys
import wave
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from companion import config
from companion.engines.sound.protocols import MIC_RATE, Samples
from companion.weights.located import model_folder
from tests.voice.actors import Actors

BEGINS_S = 3.0
AFTER_REPLY_S = 16.0
"""Silence in which the companion answers, or whispers."""

PAUSE_S = 0.35
"""Between a talk's last word and the paw."""

PRESS_S = 0.16

TALK = (
    ("says", "Tell me something about whales."),
    ("holds", "Yesterday I talked to Sarah in the market.", "What is the name of her cat?"),
    ("presses", "My friend Tom likes chess, poker and"),
    ("holds", "We talked about Emma for an hour.", "What does Emma do for a living?"),
    ("presses", "And then it was so late that I just"),
    ("says", "I would like to learn how to paint a boat."),
)


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: scripts/paw_talk.py OUT.wav", file=sys.stderr)
        return 2
    own = config.load()
    actors = Actors(model_folder(own.tts, own.models_dir))
    random = np.random.default_rng(1)
    sound: list[Samples] = []
    spans: list[str] = []

    def now() -> float:
        return sum(map(len, sound)) / MIC_RATE

    def quiet(seconds: float) -> None:
        noise = random.standard_normal(int(seconds * MIC_RATE)) * 6
        sound.append(noise.astype(np.int16))

    quiet(BEGINS_S)
    for how, *lines in TALK:
        sound.append(actors.speak(lines[0]))
        if how != "says":
            quiet(PAUSE_S)
            begins = now()
            if how == "holds":
                quiet(0.3)
                sound.append(actors.speak(lines[1]))
                quiet(0.2)
            else:
                quiet(PRESS_S)
            spans.append(f"{begins:.2f}-{now():.2f}")
        quiet(AFTER_REPLY_S)
    with wave.open(sys.argv[1], "wb") as file:
        file.setparams((1, 2, MIC_RATE, 0, "NONE", ""))
        file.writeframes(np.concatenate(sound).tobytes())
    print(",".join(spans))
    return 0


if __name__ == "__main__":
    sys.exit(main())
