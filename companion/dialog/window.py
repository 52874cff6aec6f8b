"""The window of recent messages, cut with hysteresis (design decision 2).

Dropping the oldest message at every turn would move everything that follows and void the KV
cache. So the window grows to W + slack and is then cut back to W at once, while nobody waits.
Pure functions over tuples: no clock, no model.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.records import Turn


@dataclass(frozen=True)
class Exchange:
    """One turn as it stands in the prompt."""

    number: int
    user: str | None
    """None when the companion spoke first."""

    reply: str | None
    """None when the turn was interrupted before a word was said."""

    block: str = ""
    """What was recalled for it. It stays where it was put until the exchange leaves the window,
    so that it is neither evaluated nor shown twice."""

    recalled: frozenset[str] = frozenset()
    """Ids of what stands in `block`."""

    @property
    def messages(self) -> int:
        """How many messages it counts for."""
        return (self.user is not None) + (self.reply is not None)

    @classmethod
    def of(cls, turn: Turn) -> Exchange:
        """A turn of the log, without what was recalled for it (the log does not keep that)."""
        return cls(
            turn.number,
            turn.user.text if turn.user else None,
            turn.reply.text if turn.reply else None,
        )


Window = tuple[Exchange, ...]


def cut(window: Window, *, keep: int, slack: int) -> Window:
    """Unchanged up to `keep + slack` messages; past that, the newest whole exchanges that make
    at most `keep` messages (always the last one)."""
    if sum(exchange.messages for exchange in window) <= keep + slack:
        return window
    kept = 0
    for start in range(len(window) - 1, -1, -1):
        kept += window[start].messages
        if kept > keep:
            return window[min(start + 1, len(window) - 1) :]
    return window


def cut_to_tokens(
    window: Window, count: Callable[[Window], int], *, most: int, target: int
) -> Window:
    """Unchanged while `count(window) <= most` tokens; past that, the oldest exchanges go until
    `target` is reached. May end empty."""
    if count(window) <= most:
        return window
    while window and count(window) > target:
        window = window[1:]
    return window
