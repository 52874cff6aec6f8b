"""Sentences as a transcriber hears them: spoken, made to sound like a small room and a child,
transcribed.

    python scripts/speak_and_hear.py FILE [--noise DB] [--pitch P] > HEARD

Speaks each line of FILE with the configured voice, raises it by the factor P (1.25: a man's voice
becomes about as high as a woman's), adds noise DB below the speech (seed 1), and writes what the
configured transcriber makes of it, one line each; remarks and headings stay. A sentence of which
nothing is heard is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import soxr

from companion import config
from companion.assembly.sound import open_sound_engines
from companion.engines.sound.protocols import MIC_RATE, SPEAKER_RATE, Samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--noise", type=float, default=10.0, metavar="DB")
    parser.add_argument("--pitch", type=float, default=1.25, metavar="P")
    arguments = parser.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    asyncio.run(_transcribe(lines, arguments.noise, arguments.pitch))


async def _transcribe(lines: Sequence[str], noise_db: float, pitch: float) -> None:
    chance = np.random.default_rng(1)
    loaded = config.load()
    # Raised speech is quicker too: the voice speaks slower for it.
    loaded = loaded.model_copy(
        update={"tts": loaded.tts.model_copy(update={"speed": loaded.tts.speed / pitch})}
    )
    async with open_sound_engines(loaded) as parts:
        if parts.synthesizer is None or parts.transcriber is None:
            sys.exit(f"speaking and hearing need models: {'; '.join(parts.missing)}")
        for line in lines:
            if not line or line.startswith(("#", "==")):
                print(line)
                continue
            spoken = await parts.synthesizer.synthesize(line)
            heard = await parts.transcriber.transcribe(_in_a_room(spoken, noise_db, pitch, chance))
            if heard.text.strip():
                print(heard.text.strip(), flush=True)


def _in_a_room(
    spoken: Samples, noise_db: float, pitch: float, chance: np.random.Generator
) -> Samples:
    raised = soxr.resample(spoken / np.float32(32768), SPEAKER_RATE * pitch, MIC_RATE)
    quiet = np.zeros(MIC_RATE // 4, dtype=np.float32)
    sound = np.concatenate([quiet, raised, quiet])
    level = float(np.sqrt((raised**2).mean())) * 10 ** (-noise_db / 20)
    noisy = sound + chance.standard_normal(len(sound)) * level
    return np.asarray(np.clip(noisy * 24000, -32768, 32767), dtype=np.int16)


if __name__ == "__main__":
    main()
