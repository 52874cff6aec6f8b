"""The room a scenario is played in: a `Sound` that makes things happen when the time has come.

A step waits for its cue, which may hang on what the companion does ("0.8 s after it begins to
speak"). Everything is counted in frames.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.engines.sound.protocols import FRAME_S, MIC_FRAME, Samples, SoundState
from companion.voice.devices.wav_sound import Pace, WavSound

AUDIBLE = 30
"""Amplitude above which a frame is heard."""


@dataclass(frozen=True)
class Cue:
    """When a step begins, seconds after something."""

    seconds: float
    since: str
    """end, start (of the step before); begins, silent (the companion, since that step); ready
    (`Room.ready` first says so)."""


@dataclass
class Act:
    """One step: a sound, or something done."""

    cue: Cue
    sound: Samples = field(default_factory=lambda: np.zeros(0, np.int16))
    do: Callable[[], None] = lambda: None
    began: int | None = None
    """Frame in which it did."""

    @property
    def frames(self) -> int:
        return -(-len(self.sound) // MIC_FRAME)


class Room:
    """See `companion.engines.sound.protocols.Sound`."""

    def __init__(
        self,
        acts: Sequence[Act],
        pace: Pace,
        *,
        echo_db: float | None = None,
        background: Callable[[int], Samples] | None = None,
        longest_s: float = 180.0,
    ) -> None:
        """background: a frame of what sounds all the time, by its number."""
        self.acts = list(acts)
        self.loud: list[bool] = []
        """Of each frame that was played: whether it could be heard."""

        self.idle: Callable[[], bool] = lambda: True
        """Nothing is on its way (`VoiceLoop.idle`)."""

        self.ready: Callable[[], bool] = lambda: True
        self.on_frame: Callable[[int], None] = lambda number: None
        self.frame = 0
        self._ready_at: int | None = None
        self._next = 0
        self._background = background
        self._longest = round(longest_s / FRAME_S)
        # The echo is that of the files' sound; what is mixed into it comes from here.
        self._wall = WavSound(np.zeros(0, np.int16), None, pace, echo_db=echo_db)
        self._wall.linger = lambda: True

    async def capture(self) -> Samples | None:
        if self._is_over():
            return None
        heard = await self._wall.capture()
        assert heard is not None
        self._begin_what_is_due()
        mix = heard.astype(np.int32)
        for act in self.acts[: self._next]:
            assert act.began is not None
            first = (self.frame - act.began) * MIC_FRAME
            part = act.sound[first : first + MIC_FRAME] if first >= 0 else act.sound[:0]
            mix[: len(part)] += part
        if self._background is not None:
            mix += self._background(self.frame)
        self.on_frame(self.frame)
        self.frame += 1
        return np.asarray(np.clip(mix, -32768, 32767), dtype=np.int16)

    def play(self, frame: Samples) -> None:
        self.loud.append(bool(np.abs(frame.astype(np.int32)).max() > AUDIBLE))
        self._wall.play(frame)

    @property
    def state(self) -> SoundState:
        return SoundState(microphone=True, speaker=True, names=("stage", "stage"))

    async def close(self) -> None:
        await self._wall.close()

    def quiet_after_ms(self, act: Act) -> float:
        """From the beginning of an act until the companion was last heard, before it could
        have answered the act. 0 when it was silent already."""
        assert act.began is not None
        heard = self.loud[act.began : act.began + act.frames + round(0.5 / FRAME_S)]
        last = max((number + 1 for number, loud in enumerate(heard) if loud), default=0)
        return last * FRAME_S * 1000

    def _is_over(self) -> bool:
        if self.frame >= self._longest:
            return True
        return self._next == len(self.acts) and self._frames_since_end() > 40 and self.idle()

    def _frames_since_end(self) -> int:
        """Since the sound of the last step, or the last sound of the companion."""
        ended = max((act.began or 0) + act.frames for act in self.acts[: self._next])
        last = max((n for n, loud in enumerate(self.loud[-100:]) if loud), default=None)
        spoke = 0 if last is None else len(self.loud) - min(100, len(self.loud)) + last
        return self.frame - max(ended, spoke)

    def _begin_what_is_due(self) -> None:
        while self._next < len(self.acts) and self._is_due(self.acts[self._next]):
            act = self.acts[self._next]
            act.began = self.frame
            self._next += 1
            self._ready_at = None
            act.do()

    def _is_due(self, act: Act) -> bool:
        since = self._moment(act.cue.since)
        return since is not None and (self.frame - since) * FRAME_S >= act.cue.seconds

    def _moment(self, name: str) -> int | None:
        before = self.acts[self._next - 1] if self._next else None
        start = (before.began or 0) if before else 0
        end = start + before.frames if before else 0
        if name == "ready":
            if self._ready_at is None and self.ready():
                self._ready_at = self.frame
            return self._ready_at
        if name in ("begins", "silent"):
            spoke = [n for n in range(end, len(self.loud)) if self.loud[n]]
            if not spoke:
                return None
            if name == "begins":
                return spoke[0]
            return spoke[-1] + 1 if self.idle() else None
        return start if name == "start" else end


def looped(sound: Samples) -> Callable[[int], Samples]:
    """A background that repeats."""
    frames = len(sound) // MIC_FRAME
    return lambda number: sound[number % frames * MIC_FRAME :][:MIC_FRAME]
