"""How often a name is heard that the transcriber does not know, and how often something else is
taken for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion import config
from companion.assembly.sound import open_sound_engines
from companion.engines.sound.protocols import Samples, Transcriber
from companion.voice.turns.wake_phrase import after_wake
from tests.voice.actors import noise
from tests.voice.cast import Engines
from tests.voice.figures.figure import QUESTIONS, VOICES, Figure

CALLS = (
    "Hey Pip!", "Hey Pip, what is your favourite animal?", "Hey Pip, tell me a story.",
    "Hey Pip, why is the sky blue?", "Hey Pip, I am hungry.", "Hey Pip, do you like dogs?",
)  # fmt: skip
OTHERS = (
    "Hey Pete, come here.", "Hey Ben, where are you?", "Hey Mom, can I have an apple?",
    "Hey, look at that big dog!", "Hey you, stop it.", "Hi Phil, how are you?",
    "Hey people, listen to me.", "Keep it in the box.", "I bit my lip.", "Hey, wait for me!",
    "A big piece of cake, please.", "Hey Kim, do you want to play?", "Happy birthday to you.",
    "Help me please.", "Hey Luke, throw the ball.", "The puppy is happy.",
)  # fmt: skip


async def waking(engines: Engines, full: bool) -> list[Figure]:
    """The phrase of the default name, in four voices, and what only sounds like it."""
    own = config.Config.model_validate(
        {"models_dir": config.load().models_dir, "voice": {"start": "wake-phrase"}}
    )
    every = 1 if full else 3
    async with open_sound_engines(own) as parts:
        assert parts.transcriber is not None
        called = await _woken(engines, parts.transcriber, CALLS, every)
        others = await _woken(engines, parts.transcriber, (*OTHERS, *QUESTIONS), every)
    return [
        Figure(
            "called by name: it wakes",
            "90 %",
            f"{sum(called)} of {len(called)}",
            sum(called) >= 0.9 * len(called),
        ),
        Figure(
            "other talk: it wakes", "0", f"{sum(others)} of {len(others)}", not any(others)
        ),
    ]  # fmt: skip


async def _woken(
    engines: Engines, ears: Transcriber, lines: Sequence[str], every: int
) -> list[bool]:
    said = [(line, voice) for line in lines for voice in VOICES][::every]
    found = []
    for line, voice in said:
        heard = await ears.transcribe(_in_silence(engines.actors.speak(line, voice)))
        found.append(after_wake(heard.text, ["hey pip"]) is not None)
    return found


def _in_silence(sound: Samples) -> Samples:
    """As the endpointer hands it over."""
    return np.concatenate([noise("silence", 0.32, -75), sound, noise("silence", 0.28, -75, seed=2)])
