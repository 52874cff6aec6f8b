"""Where an utterance begins and where it ends, from one probability of speech per frame.

A pause of `tentative_ms` makes the end likely: work on the answer may begin. A pause of
`endpoint_ms` makes it certain (`question_ms` after a question); speech before that withdraws the
tentative end. People pause inside sentences, cough, and have a television. So no decision rests on
a single frame, continuing takes less evidence than beginning, and a constant noise that is never
clearly speech ends an utterance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.config import VoiceSection
from companion.engines.sound.protocols import MIC_FRAME, MIC_RATE, Samples

GO_ON = 0.7
"""Share of the threshold: a frame above this continues an utterance, but cannot begin one."""

BEGIN_FRAMES = 3
BEGIN_WITHIN = 4
"""The first number of speech frames (96 ms) among the second number of frames begins an utterance:
a click is shorter."""

RESUME_FRAMES = 2
"""Frames of speech in a row that end a pause (64 ms)."""

DRONE_FRAMES = 16
"""Frames in a row (512 ms) that may continue an utterance without one above the threshold."""

TAIL_FRAMES = 3
"""Frames kept after the last speech frame (96 ms), because words fade out."""

HOLD = 2
"""How many times `endpoint_ms` to wait after half a sentence."""

CUT_FRAMES = 31
"""An utterance that is too long is cut at the quietest of its last frames (1 s), not in a word."""


@dataclass(frozen=True)
class Began:
    """Somebody has begun to speak."""

    revision: int
    at: int
    """Number of the utterance's first sample, counted from the first sample ever fed; the pre-roll
    comes before it."""


@dataclass(frozen=True)
class Tentative:
    """The utterance may have ended: work may begin, for this revision."""

    revision: int
    samples: Samples
    """From the pre-roll to about 100 ms after the last speech."""

    end: int
    """Number of the sample at which speech ended."""


@dataclass(frozen=True)
class Withdrawn:
    """Speech went on: work begun for this revision is stale."""

    revision: int


@dataclass(frozen=True)
class Committed:
    """The utterance has ended. The samples are those of the Tentative with the same revision."""

    revision: int
    samples: Samples
    end: int
    cut: bool
    """Whether it was cut for being longer than `longest_s`. If speech goes on, the next utterance
    begins at once, with the sample after this one's last."""


Event = Began | Tentative | Withdrawn | Committed


@dataclass(frozen=True)
class _Frame:
    samples: Samples
    probability: float
    speech: bool


@dataclass
class _Utterance:
    """What is known of the running utterance. Counts are in frames."""

    speech: int
    end: int
    """Frames kept up to the last one of speech."""

    pause: int = 0
    """Frames since then."""

    active: int = 0
    """Frames of speech in a row, up to now."""

    drone: int = 0
    """Frames in a row below the threshold, up to now."""

    tentative: Tentative | None = None
    held: bool = False
    """Whether the words up to the tentative end are half a sentence."""

    asked: bool = False
    """Whether they are a question."""


class Endpointer:
    """Takes every frame of the microphone and reports where utterances begin and end."""

    def __init__(self, section: VoiceSection) -> None:
        self._threshold = section.speech_threshold
        self._lower = section.speech_threshold * GO_ON
        self._pre_roll = _frames(section.pre_roll_ms)
        self._tentative_after = max(1, _frames(section.tentative_ms))
        self._commit_after = max(self._tentative_after, _frames(section.endpoint_ms))
        self._question_after = max(self._tentative_after, _frames(section.question_ms))
        self._longest = int(section.longest_s * MIC_RATE) // MIC_FRAME
        self._fed = 0
        self._revision = 0
        self._frames: list[_Frame] = []
        """The frames of the running utterance with its pre-roll; when there is none, the frames
        that may become its pre-roll."""
        self._utterance: _Utterance | None = None

    @property
    def speaking(self) -> bool:
        """Whether an utterance is running: it began and is not committed yet."""
        return self._utterance is not None

    @property
    def speech_ms(self) -> int:
        """Speech in the running utterance so far, without its pauses. 0 when there is none."""
        return self._utterance.speech * MIC_FRAME * 1000 // MIC_RATE if self._utterance else 0

    def so_far(self) -> Samples:
        """The running utterance with its pre-roll up to now; shape (0,) when there is none."""
        return _joined(self._frames if self._utterance else [])

    def reset(self) -> None:
        """Drop the running utterance and the pre-roll. Samples and revisions count on."""
        self._frames = []
        self._utterance = None

    def hold(self, revision: int) -> None:
        """Wait longer for the rest of the sentence: the words up to this tentative end are
        incomplete (`language.turn_ends.unfinished`). A stale revision is ignored."""
        if utterance := self._ended_at(revision):
            utterance.held = True

    def hurry(self, revision: int) -> None:
        """Wait less: the words up to this tentative end are a question, and a person who has asked
        one is waiting for the answer. A stale revision is ignored."""
        if utterance := self._ended_at(revision):
            utterance.asked = True

    def _ended_at(self, revision: int) -> _Utterance | None:
        """The running utterance, if this is its tentative end."""
        ends = self._utterance and self._utterance.tentative
        return self._utterance if ends and ends.revision == revision else None

    def feed(self, frame: Samples, probability: float) -> list[Event]:
        """The events caused by the next MIC_FRAME samples. probability: of speech in them."""
        self._fed += 1
        samples = frame.copy()  # A device may reuse its buffer.
        if self._utterance is None:
            return self._wait(samples, probability)
        return self._go_on(self._utterance, samples, probability)

    def _wait(self, samples: Samples, probability: float) -> list[Event]:
        """Nobody speaks yet."""
        self._frames.append(_Frame(samples, probability, probability >= self._threshold))
        recent = [frame.speech for frame in self._frames[-BEGIN_WITHIN:]]
        began = sum(recent) >= BEGIN_FRAMES
        own = len(recent) - recent.index(True) if began else BEGIN_WITHIN - 1
        del self._frames[: max(0, len(self._frames) - self._pre_roll - own)]
        return [self._begin(own)] if began else []

    def _begin(self, count: int) -> Began:
        """Begin an utterance with the last `count` of the kept frames; those before are its
        pre-roll."""
        own = self._frames[len(self._frames) - count :]
        self._utterance = _Utterance(sum(frame.speech for frame in own), len(self._frames))
        return Began(self._next_revision(), (self._fed - count) * MIC_FRAME)

    def _go_on(self, utterance: _Utterance, samples: Samples, probability: float) -> list[Event]:
        """Somebody speaks, or pauses."""
        utterance.drone = 0 if probability >= self._threshold else utterance.drone + 1
        speech = utterance.drone == 0 or (
            probability >= self._lower and utterance.drone <= DRONE_FRAMES
        )
        self._frames.append(_Frame(samples, probability, speech))
        utterance.speech += speech
        utterance.active = utterance.active + 1 if speech else 0
        if utterance.active < (RESUME_FRAMES if utterance.pause else 1):
            utterance.pause += 1
            return self._decide(utterance)
        utterance.pause = 0
        utterance.held = utterance.asked = False
        utterance.end = len(self._frames)
        stale, utterance.tentative = utterance.tentative, None
        return [*([Withdrawn(stale.revision)] if stale else []), *self._decide(utterance)]

    def _decide(self, utterance: _Utterance) -> list[Event]:
        """Whether it has ended."""
        events: list[Event] = []
        if utterance.tentative is None:
            if len(self._frames) >= self._longest:
                return self._cut()
            # This frame may be the first of resumed speech: the next frame decides.
            if utterance.pause < self._tentative_after or utterance.active:
                return []
            length = min(utterance.end + TAIL_FRAMES, len(self._frames))
            utterance.tentative = self._tentative(length, utterance.end)
            events.append(utterance.tentative)
        if utterance.pause >= self._enough(utterance) and not utterance.active:
            events.append(_confirmed(utterance.tentative, cut=False))
            rest = self._frames[len(utterance.tentative.samples) // MIC_FRAME :]
            self.reset()
            self._frames = rest[max(0, len(rest) - self._pre_roll) :]
        return events

    def _enough(self, utterance: _Utterance) -> int:
        """The length of the pause that ends it, in frames."""
        if utterance.held:
            return self._commit_after * HOLD
        return (
            min(self._commit_after, self._question_after) if utterance.asked else self._commit_after
        )

    def _cut(self) -> list[Event]:
        """Cut the utterance at its greatest length; the rest becomes the next one."""
        quiet = range(self._longest - CUT_FRAMES, self._longest)
        at = min(quiet, key=lambda number: (self._frames[number].probability, -number))
        tentative = self._tentative(at, at)
        rest = self._frames[at:]
        self.reset()
        self._frames = rest
        events: list[Event] = [tentative, _confirmed(tentative, cut=True)]
        if any(frame.speech for frame in rest):
            events.append(self._begin(len(rest)))
        return events

    def _tentative(self, length: int, end: int) -> Tentative:
        """The tentative end of an utterance of the first `length` kept frames, whose speech ended
        after `end` of them."""
        before = self._fed - len(self._frames)
        return Tentative(
            self._next_revision(), _joined(self._frames[:length]), (before + end) * MIC_FRAME
        )

    def _next_revision(self) -> int:
        self._revision += 1
        return self._revision


def _confirmed(tentative: Tentative, *, cut: bool) -> Committed:
    return Committed(tentative.revision, tentative.samples, tentative.end, cut)


def _frames(milliseconds: int) -> int:
    """The number of whole frames that last about this long."""
    return round(milliseconds * MIC_RATE / 1000 / MIC_FRAME)


def _joined(frames: list[_Frame]) -> Samples:
    return np.concatenate([np.zeros(0, np.int16), *(frame.samples for frame in frames)])
