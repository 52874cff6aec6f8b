"""Answers questions to memory by `notes_prompt`, over the dialog's own model.

The dialog's state is set aside meanwhile (`aside`), and the next silence reads the exchange into
it. What is likely to be asked is read while it is still being said, as the dialog's prompt is.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from companion.answering import Heard
from companion.dialog import answer_span, notes_prompt, replies
from companion.dialog.answer_span import AnswerSpan
from companion.dialog.aside import Aside
from companion.dialog.window import Window
from companion.engines.protocols import (
    ChatMessage,
    Generation,
    LanguageModel,
    Options,
    SpanReader,
)
from companion.errors import EngineError
from companion.recall.protocol import RecallResult

logger = logging.getLogger(__name__)


class NotesReader:
    """One dialog's."""

    def __init__(
        self, model: LanguageModel, most_mb: float, spans: SpanReader | None = None
    ) -> None:
        """most_mb: see `assist.aside_mb`. spans: tells where nothing in the notes is the answer;
        None: nobody does."""
        self._model = model
        self._spans = spans
        self._head = notes_prompt.head()
        self._aside = Aside(model, self._head, most_mb)

    def asked(self, heard: Heard, recall: RecallResult, window: Window) -> str:
        """What it is asked; "" for what it does not answer: no question to memory, nothing told or
        recalled, or a context too small."""
        told = recall.items or any(each.user for each in window)
        if not (heard.asks_memory and told and recall.place == "message"):
            return ""
        asked = notes_prompt.message(recall.block, window, heard.words)
        tokens = self._model.count([*self._head, ChatMessage("user", asked)])
        return asked if tokens <= self._model.context_tokens - notes_prompt.MOST_TOKENS else ""

    async def likeliest(self, asked: str, heard: Heard) -> AnswerSpan | None:
        """The likeliest answer in what it is shown; None where it is not asked, or nobody reads
        for one. asked: see there."""
        if self._spans is None or not asked:
            return None
        known = heard.profile
        about = replies.about_you(known.name, known.age, known.gender)
        try:
            return await answer_span.find(self._spans, asked, about)
        except EngineError as error:
            logger.error("the notes are not read for an answer: %s", error)
            return None

    @asynccontextmanager
    async def generation(self, asked: str, options: Options) -> AsyncIterator[Generation]:
        """The answer. options: of a reply. Raises EngineError."""
        most = min(options.max_tokens, notes_prompt.MOST_TOKENS)
        options = replace(options, max_tokens=most, temperature=0.0, stop=("\n",))
        async with (
            self._aside.borrowed(),
            aclosing(await self._aside.generate(asked, options)) as generation,
        ):
            yield generation

    async def get_ready(self) -> None:
        """See `Aside.get_ready`. Raises EngineError."""
        await self._aside.get_ready()

    async def read_ahead(self, asked: str) -> None:
        """See `Aside.read_ahead`. Raises EngineError."""
        await self._aside.read_ahead(asked)

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        self._aside.forget()
        if self._spans is not None:
            self._spans.forget()
