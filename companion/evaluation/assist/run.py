"""`companion eval assist FILE...`: what is whispered, of what people told on several days.

What all people told lies in one store, as blocks, with the talk of the written children around it;
or (`alone`) each in a store of its own.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import apsw

from companion.assembly.assist import build_assistant
from companion.assembly.models import open_judging_embedder, open_language_model
from companion.assembly.store import open_store
from companion.assist.answer import notes
from companion.assist.assistant import Assistant
from companion.assist.buffer import pieces
from companion.assist.finding import look_up
from companion.clock import SystemClock
from companion.config import Config
from companion.engines.protocols import ChatMessage, Embedder, LanguageModel, Options, complete
from companion.evaluation.assist.marks import Answered, Kind, document, verdict
from companion.evaluation.assist.people import Answerable, Asked, Person, Unanswerable, read_person
from companion.evaluation.extraction.gold import SHIPPED, read_children
from companion.evaluation.retrieval.labelled_store import embed
from companion.store import blocks, log
from companion.store.database import Store

Arm = Literal["baseline", "query", "queryless", "all"]
ARMS: tuple[Arm, ...] = ("baseline", "query", "queryless", "all")

BASELINE_BLOCKS = 10
"""As published."""

BASELINE = "Answer the question from these notes of earlier days, in one sentence."


async def run(
    config: Config,
    files: Sequence[Path],
    *,
    arm: Arm,
    alone: bool,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """The document of `companion eval assist --json`. `config.assist` says who answers, how many
    blocks are shown and how they are ordered.

    Raises InputError, ModelFileError, EngineError.
    """
    people = [read_person(file) for file in files]
    groups = [[each] for each in people] if alone else [people]
    answered: list[Answered] = []
    async with AsyncExitStack() as stack:
        model = None
        if config.assist.by != "cloze" or arm == "baseline":
            opening = open_language_model(config, config.llm.active)
            model = await stack.enter_async_context(opening)
        embedder = await stack.enter_async_context(open_judging_embedder(config))
        for group in groups:
            async with filled(config, embedder, group, with_children=not alone) as store:
                assistant = build_assistant(config, store, model, embedder)
                for person in group:
                    if arm == "baseline":
                        assert model is not None, "opened above"
                        answered += await _baseline(store, model, embedder, person)
                    else:
                        answered += await _assisted(assistant, person, arm)
                    on_progress(f"{person.person}: {len(answered)} requests so far")
    return document(arm, answered)


async def _assisted(assistant: Assistant, person: Person, arm: Arm) -> list[Answered]:
    found = []
    for kind, wanted in _requests(person):
        if arm not in ("all", kind) and not (arm == "query" and kind == "unanswerable"):
            continue
        query = wanted.query if isinstance(wanted, Asked | Unanswerable) else None
        said = await assistant.assist(query, wanted.context)
        right = wanted if isinstance(wanted, Answerable) else None
        found.append(
            Answered(
                person.person, kind, wanted.context, query, _expected(wanted), said.answer,
                said.inferred_query, said.by, verdict(said.answer, right), round(said.ms, 1),
                said.evaluated_tokens,
            )
        )  # fmt: skip
    return found


async def _baseline(
    store: Store, model: LanguageModel, embedder: Embedder, person: Person
) -> list[Answered]:
    """The whole answer of the model, to the query alone."""
    found = []
    for kind, wanted in _requests(person):
        if not isinstance(wanted, Asked | Unanswerable):
            continue
        began = time.monotonic()
        looked = await look_up(store, embedder, "", wanted.query, BASELINE_BLOCKS)
        shown = sorted(looked.found, key=lambda each: each.time)
        asked = f"Notes:\n{notes(shown)}\nQuestion: {wanted.query}"
        messages = [ChatMessage("system", BASELINE), ChatMessage("user", asked)]
        said, usage = await complete(model, messages, Options(max_tokens=64, stop=("\n",)))
        right = wanted if isinstance(wanted, Answerable) else None
        found.append(
            Answered(
                person.person, kind, "", wanted.query, _expected(wanted), said.strip(), None,
                "model", verdict(said.strip(), right), round((time.monotonic() - began) * 1000, 1),
                usage.evaluated_tokens,
            )
        )  # fmt: skip
    return found


def _requests(person: Person) -> list[tuple[Kind, Answerable | Unanswerable]]:
    found: list[tuple[Kind, Answerable | Unanswerable]] = []
    found += [("query", each) for each in person.query]
    found += [("queryless", each) for each in person.queryless]
    found += [("unanswerable", each) for each in person.unanswerable]
    return found


def _expected(wanted: Answerable | Unanswerable) -> str:
    return wanted.answer if isinstance(wanted, Answerable) else ""


@asynccontextmanager
async def filled(
    config: Config, embedder: Embedder, people: Sequence[Person], *, with_children: bool
) -> AsyncIterator[Store]:
    """A store with what these people told."""
    with TemporaryDirectory(prefix="companion-eval-") as folder:
        plain = config.store.model_copy(update={"encrypt": False, "backups": 0})
        placed = config.model_copy(update={"data_dir": Path(folder), "store": plain})
        async with open_store(placed, SystemClock(), mode="owner") as store:
            await store.write(_tell, people)
            if with_children:
                await store.write(_talk_of_children)
            await embed(store, embedder)
            yield store


def _tell(c: apsw.Connection, people: Sequence[Person]) -> None:
    told = [each for person in people for each in person.memories]
    for each in sorted(told, key=lambda each: each.aware):
        for piece in pieces(each.text, each.aware):
            blocks.add(c, piece.text, piece.time)


def _talk_of_children(c: apsw.Connection) -> None:
    for child in read_children(SHIPPED):
        for session in child.sessions:
            log.import_messages(c, session.id, session.rows)
