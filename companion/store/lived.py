"""Lived time: the clock that memories fade by.

A persisted counter of trusted elapsed seconds. It moves by one rule:

- between two readings in one process, by the smaller of what the wall clock and the monotonic
  clock say (a wall clock that jumps, by a network or a flat battery, is not time lived);
- from the last reading of an earlier process, by the wall clock alone, which is all there is
  (so `--now` replays of past days age memories);
- never backwards, never by more than one absence may add, and not at all while the wall clock
  is plainly wrong: then the next trusted reading counts from the last trusted one. What was
  used in between is as good as used at that reading, for the time before it is not its own.
"""

from __future__ import annotations

import math

import apsw

from companion.clock import Clock

DAY_S = 86_400.0


class LivedTime:
    """Advances the counter of one store; belongs to the store's writer thread."""

    def __init__(self, clock: Clock, largest_gap_days: float) -> None:
        self._clock = clock
        self._largest_gap_s = largest_gap_days * DAY_S
        self._last_monotonic: float | None = None
        self._may_be_unsure = True
        """Something may have been used since the last trusted reading."""

    def advance(self, c: apsw.Connection) -> float:
        """Count the time since the last reading, inside the caller's transaction.

        Returns the counter in seconds.
        """
        lived, last_wall = c.execute("SELECT lived_s, last_wall FROM state").get
        if not self._clock.trusted():
            self._may_be_unsure = True
            return float(lived)
        before = lived
        wall, monotonic = self._clock.wall().timestamp(), self._clock.monotonic()
        elapsed = 0.0 if last_wall is None else wall - last_wall
        if self._last_monotonic is not None:
            elapsed = min(elapsed, monotonic - self._last_monotonic)
        lived += min(max(elapsed, 0.0), self._largest_gap_s)
        c.execute("UPDATE state SET lived_s = ?, last_wall = ?", (lived, wall))
        if self._may_be_unsure:
            # An earlier process shows it only by its dates, this one knows.
            here = self._last_monotonic is not None
            c.execute(
                "UPDATE memories SET last_used_lived_s = ? "
                "WHERE last_used_lived_s = ? AND (? OR last_used < '2000')",
                (lived, before, here),
            )
            self._may_be_unsure = False
        self._last_monotonic = monotonic
        return float(lived)


def now(c: apsw.Connection) -> float:
    """Lived seconds as of the last write."""
    return float(c.execute("SELECT lived_s FROM state").get)


def retention(elapsed_s: float, strength: float, unit_days: float = 1.0) -> float:
    """R = exp(-t / (S u)), t in lived days since last use (paper section 4.4, after MemoryBank).
    unit_days: u, the lived days that a unit of strength stands for: as published 1, for good
    `inf`."""
    return math.exp(-max(elapsed_s, 0.0) / DAY_S / (strength * unit_days))
