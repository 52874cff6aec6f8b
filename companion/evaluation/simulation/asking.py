"""Asking a model that may be elsewhere: it may be down, slow, refuse, or talk nonsense.

A call that fails is tried again after a pause, an answer that cannot be used is asked for anew;
what stays without an answer is parked: the item is given up for this run and named.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.consolidation.structured import Absurd, Malformed
from companion.engines.protocols import ChatMessage, LanguageModel, Options, Usage, complete
from companion.errors import ContextTooSmall, EngineError

T = TypeVar("T")

PAUSES_S = (1.0, 4.0, 15.0)
"""Waits before another try at a model that does not answer."""

ATTEMPTS = 3
"""Answers that are asked for before the item is given up."""

DEADLINE_S = 300.0
"""Longest wall time of one answer."""


class Parked(Exception):
    """An item that got no usable answer in this run; the text says why."""


class Unusable(Parked):
    """The model answers, but not with anything that can be used."""


@dataclass
class Spent:
    """What a model has cost so far."""

    calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0
    seconds: float = 0.0

    def add(self, usage: Usage) -> None:
        """Count one answer."""
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.generated_tokens += usage.generated_tokens
        self.seconds += usage.total_s


class Asker:
    """One model, asked with patience."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        pauses_s: Sequence[float] = PAUSES_S,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.model = model
        self.spent = Spent()
        self._pauses_s = tuple(pauses_s)
        self._sleep = sleep
        self._down = False
        """It gave no answer to the last item: the next one is not waited for as long."""

    async def ask(
        self,
        messages: Sequence[ChatMessage],
        accept: Callable[[str], T],
        *,
        max_tokens: int,
        schema: dict[str, Any] | None = None,
        temperature: float = 0.0,
        seed: int = 0,
    ) -> tuple[T, str]:
        """What `accept` makes of an answer, and the answer itself.

        accept: raises Malformed or Absurd for an answer that cannot be used.
        Raises Unusable when no answer could be, Parked when there was none.
        """
        why = ""
        for attempt in range(ATTEMPTS):
            options = Options(
                max_tokens=max_tokens,
                # The likeliest answer was of no use: another one is needed.
                temperature=max(temperature, 0.4) if attempt else temperature,
                seed=seed + attempt,
                json_schema=schema,
                deadline_s=DEADLINE_S,
            )
            raw = await self._reach(messages, options)
            try:
                return accept(raw), raw
            except (Malformed, Absurd) as error:
                why = str(error)
        raise Unusable(f"no usable answer in {ATTEMPTS} tries ({why})")

    async def _reach(self, messages: Sequence[ChatMessage], options: Options) -> str:
        """An answer, whatever it says. Raises Parked."""
        pauses = () if self._down else self._pauses_s
        for pause in (*pauses, None):
            try:
                answer, usage = await complete(self.model, messages, options)
                self.spent.add(usage)
                if usage.finish != "deadline":
                    self._down = False
                    return answer
                problem = f"{self.model.name}: no answer within {DEADLINE_S:.0f} s"
            except ContextTooSmall as error:
                raise Parked(str(error)) from None
            except EngineError as error:
                problem = str(error)
            if pause is not None:
                await self._sleep(pause)
        self._down = True
        raise Parked(problem)
