"""Plays a scenario: the real loop, real ears, real detector, in simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from companion.assembly.missing import Fail
from companion.assembly.models import Models
from companion.assembly.phases import open_phases
from companion.assembly.store import open_store
from companion.clock import Clock, ManualClock, SystemClock
from companion.config import Config
from companion.consolidation.report import Progress, Report
from companion.engines.protocols import ChatMessage, Embedder, LanguageModel
from companion.engines.sound.protocols import Samples, Synthesizer
from companion.engines.sound.silero import Silero
from companion.engines.sound.webrtc_echo import WebRtcEcho
from companion.errors import CompanionError
from companion.phases import Phases
from companion.records import Memory, Turn
from companion.store import history, memories
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.devices.work import Work
from companion.voice.parts import VoiceParts
from companion.voice.turns.loop import VoiceLoop
from companion.voice.turns.report import Outcome, Unanswered, VoiceTurn
from tests.fakes import HashEmbedder, ScriptedModel, of_no_weights
from tests.fakes_voice import ToneSynthesizer
from tests.voice.actors import SPEECH_DB, Actors, babble, noise
from tests.voice.cast import Engines
from tests.voice.scenario import Scenario
from tests.voice.stage import Room, looped

REST_S = 20.0
"""Wall seconds that a consolidation which is due may take."""

START = datetime(2026, 5, 4, 9, 0, tzinfo=timezone.utc)


class SpeaksAloud:
    """A Synthesizer that remembers what was said."""

    def __init__(self, voice: Synthesizer) -> None:
        self.texts: list[str] = []
        self._voice = voice

    @property
    def name(self) -> str:
        return self._voice.name

    async def synthesize(self, text: str, pace: float = 1.0) -> Samples:
        self.texts.append(text)
        return await self._voice.synthesize(text, pace)

    async def close(self) -> None:
        await self._voice.close()


@dataclass
class Witness:
    """A watcher of phases that remembers."""

    reports: list[Report] = field(default_factory=list)

    def progress(self, progress: Progress) -> None:
        pass

    def finished(self, report: Report) -> None:
        self.reports.append(report)

    def failed(self, error: CompanionError) -> None:
        raise error


@dataclass
class Played:
    """What came of a scenario."""

    room: Room
    outcomes: list[Outcome]
    spoken: list[str]
    log: list[Turn]
    memories: list[Memory]
    consolidations: int

    @property
    def turns(self) -> list[VoiceTurn]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, VoiceTurn)]

    @property
    def unanswered(self) -> list[str]:
        return [outcome.why for outcome in self.outcomes if isinstance(outcome, Unanswered)]


class Script:
    """Replies in turn for the dialog; while it consolidates it finds nothing, slowly."""

    def __init__(self, replies: Sequence[str]) -> None:
        self._replies = replies
        self._answered = 0
        self.model: ScriptedModel | None = None
        self.consolidating = False
        self.seconds_per_token = 0.0

    def __call__(self, messages: Sequence[ChatMessage]) -> str:
        assert self.model is not None
        if messages[0].text.startswith("You are Pip"):
            self.consolidating = False
            self.model.seconds_per_token = 0.0
            self._answered += 1
            return self._replies[min(self._answered, len(self._replies)) - 1]
        self.consolidating = True
        self.model.seconds_per_token = self.seconds_per_token
        if "big_five" in messages[0].text:
            return '{"summary": "", "big_five": [null, null, null, null, null]}'
        return "none" + " at all" * 20 * (self.seconds_per_token > 0)


async def play(
    scenario: Scenario,
    engines: Engines,
    data_dir: Path,
    *,
    on_frame: Callable[[int], None] = lambda number: None,
) -> Played:
    """Run it to its end."""
    config = Config.model_validate(
        {
            "data_dir": data_dir,
            "store": {"encrypt": False, "backups": 0},
            "persona": {"greeting": False, "examples": False},
            # Nights of many calls, which somebody may interrupt.
            "consolidation": {"inactivity_s": scenario.inactivity_s, "mode": "turns"},
            "voice": scenario.voice,
            "safety": {"guard": "full" if scenario.llm != "scripted" else "patterns"},
            # Scenarios are about sound: what is said stands in their scripts.
            "skills": {"enabled": scenario.llm != "scripted"},
            "repertoire": {"enabled": scenario.llm != "scripted"},
        }
    )
    script = Script(scenario.replies)
    script.seconds_per_token = scenario.seconds_per_token
    script.model = ScriptedModel(script, records=False)
    model: LanguageModel = script.model
    embedder: Embedder = HashEmbedder()
    if scenario.llm == "scripted":
        config = of_no_weights(config)
    else:
        model, embedder = engines.llm, engines.embedder
    voice = SpeaksAloud(engines.synthesizer if scenario.speaker == "piper" else ToneSynthesizer())
    cancels = config.voice.echo == "cancel" and scenario.echo_db is not None
    parts = VoiceParts(engines.transcriber, voice, Silero(), WebRtcEcho() if cancels else None)
    work, witness = Work(), Witness()
    clock, pace = _time(scenario, work)
    outcomes: list[Outcome] = []
    async with open_store(config, clock, mode="owner") as store:
        models = Models(model, model, embedder)
        async with open_phases(config, clock, store, models, Fail(), witness) as phases:
            room = _room(scenario, engines.actors, pace)
            loop = VoiceLoop(
                room,
                parts,
                phases,
                config.voice,
                persona_name=config.persona.name,
                work=work,
                now=pace.seconds,
                on_outcome=outcomes.append,
            )
            _put_to_work(room, scenario, engines.actors, loop)
            room.on_frame = on_frame
            room.idle, room.ready = (lambda: loop.idle), (lambda: script.consolidating)
            await loop.run()
            if scenario.expect.consolidated:
                await _rest_of_the_silence(phases)
        sessions = await store.read(history.sessions)
        turns = [turn for each in sessions for turn in await store.read(history.turns, each.id)]
        remembered = await store.read(memories.list_memories)
    return Played(room, outcomes, voice.texts, turns, remembered, len(witness.reports))


async def _rest_of_the_silence(phases: Phases) -> None:
    """Simulated time passes faster than the store writes: what the silence has begun may end.
    The clock stands still meanwhile, so that a silence which is not due yet does not begin."""
    with suppress(TimeoutError, asyncio.TimeoutError):
        await asyncio.wait_for(phases.rested(), REST_S)


def _time(scenario: Scenario, work: Work) -> tuple[Clock, SimulatedPace | RealPace]:
    if scenario.pace == "real":
        return SystemClock(), RealPace()
    clock = ManualClock(START)
    return clock, SimulatedPace(work, clock)


def _room(scenario: Scenario, actors: Actors, pace: SimulatedPace | RealPace) -> Room:
    background = None
    if scenario.background is not None:
        level = SPEECH_DB - scenario.background.below_speech_db
        kind = scenario.background.noise
        sound = (
            babble(actors, 20, level) if kind == "television" else noise(kind, 20, level, seed=1)
        )
        background = looped(sound)
    return Room(
        [], pace, echo_db=scenario.echo_db, background=background, longest_s=scenario.longest_s
    )


def _put_to_work(room: Room, scenario: Scenario, actors: Actors, loop: VoiceLoop) -> None:
    def hold(held: bool) -> None:
        loop.attention.held = held

    deeds = {
        "hold": lambda: hold(True),
        "release": lambda: hold(False),
        "pause": loop.pause,
        "resume": loop.resume,
    }
    room.acts.extend(step.act(actors, deeds) for step in scenario.script)
