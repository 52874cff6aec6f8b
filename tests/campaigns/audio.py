"""Sound files as nobody should make them: each is refused by name, or listened to, to its end."""

from __future__ import annotations

import asyncio
import random
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np

from companion import config
from companion.assembly.sound import open_sound_engines
from companion.clock import ManualClock
from companion.config import VoiceSection
from companion.engines.sound.protocols import MIC_RATE, Samples
from companion.errors import InputError
from companion.voice.devices.pace import SimulatedPace
from companion.voice.devices.wav_sound import WavSound
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from companion.voice.turns.loop import VoiceLoop
from companion.voice.turns.report import VoiceTurn
from tests.assembly.conftest import a_world
from tests.campaigns.outcome import Outcome
from tests.dialog.talk import START
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer

EVERY = 25
"""Of so many files one is transcribed by whisper; the others by a script."""

PATIENCE_S = 120
"""After so much time a file has hung."""

_SECONDS = 2.0


def files(folder: Path, chance: random.Random, count: int) -> Outcome:
    return asyncio.run(_files(folder, chance, count))


async def _files(folder: Path, chance: random.Random, count: int) -> Outcome:
    outcome, clock, work = Outcome(), ManualClock(START), Work()
    own = config.load()
    own = own.model_copy(update={"stt": own.stt.model_copy(update={"model": "whisper-tiny.en"})})
    refused = heard = turns = transcribed = 0
    speech = _speech(folder)
    async with (
        open_sound_engines(own) as real,
        a_world(folder / "data", inactivity_s=600, script=["I hear you."], clock=clock) as world,
    ):
        for number in range(count):
            path = folder / "sound.wav"
            path.write_bytes(_file(chance, speech))
            pace = SimulatedPace(work, clock)
            try:
                sound = WavSound(path, None, pace)
            except InputError:
                refused += 1
                continue
            except Exception as error:
                outcome.violations.append(f"file {number}: {type(error).__name__} at opening")
                continue
            by_whisper = real.transcriber is not None and number % EVERY == 0
            transcribed += by_whisper
            parts = VoiceParts(
                real.transcriber if by_whisper else ScriptedTranscriber(),
                ToneSynthesizer(),
                real.detector or EnergyDetector(),
                real.canceller,
            )
            told: list[object] = []
            loop = VoiceLoop(
                sound,
                parts,
                world.phases,
                VoiceSection(),
                persona_name="Pip",
                work=work,
                now=pace.seconds,
                on_outcome=told.append,
            )
            sound.linger = lambda loop=loop: not loop.idle  # type: ignore[misc]
            try:
                await asyncio.wait_for(loop.run(), PATIENCE_S)
            except Exception as error:
                outcome.violations.append(f"file {number}: {type(error).__name__}")
            heard += 1
            turns += sum(isinstance(each, VoiceTurn) for each in told)
    outcome.figures = (
        f"{count} sound files, {refused} refused by name, {heard} listened to (detector "
        f"{'silero' if real.detector else 'by energy'}, {transcribed} by whisper), {turns} turns, "
        f"{len(outcome.violations)} crashes or hangs"
    )
    return outcome


def _speech(folder: Path) -> list[Samples]:
    """Some sentences by espeak-ng, a little slow and low; none where there is none."""
    program = shutil.which("espeak-ng")
    if program is None:
        return []
    found = []
    for words in ("Tell me a story about a whale.", "Hello Pip, how are you?", "No. Stop it!"):
        path = folder / "speech.wav"
        subprocess.run([program, "-w", str(path), words], check=True)
        found.append(np.frombuffer(path.read_bytes()[44:], "<i2"))
    return found


def _file(chance: random.Random, speech: list[Samples]) -> bytes:
    """A whole file, or one that was cut, garbled or made up."""
    kind = chance.randrange(18)
    if kind == 0:
        return chance.randbytes(chance.choice((0, 3, 12, 43, 44, 45, 5000)))
    content = bytearray(_whole(chance, speech))
    if kind in (1, 2):
        del content[chance.randrange(len(content)) :]
    elif kind in (3, 4):  # in the header
        for _ in range(chance.randrange(1, 6)):
            content[chance.randrange(12, 44)] = chance.randrange(256)
    elif kind == 5:  # anywhere
        for _ in range(chance.randrange(1, 2000)):
            content[chance.randrange(len(content))] = chance.randrange(256)
    elif kind == 6:  # other chunks in between, of any length they say
        length = chance.choice((0, 1, 7, 8, 2**31, 2**32 - 1))
        content[12:12] = b"LIST" + struct.pack("<I", length) + chance.randbytes(min(length, 8))
    return bytes(content)


def _whole(chance: random.Random, speech: list[Samples]) -> bytes:
    """A file that says what it is."""
    rate = chance.choice((8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 1, 0, 2**32 - 1))
    channels = chance.choice((1, 1, 1, 2, 6, 0, 65_535))
    tag, bits = chance.choice(
        ((1, 16), (1, 16), (1, 8), (1, 24), (1, 32), (3, 32), (3, 64), (7, 8))
    )
    sound = _sound(chance, speech).astype(np.float64) / 32768
    body = {
        (1, 8): lambda: ((sound + 1) * 127).astype(np.uint8).tobytes(),
        (1, 16): lambda: (sound * 32767).astype("<i2").tobytes(),
        (1, 32): lambda: (sound * 2147483647).astype("<i4").tobytes(),
        (3, 32): lambda: sound.astype("<f4").tobytes(),
        (3, 64): lambda: sound.astype("<f8").tobytes(),
    }.get((tag, bits), lambda: chance.randbytes(30_000))()
    if tag == 3 and chance.random() < 0.3:  # infinities and what is no number
        body = chance.randbytes(len(body))
    width = bits // 8 * channels
    header = struct.pack("<HHIIHH", tag, channels, rate, rate * width % 2**32, width % 65536, bits)
    data = b"fmt " + struct.pack("<I", 16) + header + b"data" + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(data)) + b"WAVE" + data


def _sound(chance: random.Random, speech: list[Samples]) -> Samples:
    """Silence, noise, a tone, clipping, direct current, clicks, speech."""
    count = int(MIC_RATE * chance.uniform(0, _SECONDS))
    time = np.arange(count) / MIC_RATE
    noise = np.random.default_rng(chance.randrange(2**32)).normal(0, 1, count)
    kind = chance.randrange(12)
    if kind > 7 and speech:
        return chance.choice(speech)
    made = (
        np.zeros(count),
        noise * 3000,
        np.sin(2 * np.pi * chance.uniform(20, 7000) * time) * 20_000,
        np.sign(np.sin(2 * np.pi * 220 * time)) * 32767,
        np.full(count, 30_000.0),
        (noise > 3.5) * 32767.0,
        noise * 9000 * (np.sin(2 * np.pi * 4 * time) > 0),
        noise * 100,
    )[kind % 8]
    return np.clip(made, -32768, 32767).astype(np.int16)
