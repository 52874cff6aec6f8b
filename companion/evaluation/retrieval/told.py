"""`companion eval retrieval LIFE.jsonl`: is what was told in a life recalled when it is asked for?

The talk alone, without memories, on the day after the last: a question that some exchange answers
is found when its keywords stand in the block, or in the k best lines. Of questions about things
never told it is counted how many are shown nothing, or that nothing is known.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw

from companion.assembly.models import open_uncached_embedder
from companion.assembly.store import open_store
from companion.clock import Clock, ManualClock
from companion.config import Config
from companion.engines.protocols import Embedder
from companion.evaluation.figures import mean
from companion.evaluation.keywords import is_right
from companion.evaluation.lives import Life, read_life
from companion.evaluation.retrieval.labelled_store import embed
from companion.evaluation.retrieval.run import tokens
from companion.evaluation.sets import Question
from companion.evaluation.stopwatch import Stopwatch
from companion.recall.hybrid import Recall
from companion.recall.notes import NOTHING_FITS
from companion.recall.protocol import Query, RecallResult
from companion.store import log
from companion.store.database import Store

BEST = (2, 4, 8)
"""Lines."""

WIDE = 8_192
"""Tokens: a budget that leaves room for the best lines, however long."""

UNTOLD = "never_told"
NOT_ASKED = ("forget", "trap", "pretend")
"""Kinds of questions whose right answer is not what was said."""


async def run(
    config: Config,
    files: Sequence[Path],
    *,
    on_progress: Callable[[str], None],
    budget: int | None = None,
) -> dict[str, Any]:
    """The document of `companion eval retrieval LIFE.jsonl ... --json`. The gold of `LIFE.jsonl` is
    `LIFE_gold.json`.

    budget: tokens in place of `retrieval.budget_tokens`. Raises InputError.
    """
    lives = [read_life(file, file.with_name(f"{file.stem}_gold.json")) for file in files]
    if budget is not None:
        section = config.retrieval.model_copy(update={"budget_tokens": budget})
        config = config.model_copy(update={"retrieval": section})
    watch = Stopwatch()
    marks = []
    async with open_uncached_embedder(config) as embedder:
        for life in lives:
            on_progress(f"{life.user}: {len(life.sessions)} sessions")
            marks.append(await _measure(config, embedder, life, watch))
    return {
        "arm": "hybrid",
        **_joined(marks),
        "lives": {life.user: _joined([each]) for life, each in zip(lives, marks, strict=True)},
        **watch.figures(),
        "budget": config.retrieval.budget_tokens,
        "embedder": embedder.name,
    }


Marks = dict[str, list[float]]
"""Values by what was measured."""


@asynccontextmanager
async def stored(
    config: Config, embedder: Embedder, life: Life
) -> AsyncIterator[tuple[Store, Clock]]:
    """A life's talk in a store of its own, without memories, on the day after the last."""
    last = max(time for rows in life.sessions.values() for _, _, time in rows)
    clock = ManualClock(last + timedelta(days=1))
    plain = config.store.model_copy(update={"encrypt": False, "backups": 0})
    with TemporaryDirectory(prefix="companion-eval-") as folder:
        placed = config.model_copy(update={"data_dir": Path(folder), "store": plain})
        async with open_store(placed, clock, mode="owner") as store:
            await store.write(_import, life)
            await embed(store, embedder)
            yield store, clock


async def _measure(config: Config, embedder: Embedder, life: Life, watch: Stopwatch) -> Marks:
    marks: Marks = {}

    def mark(what: str, value: float) -> None:
        marks.setdefault(what, []).append(value)

    async with stored(config, embedder, life) as (store, clock):
        wide = config.retrieval.model_copy(update={"budget_tokens": WIDE})
        recall, ranked = (
            Recall(store, embedder, clock, section, tokens) for section in (config.retrieval, wide)
        )
        exchanges = _exchanges(life)
        for question in life.gold.questions:
            told = _answered(question, exchanges)
            if not told and question.type != UNTOLD:
                continue
            with watch.lap():
                found = await recall.recall(Query(question.words))
            nothing = found.block in ("", NOTHING_FITS)
            if not told:
                mark("untold", nothing)
                continue
            mark("refused", nothing)
            mark("tokens", tokens(found.block))
            mark("block", is_right(found.block, question.all_of))
            lines = _best(await ranked.recall(Query(question.words)))
            for k in BEST:
                mark(f"best {k}", is_right("\n".join(lines[:k]), question.all_of))
    return marks


def _joined(marks: Sequence[Marks]) -> dict[str, Any]:
    def share(what: str) -> float:
        return round(mean([value for each in marks for value in each.get(what, ())]), 4)

    def number(what: str) -> int:
        return sum(len(each.get(what, ())) for each in marks)

    return {
        "n": number("block"),
        "block": share("block"),
        "best": {str(k): share(f"best {k}") for k in BEST},
        "mean_tokens": share("tokens"),
        "refused": share("refused"),
        "never_told": {"n": number("untold"), "admitted": share("untold")},
    }


def _best(found: RecallResult) -> list[str]:
    """The lines, best first."""
    return [item.text for item in sorted(found.items, key=lambda item: -item.score)]


def _answered(question: Question, exchanges: Sequence[str]) -> bool:
    """Whether it is after something that an exchange tells."""
    return question.type not in (UNTOLD, *NOT_ASKED) and any(
        is_right(each, question.all_of) for each in exchanges
    )


def _exchanges(life: Life) -> list[str]:
    """Each message of the person, with the companion's line before it in that talk."""
    found = []
    for rows in life.sessions.values():
        before = ""
        for role, text, _ in rows:
            if role == "assistant":
                before = text
            else:
                found.append(f"{before} {text}")
    return found


def _import(c: apsw.Connection, life: Life) -> None:
    for name, rows in life.sessions.items():
        log.import_messages(c, name, rows)
