"""How many tokens of a prompt are evaluated before the next look at whether somebody has spoken.

A processor asks at every node of the compute graph, so a slice may be as long as is quick. A GPU
asks nobody until its work is done: there a slice is as long as the machine is seen to manage in
`LIMIT_S`. The time of a slice is about a + b x tokens, where a is the reading of all weights; going
from a slice of n tokens that took t to n x LIMIT_S / t never goes too far upwards, and downwards it
comes to rest where the time is right. So a cold start, a deep context, heat and a power mode of 7 W
are all followed, without a measurement beforehand.
"""

from __future__ import annotations

LIMIT_S = 0.08
"""Most seconds that a slice may take on a GPU; the contract for giving way is 0.1."""

LEAST = 32
"""Tokens of the shortest slice: below, most of the time goes into reading the weights."""

ROOMY = 0.75
"""Below this share of the limit a slice may grow, by twice at most. Above it is left as it is:
the time of kernels goes up in steps, and a slice must not swing between two of them."""


class Slices:
    """The length of the next slice, a multiple of `step` tokens."""

    def __init__(self, most: int, step: int, *, paced: bool) -> None:
        """paced: chosen by how long slices take, from the shortest; else always `most`."""
        self._step = step
        self._most = max(step, most // step * step)
        self._paced = paced
        self._least = min(LEAST, self._most)
        self.length = self._least if paced else self._most
        """Tokens."""

        self.wait_s: float | None = None
        """What a slice of this length takes by the speed of the last whole one: the longest wait
        for whoever begins to speak. None before one was evaluated, and where slices are not
        paced."""

    @property
    def most(self) -> int:
        """The longest that a slice can become."""
        return self._most

    def took(self, tokens: int, seconds: float) -> None:
        """A slice of so many tokens was evaluated to its end."""
        if not self._paced:
            return
        whole = tokens >= self.length
        fitting = int(tokens * LIMIT_S / max(seconds, 1e-6))
        if seconds > LIMIT_S:
            self._become(min(self.length, fitting))
        elif whole and seconds < ROOMY * LIMIT_S:
            self._become(min(2 * self.length, fitting))
        if whole:
            self.wait_s = self.length * seconds / tokens

    def _become(self, length: int) -> None:
        self.length = min(self._most, max(self._least, length // self._step * self._step))
