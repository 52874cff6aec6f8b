"""Answers one request: a query, or only a touch. It stores nothing.

The surest way first: what fills the gap where it stands (`cloze`), else the model within a grammar
that lets it say nothing (`answer`), and beside it what rules read in the pieces (`reading`). Which
of both is said, if any, `choosing` decides. It is judged by the guard, and "" where any of these
has a doubt.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion import language
from companion.assist import answer, cloze, lists, need
from companion.assist.buffer import tail
from companion.assist.choosing import (
    NOTHING,
    Chosen,
    by_date,
    by_rules,
    denied_later,
    with_model,
)
from companion.assist.concise import cut
from companion.assist.finding import Found, Looked, find_words, look_up
from companion.assist.reading import Candidate, candidates
from companion.assist.spans import likeliest, with_span
from companion.config import AssistSection
from companion.dialog.aside import Aside
from companion.dialog.prefix import StoredState
from companion.engines.protocols import Embedder, LanguageModel, SpanReader
from companion.errors import InputError
from companion.language.types import Gap
from companion.safety.sanitize import sanitized
from companion.safety.verdict import Guard
from companion.store.database import Store

By = Literal["cloze", "model"]

MOST_QUERY = 400
"""Characters of a query."""

CLOZE_READS = 10
"""Pieces in which rules look for the open sentence; what they read costs no token."""

READS = 6
"""Pieces in which rules look for what is of the kind that is asked for."""


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
        spans: SpanReader | None = None,
    ) -> None:
        """model: the dialog's, whose state is put back after each request; None: rules alone.
        stored: where the read beginning of the prompt is kept; None: nowhere. spans: reads beside
        the model; None: nobody does."""
        self._model = model if section.by != "cloze" else None
        self._embedder = embedder
        self._store = store
        self._guard = guard
        self._section = section
        self._spans = spans
        self._foreseen: tuple[str, str] | None = None
        """A context, and the question that was inferred from it ahead."""
        self._aside = None
        if self._model is not None:
            self._aside = Aside(self._model, answer.head(self._model), section.aside_mb, stored)

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
            return await self._said(wanted, filled, 0, began)
        looked, ranked = await self._look(wanted, context)
        shown = self._ordered(looked.found[: self._section.blocks])
        question, most = wanted.question, self._section.most_chars
        if self._aside is None:
            chosen = by_rules(ranked, looked.found, context, question, most)
            return await self._said(wanted, chosen, 0, began)
        if not shown or not may_be_told(question, shown):
            return Assisted("", _inferred(wanted), "model", (), 0, _ms(began))
        prompt = _prompt(shown, context, question)
        async with self._aside.borrowed() as ask:
            text, tokens = await ask(prompt, answer.answering(self._section.deadline_s))
        found = looked.found[: self._section.blocks]
        line, kinds, inferred = known(text), wanted.kinds, not wanted.asked
        chosen = with_model(line, ranked, found, context, question, most, kinds, inferred=inferred)
        if not chosen.answer and self._spans is not None:
            before = context if wanted.asked else ""
            if read := await likeliest(self._spans, f"{before} {question}".strip(), found):
                chosen = with_span(line, read, context, question, most)
        return await self._said(wanted, chosen, tokens, began)

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
        looked = await look_up(
            self._store, self._embedder, context, question, max(self._section.blocks, READS)
        )
        shown = self._ordered(looked.found[: self._section.blocks])
        if shown:
            await self._aside.read_ahead(_prompt(shown, context, question))

    def forget(self) -> None:
        """Something was erased: hold nothing of it."""
        if self._aside is not None:
            self._aside.forget()
        if self._spans is not None:
            self._spans.forget()

    async def _look(self, wanted: need.Need, context: str) -> tuple[Looked, list[Candidate]]:
        """What was found, and what of it may be the answer."""
        most = max(self._section.blocks, READS)
        looked = await look_up(self._store, self._embedder, context, wanted.question, most)
        read = looked.found[:READS]
        pieces = await self._embedder.embed_tokens([each.text for each in read])
        return looked, candidates(replace(looked, found=read), pieces, wanted.kinds, context)

    async def _filled(self, wanted: need.Need, context: str) -> Chosen | None:
        """What rules read where the gap is filled."""
        gap = wanted.gap
        if gap is None or gap.kind in cloze.LEFT_TO_A_MODEL or self._section.by == "model":
            return None
        words = f"{context} {wanted.question}"
        found = await self._store.read(find_words, words, CLOZE_READS)
        if filled := cloze.fill(gap, context, found):
            return Chosen(filled.answer, (filled.source,), by_rules=True)
        return await self._listed(gap, found) if gap.kind == "list" else None

    async def _listed(self, gap: Gap, found: Sequence[Found]) -> Chosen | None:
        """The rest of a list that was told in several pieces."""
        told = lists.told_of(gap, found)
        rest = lists.rest(gap, told)
        if rest is None and told:
            about = " ".join(sorted({each for one in told for each in one.about}))
            again = await self._store.read(find_words, about, CLOZE_READS)
            rest = lists.going_on(gap, told, again)
        said = ", ".join(rest.items) if rest is not None else ""
        if rest is None or len(said) > self._section.most_chars:
            return None
        return Chosen(said, rest.sources, by_rules=True)

    def _ordered(self, found: Sequence[Found]) -> list[Found]:
        """As they are shown. found: the best first."""
        if self._section.order == "time":
            return sorted(found, key=lambda each: each.time)
        return list(reversed(found))

    async def _said(self, wanted: need.Need, chosen: Chosen, tokens: int, began: float) -> Assisted:
        """The result; nothing where a later day denies it, or the guard would stop the words."""
        if chosen.answer:
            again = await self._store.read(find_words, chosen.answer, CLOZE_READS)
            if denied_later(chosen, again):
                chosen = NOTHING
        chosen = by_date(chosen)
        said = cut(sanitized(chosen.answer), self._section.most_chars)
        if said and (await self._guard.judge(said, side="out")).stops:
            said = ""
        named = tuple(each.source for each in chosen.sources) if said else ()
        by: By = "cloze" if self._aside is None or chosen.by_rules else "model"
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


def known(line: str) -> str:
    """The model's line; "" where it says that it does not know."""
    line = line.strip()
    admits = line.lower().startswith(answer.UNKNOWN) or language.not_knowing.admits(line)
    return "" if admits else line


def may_be_told(question: str, shown: Sequence[Found]) -> bool:
    """Whether what was shown can hold the answer at all: it names whom the question names. What it
    rules out costs no token. Whether a surname or a colour is told there the model sees better."""
    told = " ".join(each.text for each in shown)
    named = language.gaps.owners(question)
    return not named or not named.isdisjoint(language.words.stems(told))


def _prompt(shown: Sequence[Found], context: str, question: str) -> str:
    """What is asked: the pieces in the order in which they are shown, what was just said, and the
    question last."""
    return answer.asked(answer.notes(shown), sanitized(context), sanitized(question))


def _inferred(wanted: need.Need) -> str | None:
    """What was looked for where nobody asked."""
    return None if wanted.asked else wanted.question


def _ms(began: float) -> float:
    return (time.monotonic() - began) * 1000
