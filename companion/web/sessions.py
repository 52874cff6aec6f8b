"""Who is in: sessions in memory only, so that a restart ends them all."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

MOST = 16
"""Sessions at once; a further one ends the one that was idle longest."""

UNLOCKED_S = 300.0
"""So long after the PIN was given again the words of stopped turns are shown."""


@dataclass
class Session:
    """One parent at one browser."""

    token: str
    """Stands in every form of this session, and in no other."""

    seen: float
    """When it last asked for anything, in monotonic seconds."""

    pin: object
    """Which PIN opened it: another one ends it."""

    unlocked: float = field(default=float("-inf"))
    """When the PIN was given again."""

    said: str | None = None
    """What the next page says first, once."""

    query: str = ""
    """The words that were searched for last."""

    def wrote(self, token: str) -> bool:
        """Whether a form with this token is one of ours."""
        return hmac.compare_digest(self.token.encode(), token.encode("utf-8", "replace"))


class Sessions:
    """All that are open, by the hash of their cookie: nothing here opens anything."""

    def __init__(self, now: Callable[[], float], idle_s: float) -> None:
        """now: monotonic seconds, in which also suspended time counts."""
        self._now, self._idle_s = now, idle_s
        self._open: dict[bytes, Session] = {}

    def begin(self, pin: object) -> str:
        """A new session; returns what its cookie holds: 256 random bits."""
        self._sweep()
        while len(self._open) >= MOST:
            del self._open[min(self._open, key=lambda each: self._open[each].seen)]
        cookie = secrets.token_urlsafe(32)
        self._open[_name(cookie)] = Session(secrets.token_urlsafe(32), self._now(), pin)
        return cookie

    def find(self, cookie: str | None) -> Session | None:
        """The session of a cookie, which counts as used now; None when there is none."""
        self._sweep()
        session = self._open.get(_name(cookie or ""))
        if session is not None:
            session.seen = self._now()
        return session

    def end(self, cookie: str | None) -> None:
        self._open.pop(_name(cookie or ""), None)

    def end_those_of_another(self, pin: object) -> None:
        """The PIN has changed: whoever came in with the old one is out."""
        for name, session in list(self._open.items()):
            if session.pin != pin:
                del self._open[name]

    def unlock(self, session: Session) -> None:
        session.unlocked = self._now()

    def unlocked(self, session: Session) -> bool:
        return self._now() - session.unlocked < UNLOCKED_S

    def _sweep(self) -> None:
        now = self._now()
        for name, session in list(self._open.items()):
            if now - session.seen >= self._idle_s:
                del self._open[name]


def _name(cookie: str) -> bytes:
    return sha256(cookie.encode("utf-8", "replace")).digest()
