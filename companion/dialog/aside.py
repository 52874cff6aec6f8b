"""Borrows the dialog's model for a prompt of another kind, and gives it back as it was.

The state of the dialog's prompt is set aside, the beginning of the other one (read once, then
kept) takes its place, and afterwards the dialog's comes back, also where the request was cancelled.
A state larger than `assist.aside_mb` is not kept: the next silence reads the window again.

What a request may need can be read ahead: then its state takes the place of the beginning, of which
it is more, and only what the request says otherwise is left to evaluate.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from companion.dialog.prefix import StoredState
from companion.engines.protocols import (
    ChatMessage,
    Generation,
    LanguageModel,
    Options,
    Snapshot,
    complete,
    is_tuned,
)

Ask = Callable[[str, Options], Awaitable[tuple[str, int]]]
"""Message and options to the model's line, and how many tokens of the prompt were evaluated."""

MEGABYTE = 1_000_000


class Aside:
    """One model, lent out."""

    def __init__(
        self,
        model: LanguageModel,
        head: Sequence[ChatMessage],
        most_mb: float,
        stored: StoredState | None = None,
        *,
        trained: bool = True,
    ) -> None:
        """head: what each prompt begins with. stored: where its read state is kept beyond this run;
        None: nowhere. trained: with the adapter, where the model has one."""
        self._model = model
        self._head = tuple(head)
        self._trained = trained and is_tuned(model)
        self._most = most_mb * MEGABYTE
        self._stored = stored
        self._kept: Snapshot | None = None
        """The beginning of the prompt, once it was read."""
        self._part: Snapshot | None = None
        """As much of it as was read when somebody took the model back."""
        self.ready = False
        """Whether the beginning was read once."""
        self._ahead: Snapshot | None = None
        """The same with a message that was read ahead, or a part of it."""
        self._ahead_of = ""
        """That message."""
        self._whole = False
        """Whether it was read to its end."""
        self._now = ""
        """The message that the model has read."""

    @asynccontextmanager
    async def borrowed(self) -> AsyncIterator[Ask]:
        """The model with the beginning of the prompt read. Raises EngineError."""
        dialog = await self._model.snapshot()
        if dialog is not None and len(dialog.state) > self._most:
            dialog = None
        try:
            await self._read()
            yield self._ask
        finally:
            if dialog is not None:
                await self._model.restore(dialog)

    async def get_ready(self) -> None:
        """Read the beginning of the prompt while nobody waits; the dialog's state comes back. What
        was read when this is cancelled is not read again."""
        if not self.ready:
            async with self.borrowed():
                pass

    async def read_ahead(self, message: str) -> None:
        """Read a message that is likely to be asked with. Cancelling stops within a slice, and what
        was read is kept. Raises EngineError."""
        if self._whole and message == self._ahead_of:
            return
        async with self.borrowed():
            await self._take(message)
            self._ahead_of, self._whole = message, False
            try:
                await self._model.warm(self._prompt(message), trained=self._trained)
                self._whole = True
            finally:
                self._ahead = await self._model.snapshot()

    def forget(self) -> None:
        """Hold nothing of what was read ahead."""
        self._ahead, self._ahead_of, self._whole = None, "", False

    async def generate(self, message: str, options: Options) -> Generation:
        """An answer piece by piece; only while the model is borrowed."""
        await self._take(message)
        return self._model.generate(self._prompt(message), replace(options, trained=self._trained))

    async def _ask(self, message: str, options: Options) -> tuple[str, int]:
        await self._take(message)
        messages = self._prompt(message)
        text, usage = await complete(self._model, messages, replace(options, trained=self._trained))
        return text, usage.evaluated_tokens

    def _prompt(self, message: str) -> list[ChatMessage]:
        return [*self._head, ChatMessage("user", message)]

    async def _take(self, message: str) -> None:
        """The state that knows most of a message: the present one, or what was read ahead."""
        if self._ahead is not None:
            now, ahead = _common(self._now, message), _common(self._ahead_of, message)
            if ahead > now:
                await self._model.restore(self._ahead)
        self._now = message

    async def _read(self) -> None:
        self._now = ""
        if self._kept is not None and await self._model.restore(self._kept):
            return
        if self._part is not None:
            await self._model.restore(self._part)
        try:
            if self._stored is not None:
                self._kept = await self._stored.load(self._model)
            else:
                await self._model.warm(self._head, trained=self._trained)
                self._kept = await self._model.snapshot()
            self.ready = True
        finally:
            self._part = None if self.ready else await self._model.snapshot()


def _common(one: str, other: str) -> int:
    """Characters that both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
