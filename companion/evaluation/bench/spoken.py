"""`companion bench spoken`: spoken turns from files, by the clock on the wall, stage by stage.

Sentences of a seed are spoken by the configured voice into WAV files; one after the other is heard
as from a microphone, through the whole of the voice loop. The next one begins when the reply has
been played. Every stage counts from the end of speech, as a person waits for it. Nothing is played
aloud: an echo does not come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from companion.assembly.companion import open_companion
from companion.assembly.missing import Fail
from companion.assembly.sound import open_sound_engines
from companion.clock import Clock
from companion.config import Config
from companion.engines.sound.protocols import (
    FRAME_S,
    MIC_FRAME,
    MIC_RATE,
    SPEAKER_RATE,
    Samples,
    SoundState,
    Synthesizer,
)
from companion.errors import CompanionError, EngineError
from companion.evaluation.bench import talk
from companion.evaluation.figures import percentile
from companion.phases import Phases
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.devices.wav_file import WavWriter, read_wav
from companion.voice.devices.wav_sound import Pace
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from companion.voice.turns.loop import VoiceLoop
from companion.voice.turns.report import STAGES, Outcome, VoiceTurn

FILES = 20
"""Different sentences; they come round again."""

PAUSE_S = 0.4
"""Between the end of a reply and the next sentence."""

FIRST_SOUND_MS = 1000
"""Most milliseconds from the end of speech to the first sound, at the median."""


class Asking:
    """A `Sound`: somebody says the next sentence whenever the reply to the last one is over."""

    def __init__(self, sentences: Sequence[Samples], turns: int, pace: Pace) -> None:
        self.idle: Callable[[], bool] = lambda: True
        """Nothing is on its way (`VoiceLoop.idle`)."""

        self.asked = 0
        self._sentences = sentences
        self._turns = turns
        self._pace = pace
        self._saying: Samples = np.zeros(0, np.int16)
        self._quiet = 0

    async def capture(self) -> Samples | None:
        await self._pace.tick()
        if not len(self._saying):
            self._quiet = self._quiet + 1 if self.idle() else 0
            if self._quiet * FRAME_S >= PAUSE_S:
                if self.asked == self._turns:
                    return None
                self._saying = self._sentences[self.asked % len(self._sentences)]
                self.asked, self._quiet = self.asked + 1, 0
        frame = np.zeros(MIC_FRAME, np.int16)
        part, self._saying = self._saying[:MIC_FRAME], self._saying[MIC_FRAME:]
        frame[: len(part)] = part
        return frame

    def play(self, frame: Samples) -> None:
        """Nobody listens."""

    @property
    def state(self) -> SoundState:
        return SoundState(microphone=True, speaker=True, names=("sentences", "nothing"))

    async def close(self) -> None:
        """Nothing is open."""


class _Failures:
    """What goes wrong in silence is told."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def progress(self, progress: object) -> None:
        """Nobody waits for it."""

    def finished(self, report: object) -> None:
        """Nobody waits for it."""

    def failed(self, error: CompanionError) -> None:
        self._note(str(error))


async def run(
    config: Config, clock: Clock, *, turns: int, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion bench spoken --json`. Raises EngineError where something that
    hears or speaks is missing, and what opening a companion raises."""
    with TemporaryDirectory(prefix="companion-bench-") as folder:
        settings = config.model_copy(
            update={
                "data_dir": Path(folder) / "data",
                "persona": config.persona.model_copy(update={"greeting": False}),
                "voice": config.voice.model_copy(update={"start": "open"}),
            }
        )
        async with (
            # The language model first, while memory is in one piece.
            open_companion(settings, clock, Fail(), _Failures(on_progress)) as companion,
            open_sound_engines(settings) as parts,
        ):
            if parts.missing or parts.synthesizer is None:
                raise EngineError(f"bench spoken: {'; '.join(parts.missing)}")
            on_progress("speaking the sentences into files")
            count = min(turns, FILES)
            sentences = await recorded(parts.synthesizer, count, Path(folder))
            name = companion.models.active.name
            return await measure(
                settings, parts, companion.phases, sentences, turns, on_progress, name
            )


async def recorded(voice: Synthesizer, count: int, folder: Path) -> list[Samples]:
    """Sentences spoken into files, and read from them. Raises EngineError, InputError."""
    said = talk.exchanges()
    sentences = []
    for number in range(count):
        file = folder / f"{number:02}.wav"
        spoken = await voice.synthesize(next(said)[0])
        writer = WavWriter(file, SPEAKER_RATE)
        try:
            writer.write(spoken)
        finally:
            writer.close()
        sentences.append(await asyncio.to_thread(read_wav, file, MIC_RATE))
    return sentences


async def measure(
    config: Config,
    parts: VoiceParts,
    phases: Phases,
    sentences: Sequence[Samples],
    turns: int,
    note: Callable[[str], None],
    model: str,
    pace: RealPace | SimulatedPace | None = None,
    work: Work | None = None,
) -> dict[str, Any]:
    """Ask, listen to the answers, and tell when each stage was over. pace: by the clock on the wall
    unless given, with the work that it waits for."""
    outcomes: list[VoiceTurn] = []
    unanswered: list[str] = []

    def told(outcome: Outcome) -> None:
        if not isinstance(outcome, VoiceTurn):
            unanswered.append(outcome.why)
            return
        outcomes.append(outcome)
        if len(outcomes) % 10 == 0:
            note(f"{len(outcomes)} of {turns} turns")

    pace = pace or RealPace()
    sound = Asking(sentences, turns, pace)
    loop = VoiceLoop(
        sound,
        parts,
        phases,
        config.voice,
        persona_name=config.persona.name,
        work=work or Work(),
        now=pace.seconds,
        on_outcome=told,
    )
    sound.idle = lambda: loop.idle
    await loop.run()
    return document(model, turns, outcomes, unanswered)


def document(
    model: str, turns: int, outcomes: Sequence[VoiceTurn], unanswered: Sequence[str]
) -> dict[str, Any]:
    """Milliseconds from the end of speech, for each stage, over all turns that reached it; those to
    the first sound also over the turns that the model answered."""
    rows = [outcome.times.milliseconds() for outcome in outcomes]
    stages: dict[str, dict[str, float]] = {}
    each: dict[str, list[float | None]] = {}
    for stage in STAGES:
        every = [row[f"{stage}_ms"] for row in rows]
        each[stage] = every
        found = [value for value in every if value is not None]
        stages[stage] = {
            "turns": len(found),
            "p50_ms": round(percentile(found, 0.5), 1),
            "p90_ms": round(percentile(found, 0.9), 1),
            "p99_ms": round(percentile(found, 0.99), 1),
        }
    # A reply that people wrote (docs/repertoire.md) waits for no model.
    heard = [
        sound
        for sound, token in zip(each["first_sound"], each["first_token"], strict=True)
        if sound is not None and token is not None
    ]
    return {
        "model": model,
        "turns": turns,
        "answered": len(outcomes),
        "unanswered": list(unanswered),
        "within_a_second": sum(value <= FIRST_SOUND_MS for value in heard),
        "by_model": len(heard),
        "first_sound_p50_ms": round(percentile(heard, 0.5), 1),
        "first_sound_p90_ms": round(percentile(heard, 0.9), 1),
        "evaluated_p50": percentile([outcome.evaluated_tokens for outcome in outcomes], 0.5),
        "speech_p50_ms": percentile([outcome.speech_ms for outcome in outcomes], 0.5),
        "stages": stages,
        "contract": {"first_sound_p50_ms": FIRST_SOUND_MS},
        "each": each,
        "seed": talk.SEED,
    }
