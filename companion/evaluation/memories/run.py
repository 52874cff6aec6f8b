"""`companion eval memories`: a written life, lived again day by day.

Each day's talk is imported into a store of its own and consolidated, with the clock at that day;
forgetting is as it is configured. Then what is kept is compared with the gold facts, and on the day
after the last the gold questions are asked: as things stand, and once more in a copy of the store
whose raw turns have expired, as they do after `forgetting.turn_days`. No other time passes between
the two passes, so that they differ in nothing else.

With a working folder a run goes on after a cut: nights that were slept are kept, questions are
asked again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from companion.assembly.dialog import build_dialog
from companion.assembly.missing import Fail
from companion.assembly.models import Models, open_models
from companion.assembly.store import open_store
from companion.clock import Clock, ManualClock
from companion.config import Config
from companion.evaluation.answered import answered
from companion.evaluation.arms import for_arm
from companion.evaluation.lives import Life, read_life
from companion.evaluation.memories.kept import Kept, compare
from companion.evaluation.qa import days
from companion.evaluation.qa.tally import Tally
from companion.evaluation.reduced import open_reduced
from companion.evaluation.sets import Question
from companion.records import Turn
from companion.store import history, memories, profile
from companion.store.database import Store

OnProgress = Callable[[str], None]


async def run(
    config: Config, sessions: Path, gold: Path, *, work_dir: Path | None, on_progress: OnProgress
) -> dict[str, Any]:
    """The document of `companion eval memories --json`.

    Raises InputError for a life that cannot be read, or a folder of a run with other settings;
    EngineError for a model that fails, whose silence is no wrong answer.
    """
    life = read_life(sessions, gold)
    with ExitStack() as stack:
        if work_dir is None:
            on_progress("no --work-dir: if this run is cut, all of it is lost")
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        async with open_models(config, Fail()) as engines:
            return await measure(config, engines, life, work_dir, on_progress)


async def measure(
    config: Config, engines: Models, life: Life, work_dir: Path, on_progress: OnProgress
) -> dict[str, Any]:
    """The same over loaded engines. Raises InputError, EngineError, StoreError."""
    config = for_arm(config, "paper" if config.retrieval.mode == "paper" else "hybrid")
    folder = work_dir / days.slug(life.user)
    config = config.model_copy(update={"data_dir": folder})
    days.claim_folder(folder, config, engines.inactive.name, life.sessions)
    clock = ManualClock(days.first_moment(life.sessions))
    async with open_store(config, clock, mode="owner") as store:
        slept = [each for each in await store.read(history.sessions) if each.consolidated]
        on_progress(
            f"{life.user}: {len(life.sessions)} sessions" + _from_before(len(slept), folder)
        )
        await days.live(config, engines, store, clock, life.sessions, folder, on_progress)
        document = await _kept(life, store)
        clock.advance(timedelta(days=1).total_seconds())
        asked = await _ask(config, engines, store, clock, life.gold.questions, on_progress)
    async with open_reduced(config, clock, turns=False) as store:
        on_progress("the same questions, with raw turns expired")
        left = len(await _turns(store))
        again = await _ask(config, engines, store, clock, life.gold.questions, on_progress)
    nights = days.totals([folder])
    return {
        "user": life.user,
        **document,
        "questions": asked.as_json(),
        "questions_expired": {**again.as_json(), "turns_left": left},
        "seconds_per_turn": _per_turn(nights),
        "nights": nights,
        "model": engines.inactive.name,
        "embedder": config.embedder.model,
    }


def _from_before(nights: int, folder: Path) -> str:
    return f", {nights} of them consolidated before, in {folder}" if nights else ""


def _per_turn(nights: dict[str, Any]) -> float | None:
    """None where a cut took the figures of every night."""
    turns = nights.get("turns", 0)
    return round(nights["duration_s"] / turns, 2) if turns else None


async def _kept(life: Life, store: Store) -> dict[str, Any]:
    kept = Kept(
        await store.read(memories.list_memories),
        await store.read(profile.current),
        {(turn.session, turn.number): turn for turn in await _turns(store)},
    )
    return {
        **compare(life.gold, kept),
        "superseded": len(await store.read(memories.list_memories, "superseded")),
        "faded": len(await store.read(memories.list_memories, "archived")),
    }


async def _turns(store: Store) -> list[Turn]:
    """The raw turns that are there."""
    sessions = await store.read(history.sessions)
    return [turn for each in sessions for turn in await store.read(history.turns, each.id)]


async def _ask(
    config: Config,
    engines: Models,
    store: Store,
    clock: Clock,
    questions: list[Question],
    on_progress: OnProgress,
) -> Tally:
    """Every question in a session of its own: nothing is stored, no memory grows by its use."""
    dialog = build_dialog(config, clock, store, engines.active, engines.embedder)
    tally = Tally()
    for number, question in enumerate(questions, start=1):
        marked = tally.add(question, await answered(dialog, question.words, keep=False))
        verdict = "right" if marked.right else "wrong"
        on_progress(f"  question {number} of {len(questions)} ({question.type}): {verdict}")
    return tally
