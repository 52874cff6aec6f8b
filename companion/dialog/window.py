"""The window of recent messages, cut with hysteresis (design decision 2).

Dropping the oldest message at every turn would move everything after it and so invalidate the KV
cache. So the window grows to W + slack and is then cut back to W in one step, while nobody waits.
Pure functions over tuples: no clock, no model.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from companion.records import Turn


@dataclass(frozen=True)
class Exchange:
    """One turn as it stands in the prompt."""

    number: int
    user: str | None
    """None when the companion spoke first."""

    reply: str | None
    """None when the turn was interrupted before a word of the reply was said."""

    block: str = ""
    """The block recalled for it. It stays in its place until the exchange leaves the window, so
    that it is neither evaluated nor shown twice."""

    recalled: frozenset[str] = frozenset()
    """Ids of the turns and memories in `block`."""

    now: str = ""
    """The line that the message begins with; it stays as the block does."""

    @property
    def messages(self) -> int:
        """How many messages it counts as."""
        return (self.user is not None) + (self.reply is not None)

    @classmethod
    def of(cls, turn: Turn) -> Exchange:
        """A turn of the log, without its recalled block, which the log does not keep."""
        return cls(
            turn.number,
            turn.user.text if turn.user else None,
            turn.reply.text if turn.reply else None,
        )


Window = tuple[Exchange, ...]


def without(window: Window, gone: Collection[int]) -> Window:
    """The window without these exchanges, and without what was recalled for the others, which may
    hold their words."""
    left = (each for each in window if each.number not in gone)
    return tuple(replace(each, block="", recalled=frozenset()) for each in left)


def as_logged(window: Window, turns: Sequence[Turn]) -> Window:
    """The window with the turns that are in the log now: without those that were erased, with those
    that came back, and without what was recalled for any of them, which may hold erased words."""
    held = {each.number: each for each in window}
    first = min(held, default=1)
    return tuple(
        replace(held.get(turn.number) or Exchange.of(turn), block="", recalled=frozenset())
        for turn in turns
        if turn.stopped is None and turn.number >= first
    )


def cut(window: Window, *, keep: int, slack: int) -> Window:
    """The window, unchanged up to `keep + slack` messages; beyond that, the newest whole exchanges
    that have at most `keep` messages together (always including the last one)."""
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
    """The window, unchanged while `count(window) <= most` tokens; beyond that, the oldest exchanges
    are dropped until `target` is reached. The result may be empty."""
    if count(window) <= most:
        return window
    while window and count(window) > target:
        window = window[1:]
    return window
