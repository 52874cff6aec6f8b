"""The inactive phase: from the log of what was said to what is remembered.

Pending work is a query. A step takes one unit, infers outside any transaction, then checks that
the unit is still pending and writes result and mark inside one. So cancelling, a power cut and
a second run share one path: whatever is not committed was not done, and will be.

The steps run in this order, each over all sessions, so that a prompt's fixed beginning stays in the
KV cache from one unit to the next: embed, chunk, summarize, draft, merge, refine, sort, follow,
profile, revise, finish, openers, forget.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import apsw

from companion import faults
from companion.acts.play import Play
from companion.acts.withdrawals import Withdrawals
from companion.clock import Clock
from companion.config import ConsolidationSection, ForgettingSection, SafetySection
from companion.consolidation.chunks import Chunking, Summarizing
from companion.consolidation.embed import EmbeddingBlocks, EmbeddingMemories, EmbeddingTurns
from companion.consolidation.extract import Drafting
from companion.consolidation.finish import Finishing
from companion.consolidation.follow_up import FollowingUp
from companion.consolidation.forget import forget
from companion.consolidation.merge import Merging
from companion.consolidation.openers import WritingOpeners
from companion.consolidation.profile import Profiling, Revising
from companion.consolidation.published import ChunkExtracting, Updating
from companion.consolidation.refine import Refining
from companion.consolidation.report import Effects, Progress, Report
from companion.consolidation.sort import Sorting
from companion.consolidation.structured import Asker
from companion.engines.protocols import Embedder, LanguageModel
from companion.errors import ContextTooSmall, StoreError, StructureError
from companion.safety.pattern_guard import PatternGuard
from companion.safety.unanswered import judge_unanswered
from companion.safety.verdict import Guard
from companion.store import backup, erase, history, log, pending, sweep
from companion.store.database import Store
from companion.store.pending import Unit

R = TypeVar("R")

logger = logging.getLogger(__name__)


class Step(Protocol[R]):
    """One kind of work. `name` also names its fault points: `name:claimed` and so on."""

    name: str

    def pending(self, c: apsw.Connection) -> list[Unit]:
        """The units left to do, in order."""

    async def infer(self, unit: Unit) -> R:
        """Work out the result of one unit. Raises StructureError or ContextTooSmall to park it."""

    def commit(self, c: apsw.Connection, unit: Unit, result: R) -> Effects:
        """Write result and mark, in the caller's transaction."""


class Consolidation:
    """Runs the inactive phase over one store."""

    def __init__(
        self,
        model: LanguageModel,
        embedder: Embedder,
        store: Store,
        clock: Clock,
        *,
        section: ConsolidationSection,
        forgetting: ForgettingSection,
        guard: Guard | None = None,
        play: Play | None = None,
        safety: SafetySection | None = None,
        companion: str = "",
        personality: Callable[[], bool] | None = None,
    ) -> None:
        """personality: whether a picture of it is drawn, as it is set now; None: by the section.
        guard: judges words that have not been judged yet; None: the patterns alone, never no
        guard at all. play: tells what is said in earnest; None: by tables alone.
        companion: the toy's own name, which is never taken for the person's."""
        self._guard = guard or PatternGuard()
        self._safety = safety or SafetySection()
        self._store = store
        self._clock = clock
        self._section = section
        self._forgetting = forgetting
        self._draws = personality or (lambda: section.personality)
        self._asker = Asker(model, section)
        asker, paper = self._asker, section.mode == "paper"
        own = (asker, store, section, companion)
        play = play or Play()
        refining = Updating if paper else Refining
        self._steps: tuple[Step[Any], ...] = (
            EmbeddingTurns(embedder, store),
            EmbeddingMemories(embedder, store),
            EmbeddingBlocks(embedder, store),
            Chunking(model, store, section),
            Summarizing(asker, store),
            ChunkExtracting(*own)
            if paper
            else Drafting(*own, Withdrawals(embedder, companion), play),
            Merging(embedder, store),
            refining(asker, embedder, store, clock, section),
            Sorting(embedder, store),
            *(() if paper else (FollowingUp(embedder, store, play, section.min_confidence),)),
            Profiling(asker, embedder, store, play, self._draws),
            Revising(store, clock),
            Finishing(clock, section.nights),
            WritingOpeners(store, self._guard, clock),
        )

    async def run(self, on_progress: Callable[[Progress], None] | None = None) -> Report:
        """Consolidate everything that is not consolidated yet; an open session counts as over.

        Cancelling stops it at the model's next token; the next run continues with the same unit.
        Raises EngineError, StoreError.
        """
        began = time.monotonic()
        report = self._asker.report = Report()
        await self._store.write(_end_open_session, self._clock)
        await judge_unanswered(self._store, self._guard, self._safety, self._clock)
        if not self._draws():
            with contextlib.suppress(StoreError):  # another reader is open: the next start sweeps
                await erase.erase_personality(self._store)
        for step in self._steps:
            await self._work_through(step, report, on_progress or _ignore)
        report.add(await self._forget())
        await self._sweep()
        (on_progress or _ignore)(Progress("forget", 1, 0))
        await self._back_up()
        report.duration_s = time.monotonic() - began
        return report

    async def _work_through(
        self, step: Step[R], report: Report, on_progress: Callable[[Progress], None]
    ) -> None:
        skipped = await self._store.read(pending.given_up, step.name, self._section.nights)
        done = 0
        while units := [u for u in await self._store.read(step.pending) if u not in skipped]:
            unit = units[0]
            faults.point(f"{step.name}:claimed")
            try:
                result = await step.infer(unit)
            except (StructureError, ContextTooSmall):
                await self._store.write(pending.park, step.name, unit)
                skipped.add(unit)
                report.retries.parked += 1
                report.parked.append(f"{step.name} {unit[0]}#{unit[1]}")
                continue
            faults.point(f"{step.name}:parsed")
            report.add(await self._store.write(_commit, step, unit, result))
            faults.point(f"{step.name}:after-commit")
            skipped.add(unit)
            done += 1
            on_progress(Progress(step.name, done, len(units) - 1))

    async def _forget(self) -> Effects:
        if not (self._forgetting.enabled and self._clock.trusted()):
            return Effects()
        faults.point("forget:claimed")
        effects = await self._store.write(_forget, self._forgetting, self._clock)
        faults.point("forget:after-commit")
        return effects

    async def _sweep(self) -> None:
        """Take the bytes of what has faded or was withdrawn."""
        store = self._store
        if await store.read(sweep.waits):
            with contextlib.suppress(StoreError):  # another reader is open: the next run sweeps
                await store.maintain(sweep.sweep, store.directory, store.key, store.section.backups)

    async def _back_up(self) -> None:
        """Back up the result of the run. If there is no room for a backup, the result still
        counts."""
        store = self._store
        try:
            await store.maintain(backup.nightly, store.directory, store.key, store.section.backups)
        except StoreError as error:
            logger.error("no backup: %s", error)


def _commit(c: apsw.Connection, step: Step[R], unit: Unit, result: R) -> Effects:
    """The second half of a step; does nothing if the unit has been erased meanwhile."""
    if unit not in step.pending(c):
        return Effects()
    effects = step.commit(c, unit, result)
    faults.point(f"{step.name}:before-commit")
    return effects


def _forget(c: apsw.Connection, section: ForgettingSection, clock: Clock) -> Effects:
    effects = forget(c, section, clock.wall().date())
    faults.point("forget:before-commit")
    return effects


def _end_open_session(c: apsw.Connection, clock: Clock) -> None:
    session = history.open_session(c)
    if session is not None:
        log.end_session(c, session.id, clock.wall())


def _ignore(progress: Progress) -> None:
    pass
