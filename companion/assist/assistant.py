"""Answers one request: a query, or only a touch. It stores nothing.

The surest way first: what fills the gap where it stands (`cloze`), else the model within a grammar
that lets it say nothing (`answer`). What comes is cut to what is missing and held to what was shown
(`concise`), judged by the guard, and "" where any of these has a doubt.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion import language
from companion.assist import answer, cloze, need
from companion.assist.aside import Aside, Ask
from companion.assist.buffer import tail
from companion.assist.concise import concise, cut, grounded
from companion.assist.finding import Found, find_words, look_up
from companion.config import AssistSection
from companion.dialog.prefix import StoredState
from companion.engines.protocols import Embedder, LanguageModel
from companion.errors import InputError
from companion.safety.sanitize import sanitized
from companion.safety.verdict import Guard
from companion.store.database import Store

By = Literal["cloze", "model"]

MOST_QUERY = 400
"""Characters of a query."""

CLOZE_READS = 10
"""Pieces that rules read; what they read costs no token."""


@dataclass(frozen=True)
class Assisted:
    """What was whispered, or why nothing was."""

    answer: str
    """"" where it is not known."""

    inferred_query: str | None
    """What was looked for where nobody asked; None where somebody did, or nothing was open."""

    by: By
    """`cloze` where no model was asked."""

    sources: tuple[dict[str, object], ...] = ()
    evaluated_tokens: int = 0
    """Of prompts, after the request."""

    ms: float = 0.0

    @property
    def unknown(self) -> bool:
        return self.answer == ""

    @property
    def document(self) -> dict[str, Any]:
        """As `companion assist --json` shows it."""
        return {
            "answer": self.answer,
            "unknown": self.unknown,
            "inferred_query": self.inferred_query,
            "by": self.by,
            "sources": list(self.sources),
            "chars": len(self.answer),
            "evaluated_tokens": self.evaluated_tokens,
            "ms": round(self.ms, 1),
        }


class Assistant:
    """Recall at a touch over one store. One request at a time (`Phases.errand`)."""

    def __init__(
        self,
        model: LanguageModel | None,
        embedder: Embedder,
        store: Store,
        guard: Guard,
        section: AssistSection,
        stored: StoredState | None = None,
    ) -> None:
        """model: the dialog's, whose state is put back after each request; None: rules alone.
        stored: where the read beginning of the prompt is kept; None: nowhere."""
        self._model = model if section.by != "cloze" else None
        self._embedder = embedder
        self._store = store
        self._guard = guard
        self._section = section
        self._foreseen: tuple[str, str] | None = None
        """A context, and the question that was inferred from it ahead."""
        self._aside = None if self._model is None else Aside(self._model, section.aside_mb, stored)

    async def assist(self, query: str | None, context: str = "") -> Assisted:
        """One request. query: None where nobody asked. context: what was said last.

        Raises InputError for a query that cannot be one, EngineError, StoreError. Cancelling stops
        the model within a slice, and its state is put back all the same.
        """
        began = time.monotonic()
        query, context = checked(query, context, self._section.context_chars)
        if await self._stopped(query, context):
            return Assisted("", None, "cloze", ms=_ms(began))
        wanted = need.read(query, context)
        if wanted is None:
            return Assisted("", None, "cloze", ms=_ms(began))
        filled = await self._filled(wanted, context)
        if filled is not None:
            return await self._said(wanted, filled.answer, [filled.source], "cloze", 0, began)
        if self._aside is None:
            return Assisted("", _inferred(wanted), "cloze", ms=_ms(began))
        tokens = 0
        async with self._aside.borrowed() as ask:
            if not wanted.certain:
                question, tokens = await self._infer(ask, context)
                if not question:
                    return Assisted("", None, "model", (), tokens, _ms(began))
                wanted = need.Need(question, wanted.gap, asked=False)
            shown = self._ordered(await self._find(context, wanted.question))
            if not shown or not may_be_told(wanted.question, context, shown):
                return Assisted("", _inferred(wanted), "model", (), tokens, _ms(began))
            prompt = _prompt(shown, context, wanted.question)
            text, more = await ask(prompt, answer.answering(self._section.deadline_s))
        tokens += more
        said, sources = self._held(text, wanted.question, context, shown)
        return await self._said(wanted, said, sources, "model", tokens, began)

    @property
    def ready(self) -> bool:
        """Whether what every request begins with was read."""
        return self._aside is None or self._aside.ready

    async def get_ready(self) -> None:
        """Read what every request begins with. Raises EngineError."""
        if self._aside is not None:
            await self._aside.get_ready()

    async def read_ahead(self, context: str) -> None:
        """Others are saying this: look up what a touch would ask for now, and read it, so that
        little is left to evaluate then. Cancelling stops within a slice; what was read is kept.
        Raises InputError, EngineError, StoreError."""
        _, context = checked(None, context, self._section.context_chars)
        if self._aside is None or not context or await self._stopped(context):
            return
        wanted = need.read(None, context)
        if wanted is not None and await self._filled(wanted, context) is not None:
            return  # no model will be asked
        question = wanted.question if wanted is not None else ""
        if wanted is not None and not wanted.certain:
            async with self._aside.borrowed() as ask:
                question, _ = await self._infer(ask, context)
            self._foreseen = context, question
        shown = self._ordered(await self._find(context, question))
        if shown:
            await self._aside.read_ahead(_prompt(shown, context, question))

    async def _infer(self, ask: Ask, context: str) -> tuple[str, int]:
        """What the model says is missing, "" for nothing, and how many tokens it evaluated."""
        if self._foreseen is not None and self._foreseen[0] == context:
            return self._foreseen[1], 0
        deadline = answer.inferring(self._section.deadline_s)
        text, tokens = await ask(answer.need(sanitized(context)), deadline)
        return (text if text.endswith("?") and text != answer.NOTHING else ""), tokens

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        self._foreseen = None
        if self._aside is not None:
            self._aside.forget()

    async def _find(self, context: str, question: str) -> list[Found]:
        most = self._section.blocks
        return await look_up(self._store, self._embedder, context, question, most)

    async def _filled(self, wanted: need.Need, context: str) -> cloze.Filled | None:
        """What rules read where the gap is filled."""
        gap = wanted.gap
        if gap is None or gap.kind in cloze.LEFT_TO_A_MODEL or self._section.by == "model":
            return None
        words = f"{context} {wanted.question}"
        found = await self._store.read(find_words, words, CLOZE_READS)
        return cloze.fill(gap, context, found)

    def _ordered(self, found: Sequence[Found]) -> list[Found]:
        """As they are shown. found: the best first."""
        if self._section.order == "time":
            return sorted(found, key=lambda each: each.time)
        return list(reversed(found))

    def _held(
        self, text: str, question: str, context: str, shown: Sequence[Found]
    ) -> tuple[str, list[Found]]:
        """What of the model's line may be said, and where it stands."""
        text = text.strip()
        if not text or text.lower().startswith(answer.UNKNOWN) or language.not_knowing.admits(text):
            return "", []
        said = concise(text, context, question, self._section.most_chars)
        fits = bool(said) and language.gaps.of_kind(said, question)
        sources = grounded(said, shown, question, context) if fits else []
        return (said, sources) if sources else ("", [])

    async def _said(
        self,
        wanted: need.Need,
        said: str,
        sources: Sequence[Found],
        by: By,
        tokens: int,
        began: float,
    ) -> Assisted:
        """The result; nothing where the guard would stop the words."""
        said = cut(sanitized(said), self._section.most_chars)
        if said and (await self._guard.judge(said, side="out")).stops:
            said = ""
        named = tuple(each.source for each in sources) if said else ()
        return Assisted(said, _inferred(wanted), by, named, tokens, _ms(began))

    async def _stopped(self, *texts: str | None) -> bool:
        """Whether the guard stops what was asked or just said: then nothing is looked for."""
        for text in texts:
            if text and (await self._guard.judge(text, side="in")).stops:
                return True
        return False


def checked(query: str | None, context: str, characters: int) -> tuple[str | None, str]:
    """Both on one line, the context cut to its last characters. Raises InputError."""
    for text in (query or "", context):
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise InputError("the request holds half characters (lone surrogates): send Unicode")
    if query is not None:
        query = " ".join(query.split())
        if not query:
            raise InputError("the query is empty: ask something, or use --queryless")
        if len(query) > MOST_QUERY:
            raise InputError(
                f"the query has {len(query):,} characters, and at most {MOST_QUERY} are taken: "
                "ask in fewer words"
            )
    return query, tail(context, characters)


def may_be_told(question: str, context: str, shown: Sequence[Found]) -> bool:
    """Whether what was shown can hold the answer at all: it names whom the question names, and
    tells a colour, an age, a number where one is asked for. What it rules out costs no token."""
    told = " ".join(each.text for each in shown)
    named = language.gaps.owners(question)
    if named and named.isdisjoint(language.words.stems(told)):
        return False
    kinds = language.kinds_asked.asked_for(question)
    return all(
        any(language.kinds_asked.tells(kind, each.text, question) for each in shown)
        for kind in kinds
    )


def _prompt(shown: Sequence[Found], context: str, question: str) -> str:
    """What is asked: the pieces in the order in which they are shown, what was just said, and the
    question last."""
    return answer.asked(answer.notes(shown), sanitized(context), sanitized(question))


def _inferred(wanted: need.Need) -> str | None:
    """What was looked for; where rules saw only that a word is missing, the words before it."""
    if wanted.asked:
        return None
    return wanted.question or (f"{wanted.gap.lead} what?" if wanted.gap is not None else None)


def _ms(began: float) -> float:
    return (time.monotonic() - began) * 1000
