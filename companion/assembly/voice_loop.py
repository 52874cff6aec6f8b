"""The voice loop over microphone and speaker, or over files, with its button and its lamp.

Importing this raises ImportError where the packages for sound are not installed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from companion.assembly.missing import (
    NO_BUTTON,
    NO_DEVICE,
    NO_EARPIECE,
    NO_LAMP,
    NO_PAW,
    Policy,
)
from companion.clock import Clock, ManualClock
from companion.config import Config, VoiceSection
from companion.engines.sound.protocols import MIC_RATE
from companion.errors import SoundError
from companion.phases import Phases
from companion.voice.devices.earpiece import Earpiece, LiveEarpiece, TimedButton, WavEarpiece
from companion.voice.devices.gpio import (
    KEY,
    Button,
    Indicator,
    LogIndicator,
    open_assist_button,
    open_button,
    open_indicator,
)
from companion.voice.devices.keyboard import Keyboard
from companion.voice.devices.live_sound import LiveSound
from companion.voice.devices.pace import RealPace, SimulatedPace
from companion.voice.devices.wav_sound import WavSound
from companion.voice.devices.work import Work
from companion.voice.parts import Files, VoiceParts
from companion.voice.turns.answering import Overhears
from companion.voice.turns.loop import Observer, VoiceLoop
from companion.voice.turns.whispering import Assists, PawParts


@dataclass(frozen=True)
class Devices:
    """What the loop hears from and plays to, and the time that it lives in."""

    source: LiveSound | WavSound
    work: Work
    pace: RealPace | SimulatedPace
    button: Button | None
    """None where there is none to press, or where it is missing."""

    lamp: Indicator | None
    paw: Button | None
    """None where there is none, or it is missing."""

    earpiece: Earpiece | None
    """What whispers; None: the speaker."""


@asynccontextmanager
async def open_devices(
    config: Config, clock: Clock, files: Files | None, policy: Policy, *, lamp: bool = True
) -> AsyncIterator[Devices]:
    """Microphone and speaker, or `files` in their place.

    On a clock that moves only when told, it is sound that moves it, as fast as engines allow.
    lamp: False shows nobody whether the microphone is live. Raises InputError for a file that
    cannot be used, and what the policy raises: SoundError.
    """
    section, work = config.voice, Work()
    pace = SimulatedPace(work, clock) if isinstance(clock, ManualClock) else RealPace()
    async with AsyncExitStack() as stack:
        source: LiveSound | WavSound
        if files is not None:
            source = WavSound(files.heard, files.spoken, pace, echo_db=files.echo_db)
            stack.push_async_callback(source.close)
        else:
            source = LiveSound(section)
            stack.push_async_callback(source.close)
            await source.start()
            for trouble in source.troubles:
                _name_device(source, trouble, policy)
        light = _lamp(stack, section, policy) if lamp else None
        keys = Keyboard()
        button = _button(stack, section, policy, keys)
        paw = _paw(stack, section, policy, keys, files, source)
        earpiece = None if paw is None else await _earpiece(stack, section, policy, files)
        yield Devices(source, work, pace, button, light, paw, earpiece)


def _name_device(sound: LiveSound, trouble: str, policy: Policy) -> None:
    what = trouble.partition(":")[0]
    policy.missing(
        NO_DEVICE, SoundError(trouble), lambda: any(t.startswith(what) for t in sound.troubles)
    )


def _button(
    stack: AsyncExitStack, section: VoiceSection, policy: Policy, keys: Keyboard
) -> Button | None:
    if section.start != "push-to-talk" and section.button in (None, KEY):
        return None
    try:
        button = open_button(section, keyboard=keys)
    except SoundError as error:
        policy.missing(NO_BUTTON, error)
        return None
    stack.callback(button.close)
    return button


def _paw(
    stack: AsyncExitStack,
    section: VoiceSection,
    policy: Policy,
    keys: Keyboard,
    files: Files | None,
    source: LiveSound | WavSound,
) -> Button | None:
    if files is not None and files.paw and isinstance(source, WavSound):
        return TimedButton(files.paw, lambda: source.heard_samples / MIC_RATE)
    try:
        paw = open_assist_button(section, keyboard=keys)
    except SoundError as error:
        policy.missing(NO_PAW, error)
        return None
    if paw is not None:
        stack.callback(paw.close)
    return paw


async def _earpiece(
    stack: AsyncExitStack, section: VoiceSection, policy: Policy, files: Files | None
) -> Earpiece | None:
    if files is not None:
        made = None if files.whispered is None else WavEarpiece(files.whispered)
        if made is not None:
            stack.push_async_callback(made.close)
        return made
    if section.assist_speaker is None:
        return None
    live = LiveEarpiece(section.assist_speaker)
    stack.push_async_callback(live.close)
    await live.start()
    if live.trouble:
        error = SoundError(f"voice.assist_speaker: {live.trouble}")
        policy.missing(NO_EARPIECE, error, lambda: not live.live)
    return live


def _lamp(stack: AsyncExitStack, section: VoiceSection, policy: Policy) -> Indicator:
    lamp: Indicator
    try:
        lamp = open_indicator(section)
    except SoundError as error:
        policy.missing(NO_LAMP, error)
        lamp = LogIndicator()
    stack.callback(lamp.close)
    return lamp


def voice_loop(
    config: Config,
    devices: Devices,
    parts: VoiceParts,
    phases: Phases,
    on_outcome: Observer | None = None,
    overheard: Overhears | None = None,
    assists: Assists | None = None,
) -> VoiceLoop:
    """The loop, not running yet. assists: knows the missing word, where there is a paw."""
    paw = None
    if assists is not None and devices.paw is not None:
        paw = PawParts(devices.paw, assists, devices.earpiece)
    loop = VoiceLoop(
        devices.source,
        parts,
        phases,
        config.voice,
        persona_name=config.persona.name,
        work=devices.work,
        now=devices.pace.seconds,
        button=devices.button,
        on_outcome=on_outcome,
        overheard=overheard,
        paw=paw,
        on_live=None if devices.lamp is None else devices.lamp.show,
    )
    if isinstance(devices.source, WavSound):
        devices.source.linger = lambda: not loop.idle
    return loop
