"""All that hears and speaks, as far as it is there.

The voice room is imported when it is needed: without its packages a companion runs too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from companion.assembly.missing import (
    CANNOT_HEAR,
    CANNOT_HEAR_OR_SPEAK,
    CANNOT_SPEAK,
    HEARS_ITSELF,
    NOT_CALLED,
    Policy,
)
from companion.assembly.sound import open_sound_engines
from companion.clock import Clock
from companion.config import Config, VoiceSection
from companion.errors import SoundError
from companion.phases import Phases
from companion.voice.parts import Files, VoiceParts

if TYPE_CHECKING:
    from companion.voice.turns.answering import Overhears
    from companion.voice.turns.loop import VoiceLoop
    from companion.voice.turns.whispering import Assists


@asynccontextmanager
async def open_voice(
    config: Config,
    clock: Clock,
    phases: Phases,
    files: Files | None,
    policy: Policy,
    overheard: Overhears | None = None,
    assists: Assists | None = None,
) -> AsyncIterator[VoiceLoop | None]:
    """The voice loop over devices, or over `files`, not running yet; None when there is none.
    overheard: takes what is said to others, while it runs. assists: knows the missing word, where
    there is a paw.

    Raises InputError for a file that cannot be used, and what the policy raises: SoundError.
    """
    async with AsyncExitStack() as stack:
        parts = await stack.enter_async_context(open_sound_engines(config))
        if parts.missing:
            policy.missing(_meaning(parts, config.voice), SoundError("; ".join(parts.missing)))
        loop: VoiceLoop | None = None
        if parts.transcriber is not None or parts.synthesizer is not None:
            try:
                from companion.assembly.voice_loop import open_devices, voice_loop
            except ImportError as error:
                why = f"{error.name} is not installed: scripts/setup --voice"
                policy.missing(CANNOT_HEAR_OR_SPEAK, SoundError(why))
            else:
                opening = open_devices(config, clock, files, policy)
                devices = await stack.enter_async_context(opening)
                loop = voice_loop(
                    config, devices, parts, phases, overheard=overheard, assists=assists
                )
        yield loop


def _meaning(parts: VoiceParts, section: VoiceSection) -> str:
    """What it means that engines are missing: the worst of it."""
    deaf = parts.transcriber is None or parts.detector is None
    if parts.synthesizer is None:
        return CANNOT_HEAR_OR_SPEAK if deaf else CANNOT_SPEAK
    if deaf:
        return CANNOT_HEAR
    return HEARS_ITSELF if section.echo == "cancel" and not parts.canceller else NOT_CALLED
