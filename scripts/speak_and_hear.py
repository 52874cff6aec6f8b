"""Sentences as a transcriber hears them: spoken, made to sound like a small room and a child,
transcribed.

    python scripts/speak_and_hear.py FILE [--noise DB] [--pitch P] [--espeak VOICE] > HEARD

Speaks each line of FILE with the configured voice, raises it by the factor P (1.25: a man's voice
becomes about as high as a woman's), adds noise DB below the speech (seed 1), and writes what the
configured transcriber makes of it, one line each; remarks and headings stay. A sentence of which
nothing is heard is left out. With --espeak a voice of espeak-ng speaks (en-gb+f3; the program must
be installed), which is not raised.

Of a labelled set (FILE.jsonl) each line keeps its labels, and has what was said as `typed`; where
nothing is heard its text is "...", so that it counts. scripts/eval_guard.py --hands --heard judges
such lines.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import subprocess
import sys
import wave
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import numpy as np
import soxr

from companion import config
from companion.assembly.sound import open_sound_engines
from companion.engines.sound.protocols import MIC_RATE, SPEAKER_RATE, Samples

NOTHING = "..."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--noise", type=float, default=10.0, metavar="DB")
    parser.add_argument("--pitch", type=float, default=1.25, metavar="P")
    parser.add_argument("--espeak", metavar="VOICE", help="a voice of espeak-ng, e.g. en-gb+f3")
    arguments = parser.parse_args()
    lines = arguments.file.read_text(encoding="utf-8").splitlines()
    labelled = arguments.file.suffix == ".jsonl"
    pitch = 1.0 if arguments.espeak else arguments.pitch
    asyncio.run(_transcribe(lines, arguments.noise, pitch, arguments.espeak, labelled=labelled))


async def _transcribe(
    lines: Sequence[str], noise_db: float, pitch: float, espeak: str | None, *, labelled: bool
) -> None:
    chance = np.random.default_rng(1)
    loaded = config.load()
    # Raised speech is quicker too: the voice speaks slower for it.
    loaded = loaded.model_copy(
        update={"tts": loaded.tts.model_copy(update={"speed": loaded.tts.speed / pitch})}
    )
    async with open_sound_engines(loaded) as parts:
        synthesizer, transcriber = parts.synthesizer, parts.transcriber
        if synthesizer is None or transcriber is None:
            sys.exit(f"speaking and hearing need models: {'; '.join(parts.missing)}")

        async def hear(line: str) -> str:
            spoken = _by_espeak(line, espeak) if espeak else await synthesizer.synthesize(line)
            heard = await transcriber.transcribe(_in_a_room(spoken, noise_db, pitch, chance))
            return heard.text.strip()

        for line in lines:
            if written := await (_relabelled if labelled else _as_text)(line, hear):
                print(written, flush=True)


async def _as_text(line: str, hear: Callable[[str], Awaitable[str]]) -> str:
    return line if not line or line.startswith(("#", "==")) else await hear(line)


async def _relabelled(line: str, hear: Callable[[str], Awaitable[str]]) -> str:
    row = json.loads(line)
    row["typed"], row["text"] = row["text"], await hear(row["text"]) or NOTHING
    return json.dumps(row, ensure_ascii=False)


def _by_espeak(line: str, voice: str) -> Samples:
    """Raises SystemExit when espeak-ng cannot speak it."""
    command = ["espeak-ng", "-v", voice, "-s", "140", "--stdin", "--stdout"]
    try:
        done = subprocess.run(command, input=line.encode(), capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"--espeak {voice}: espeak-ng does not speak ({error}); is it installed?")
    with wave.open(io.BytesIO(done.stdout)) as sound:
        rate = sound.getframerate()
        # On stdout it does not know its length yet, so the header says too much.
        samples = np.frombuffer(sound.readframes(sound.getnframes()), dtype=np.int16)
    return np.asarray(soxr.resample(samples, rate, SPEAKER_RATE), dtype=np.int16)


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
