"""What a body can follow: a lamp, a servo, a face. A stream of events for whoever listens.

    {"state": "speaking"}                what it does, first as it is now, then on each change
    {"mood": "glad"}                     of what is said, with its first sound and on change
    {"loudness": 0.62, "word": "whale"}  twenty times in each second of sound that is played
    {"timer": "alarm"}                   one rings
    {"page": "on"}                       the parents' page is open, then whenever that changes

Nothing is computed while nobody listens. The words are the companion's own; they are in no log.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from companion.answering import Announcement
from companion.daemon.listeners import Event, Listener
from companion.daemon.mood import mood_of
from companion.engines.sound.protocols import SPEAKER_RATE, Samples
from companion.errors import DaemonError
from companion.voice.turns.watched import FrameWatcher, Moment

PER_SECOND = 20
MOST = 8
"""Listeners at once: others must still be able to ask the daemon."""

LOOKS_EVERY_S = 0.1
"""How often it is looked whether the state has changed, where no sound tells."""

_EVERY = SPEAKER_RATE // PER_SECOND
_SILENT_DB, _LOUD_DB = -50.0, -10.0
"""Of full scale: loudness 0 and 1."""

_QUIET = Moment(hears=False, thinks=False, speaks=False, spoken=None)


@dataclass
class _Told:
    """What the listeners know, and what they are told next."""

    state: str | None = None
    mood: str | None = None
    clause: tuple[str, str] | None = None
    """Who says it, and what, of the mood that was told last."""

    moment: Moment = _QUIET
    sounded: bool = False
    """The last loudness was not that of a closed mouth."""

    energy: float = 0.0
    samples: int = 0
    """Played since the last loudness."""

    due: int = 0
    """Samples of them that count for the next one."""


class Watched(Protocol):
    """A voice loop that can be followed."""

    watcher: FrameWatcher | None


class Body:
    """Follows one companion on behalf of all listeners."""

    def __init__(self, resting: Callable[[], str]) -> None:
        """resting: what it does while nobody talks: starting, awake, asleep, consolidating or
        stopping."""
        self._resting = resting
        self._listeners: list[Listener] = []
        self._voice: Watched | None = None
        self._typed = 0
        """Typed messages that are being answered."""
        self._pages = 0
        self._told = _Told()

    def follow(self, voice: Watched | None) -> None:
        """From now on also this voice; None: there is none."""
        self._voice = voice
        self._attach()

    async def listen(self) -> AsyncGenerator[Event, None]:
        """Everything that happens, until it is closed. Raises DaemonError for one too many, and
        for a reader that is too slow."""
        if len(self._listeners) >= MOST:
            raise DaemonError(f"{MOST} listen already: close one of them")
        listener = Listener()
        self._look()
        self._listeners.append(listener)
        self._attach()
        try:
            yield {"state": self._told.state}
            if self.page:
                yield {"page": "on"}
            while True:
                event = await listener.next(LOOKS_EVERY_S)
                if event is None:
                    self._look()
                else:
                    yield event
        finally:
            self._leave(listener)

    def frame(self, played: Samples, moment: Moment) -> None:
        """See `FrameWatcher`."""
        self._told.moment = moment
        self._look()
        if moment.spoken is not None:
            self._feel(moment.spoken.by, moment.spoken.clause)
        sound = played.astype(np.float32)
        self._told.energy += float(sound @ sound)
        self._told.samples += len(played)
        self._told.due += len(played)
        if self._told.due >= _EVERY:
            self._told.due -= _EVERY
            self._tell_loudness()

    @contextmanager
    def typed(self) -> Iterator[None]:
        """A typed message is answered meanwhile."""
        self._typed += 1
        try:
            yield
        finally:
            self._typed -= 1

    @property
    def page(self) -> bool:
        """Whether the parents' page is on."""
        return self._pages > 0

    @contextmanager
    def shows_page(self) -> Iterator[None]:
        """The parents' page is on meanwhile."""
        self._pages += 1
        if self._pages == 1:
            self._tell({"page": "on"})
        try:
            yield
        finally:
            self._pages -= 1
            if not self._pages:
                self._tell({"page": "off"})

    def wrote(self, sentence: str, by: str) -> None:
        """A sentence of an answer that is not spoken."""
        if self._listeners:
            self._look()
            self._feel(by, sentence)

    def rings(self, said: Announcement) -> None:
        """A timer, alarm or reminder is about to be said."""
        self._tell({"timer": said.kind})

    def _look(self) -> None:
        """Tell of the state, if it has changed."""
        state = self._now()
        if state == self._told.state:
            return
        if state != "speaking":
            self._told.mood = self._told.clause = None  # The next answer tells its own.
        first, self._told.state = self._told.state is None, state
        if not first:
            self._tell({"state": state})

    def _now(self) -> str:
        if self._told.moment.speaks:
            return "speaking"
        if self._told.moment.hears:
            return "listening"
        if self._told.moment.thinks or self._typed:
            return "thinking"
        return self._resting()

    def _feel(self, by: str, clause: str) -> None:
        if (by, clause) == self._told.clause:
            return
        self._told.clause = (by, clause)
        mood = mood_of(by, clause)
        if mood != self._told.mood:
            self._told.mood = mood
            self._tell({"mood": mood})

    def _tell_loudness(self) -> None:
        level = _loudness(self._told.energy / self._told.samples)
        self._told.energy, self._told.samples = 0.0, 0
        sounds = level > 0 or self._told.moment.speaks
        if sounds or self._told.sounded:
            word = None if self._told.moment.spoken is None else self._told.moment.spoken.word
            self._tell({"loudness": level, "word": word or None})
        self._told.sounded = sounds

    def _tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener.tell(event)
            if listener.dropped:
                self._leave(listener)

    def _leave(self, listener: Listener) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)
            self._attach()

    def _attach(self) -> None:
        """Be told of frames only while somebody listens."""
        if self._voice is not None:
            self._voice.watcher = self if self._listeners else None
        if not self._listeners:
            self._told = _Told()


def _loudness(power: float) -> float:
    """0 to 1 by decibels, of a mean square of 16-bit samples."""
    if power <= 0:
        return 0.0
    decibels = 10 * math.log10(power / 32768**2)
    share = (decibels - _SILENT_DB) / (_LOUD_DB - _SILENT_DB)
    return round(min(1.0, max(0.0, share)), 2)
