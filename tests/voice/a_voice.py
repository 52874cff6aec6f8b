"""A companion with ears and a mouth that do as they are told, in simulated time, to the frame."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from companion.clock import Clock, ManualClock, SystemClock
from companion.config import VoiceSection
from companion.engines.sound.protocols import (
    FRAME_S,
    MIC_FRAME,
    SPEAKER_FRAME,
    Samples,
    SoundState,
    Transcript,
    WakeWord,
)
from companion.records import Turn
from companion.store import history
from companion.voice.devices.gpio import Button
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.devices.wav_sound import Pace
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from companion.voice.turns.answering import Overhears
from companion.voice.turns.loop import VoiceLoop
from companion.voice.turns.report import Outcome, Unanswered, VoiceTurn, Whispered
from companion.voice.turns.whispering import PawParts
from tests.assembly.conftest import World, a_world
from tests.fakes_voice import EnergyDetector, ScriptedTranscriber, ToneSynthesizer

START = datetime(2026, 5, 4, 9, 0, tzinfo=timezone.utc)
REPLY = "Whales are the biggest animals there are. Do you like them?"
LOUD: Samples = (8000 * np.sin(np.arange(MIC_FRAME) * 0.3)).astype(np.int16)
CLAP: Samples = (30_000 * np.sin(np.arange(MIC_FRAME) * 0.3)).astype(np.int16)
QUIET: Samples = np.zeros(MIC_FRAME, np.int16)


class Room:
    """A Sound: somebody speaks in these spans, in seconds; more can be said while it runs."""

    def __init__(self, pace: Pace, spans: Sequence[tuple[float, float]]) -> None:
        self._pace = pace
        self.spans = list(spans)
        self.claps: list[float] = []
        """Moments at which somebody claps."""

        self.length_s = 0.0
        self.played: list[Samples] = []
        self.on_frame: Callable[[Room], None] = lambda room: None
        self.linger: Callable[[], bool] = lambda: False

    @property
    def now(self) -> float:
        return len(self.played) * FRAME_S

    def speak(self, begin: float, length: float) -> None:
        """Somebody speaks so many seconds from now."""
        self.spans.append((self.now + begin, self.now + begin + length))

    async def capture(self) -> Samples | None:
        last = max((end for _, end in self.spans), default=0.0)
        if self.now > max(last + 2, self.length_s) and not self.linger():
            return None
        await self._pace.tick()
        self.on_frame(self)
        if any(at <= self.now < at + 0.1 for at in self.claps):
            return CLAP
        return LOUD if any(begin <= self.now < end for begin, end in self.spans) else QUIET

    def play(self, frame: Samples) -> None:
        assert frame.shape == (SPEAKER_FRAME,)
        self.played.append(frame)

    @property
    def state(self) -> SoundState:
        return SoundState(microphone=True, speaker=True, names=("room", "room"))

    async def close(self) -> None:
        pass

    def sounding(self) -> list[float]:
        """The moments at which something is played."""
        return [number * FRAME_S for number, frame in enumerate(self.played) if frame.any()]


@dataclass
class Voice:
    """A companion with ears and a mouth."""

    world: World
    room: Room
    loop: VoiceLoop
    ears: ScriptedTranscriber
    mouth: ToneSynthesizer
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def turns(self) -> list[VoiceTurn]:
        return [each for each in self.outcomes if isinstance(each, VoiceTurn)]

    @property
    def unanswered(self) -> list[str]:
        return [each.why for each in self.outcomes if isinstance(each, Unanswered)]

    @property
    def whispered(self) -> list[Whispered]:
        return [each for each in self.outcomes if isinstance(each, Whispered)]

    async def stored(self) -> list[Turn]:
        store = self.world.store
        return [
            turn
            for each in await store.read(history.sessions)
            for turn in await store.read(history.turns, each.id)
        ]


@asynccontextmanager
async def a_voice(
    directory: Path,
    heard: Sequence[str | Transcript] = ("Tell me about whales.",),
    spans: Sequence[tuple[float, float]] = ((0.5, 1.4),),
    *,
    reply: str = REPLY,
    ears: ScriptedTranscriber | None = None,
    wake_word: WakeWord | None = None,
    real_pace: bool = False,
    overhears: Callable[[World, Clock], Overhears] | None = None,
    paw: Callable[[World, Room], PawParts] | None = None,
    button: Button | None = None,
    **section: object,
) -> AsyncIterator[Voice]:
    """ears: else those that hear `heard`. real_pace: time passes while an engine works.
    overhears: what takes words that are said to others. paw: recall at a touch."""
    manual, work = ManualClock(START), Work()
    clock: Clock = SystemClock() if real_pace else manual
    pace: RealPace | SimulatedPace = RealPace() if real_pace else SimulatedPace(work, manual)
    room = Room(pace, spans)
    ears, mouth = ears or ScriptedTranscriber(heard), ToneSynthesizer()
    outcomes: list[Outcome] = []
    parts = VoiceParts(ears, mouth, EnergyDetector(), None, wake_word)
    async with a_world(directory, inactivity_s=600, script=[reply], clock=clock) as world:
        loop = VoiceLoop(
            room,
            parts,
            world.phases,
            VoiceSection.model_validate(section),
            persona_name="Pip",
            work=work,
            now=pace.seconds,
            button=button,
            on_outcome=outcomes.append,
            overheard=None if overhears is None else overhears(world, clock),
            paw=None if paw is None else paw(world, room),
        )
        room.linger = lambda: not loop.idle
        yield Voice(world, room, loop, ears, mouth, outcomes)
