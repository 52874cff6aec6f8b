"""What the ears make of words, of noise, and of what is no speech."""

from __future__ import annotations

import numpy as np

from companion.engines.sound.protocols import FRAME_S, MIC_RATE, Samples
from tests.voice.actors import level_db, noise
from tests.voice.cast import Engines
from tests.voice.figures.figure import QUESTIONS, Figure, act
from tests.voice.scenario import scenarios, word_errors

NO_SPEECH = {
    "silence": -75.0, "white": -30.0, "hum": -20.0, "music": -22.0, "clipping": -3.0,
    "knock": -12.0,
}  # fmt: skip


async def words(engines: Engines, full: bool) -> list[Figure]:
    """Word errors over the lines of the scenarios."""
    said = {(step.say, step.voice) for each in scenarios() for step in each.script if step.say}
    lines = sorted((line, voice) for line, voice in said if 3 <= len(line.split()) < 60)
    lines += [(line, "child") for line in QUESTIONS]
    figures = []
    for name, below, target in (("clean", None, 0.12), ("noise at 10 dB", 10.0, None)):
        wrong = total = 0
        for line, voice in lines[:: 1 if full else 2]:
            sound = engines.actors.speak(line.replace("...", ","), voice)
            if below is not None:
                sound = hissing(sound, below)
            heard = await engines.transcriber.transcribe(sound)
            errors, count = word_errors(line.replace("...", " "), heard.text)
            wrong, total = wrong + errors, total + count
        rate = wrong / total
        figures.append(
            Figure(
                f"word error rate, {name}",
                f"<= {target:.0%}" if target else "stated",
                f"{rate:.1%} of {total} words",
                target is None or rate <= target,
            )
        )
    return figures


def hissing(sound: Samples, below: float) -> Samples:
    hiss = noise("white", len(sound) / MIC_RATE + 0.01, level_db(sound / 32768) - below)
    mixed = sound + hiss[: len(sound)].astype(np.int32)
    return np.clip(mixed, -32768, 32767).astype(np.int16)


async def no_speech(engines: Engines, full: bool) -> list[Figure]:
    """Sounds that are no speech: no turns, no memories."""
    seconds = 600 if full else 90
    each = seconds / len(NO_SPEECH)
    played = await act(
        engines,
        inactivity_s=20,
        script=[
            {"noise": kind, "lasts": each, "level_db": level, "after": 0}
            for kind, level in NO_SPEECH.items()
        ],
        longest_s=seconds + 60,
    )
    turns, kept = len(played.log), len(played.memories)
    return [
        Figure(
            f"no speech for {seconds / 60:.1f} min",
            "0 turns, 0 memories",
            f"{turns} turns, {kept} memories",
            turns == kept == 0 and played.room.frame * FRAME_S >= seconds,
        )
    ]
