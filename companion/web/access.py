"""The PIN, as the page sees it. It is kept, counted and judged by the toy (`companion.parents`)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from companion.errors import DaemonError, InputError
from companion.web.toy import Toy

KNOWN_S = 2.0
"""So long an answer about the PIN is believed: a flood of requests must not reach the toy."""

LONGEST_PIN = 64


@dataclass(frozen=True)
class Pin:
    """Whether there is one, and how it stands."""

    is_set: bool
    version: object
    """Another one means another PIN."""

    wait_s: float
    """Until another try counts."""

    button: bool = False
    """While there is none: whether the toy has a button for a code."""


@dataclass(frozen=True)
class Tried:
    right: bool
    wait_s: float


class Access:
    """One at a time, whoever tries."""

    def __init__(self, toy: Toy, now: Callable[[], float]) -> None:
        self._toy, self._now = toy, now
        self._turn = asyncio.Lock()
        self._known: tuple[float, Pin] | None = None
        self._until = float("-inf")
        """When the next try may be made, as far as is known here."""

    async def pin(self) -> Pin:
        """Raises CompanionError."""
        async with self._turn:
            if self._known is None or self._now() - self._known[0] >= KNOWN_S:
                state = await self._toy.ask("pin_state")
                self._wait(state)
                is_set = bool(state["set"])
                button = not is_set and await self._has_button()
                pin = Pin(is_set, state.get("version", is_set), self._left(), button)
                self._known = (self._now(), pin)
            return self._known[1]

    async def tried(self, pin: str, who: str) -> Tried:
        """Give a PIN; while it has to wait, nobody is asked. Raises CompanionError."""
        async with self._turn:
            if self._left() > 0 or len(pin) > LONGEST_PIN:
                return Tried(False, self._left())
            answer: dict[str, Any] = await self._toy.ask("pin_try", pin=pin, who=who)
            self._wait(answer)
            self._known = None
            return Tried(bool(answer["ok"]), self._left())

    async def set_with_code(self, pin: str, code: str) -> None:
        """Set the PIN with the code that the toy has spoken. Raises InputError with what is wrong;
        CompanionError."""
        async with self._turn:
            if self._left() > 0:
                raise InputError("there were too many wrong tries")
            if max(len(pin), len(code)) > LONGEST_PIN:
                raise InputError("that is too long")
            self._known = None
            await self._toy.ask("pin_set", pin=pin, code=code)

    async def _has_button(self) -> bool:
        with contextlib.suppress(DaemonError):
            voice = (await self._toy.ask("status")).get("voice")
            return bool(voice and voice.get("button"))
        return False  # it is switched off

    def _wait(self, answer: dict[str, Any]) -> None:
        self._until = self._now() + float(answer.get("wait_s") or 0)

    def _left(self) -> float:
        return max(0.0, self._until - self._now())
