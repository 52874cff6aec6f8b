"""`companion eval qa`: what is still known after days of talk, scored without a judge.

Each user's days are replayed into a store of their own, consolidated after each day with the
clock set to that day; then every question is asked in a new session, through the same dialog
that talks with people. Arms, over the same model: `hybrid`; `no-memories` (`hybrid` over raw turns
alone, with all that was learnt removed but the profile); `paper` and `paper-forgetting`, which is
the paper's system from extraction to prompt; `paper-recall`, its recall in our dialog over our
memories; and `raw`, the model with the most recent window and nothing recalled. Each but `raw` can
also be asked with raw turns expired, as they are after `forgetting.turn_days`.

With a working folder a run goes on after a cut, and arms that consolidate alike share their store.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from companion.assembly.dialog import build_dialog, build_recall
from companion.assembly.missing import Fail
from companion.assembly.models import Models, open_models
from companion.assembly.store import open_store
from companion.clock import Clock, ManualClock
from companion.config import Config
from companion.dialog.turn import TurnResult
from companion.errors import UsageError
from companion.evaluation.answered import answered
from companion.evaluation.arms import PUBLISHED, QaArm, for_qa
from companion.evaluation.lives import read_life_gold
from companion.evaluation.published import published_reply
from companion.evaluation.qa import days
from companion.evaluation.qa.tally import Tally
from companion.evaluation.raw import raw_reply
from companion.evaluation.reduced import open_reduced
from companion.evaluation.sets import Question, Rows, check_users, read_gold, read_sessions
from companion.store.database import Store

Answering = Callable[[str], Awaitable[TurnResult]]


async def run(
    config: Config,
    sessions: Path,
    gold: Sequence[Path],
    *,
    arm: QaArm,
    expired: bool = False,
    work_dir: Path | None,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """Run one arm over a set; the document of `companion eval qa --json`. gold: lines of questions,
    or (`.json`) the gold of written lives.

    Raises InputError for a set that cannot be read, or a folder of a run with other settings;
    UsageError for raw turns that are to be expired where there is nothing else; EngineError for a
    model that fails, whose silence is no wrong answer.
    """
    if arm == "raw" and expired:
        raise UsageError("the arm raw has nothing but raw turns: it cannot be asked without them")
    users = read_sessions(sessions)
    questions = [question for path in gold for question in _questions(path, users)]
    with ExitStack() as stack:
        if work_dir is None:
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        async with open_models(config, Fail()) as engines:
            asking = Asking(for_qa(config, arm), engines, arm, expired, work_dir, on_progress)
            for number, user in enumerate(users, start=1):
                asked = [each for each in questions if each.user == user]
                if asked:
                    on_progress(f"{user} ({number} of {len(users)}): {len(users[user])} sessions")
                    await asking.ask(user, users[user], asked)
        consolidated = days.totals(asking.folders)
    return {"arm": arm, "expired": expired, **asking.tally.as_json(), "consolidation": consolidated}


def _questions(path: Path, users: dict[str, dict[str, Rows]]) -> list[Question]:
    if path.suffix != ".json":
        return read_gold(path, users)
    questions = read_life_gold(path).questions
    check_users(path, questions, users)
    return questions


class Asking:
    """One arm, user by user."""

    def __init__(
        self,
        config: Config,
        engines: Models,
        arm: QaArm,
        expired: bool,
        work_dir: Path,
        on_progress: Callable[[str], None],
    ) -> None:
        self.tally = Tally()
        self.folders: list[Path] = []
        self._config = config
        self._engines = engines
        self._arm = arm
        self._expired = expired
        self._work_dir = work_dir
        self._on_progress = on_progress

    async def ask(self, user: str, sessions: dict[str, Rows], questions: list[Question]) -> None:
        """Live through a user's days, as far as that was not done, and ask on the day after."""
        engines, raw = self._engines, self._arm == "raw"
        # Others than those of ours: in raw's, all days would wait for the first night.
        suffix = f"-{self._arm}" if raw or self._arm in PUBLISHED else ""
        folder = self._work_dir / (days.slug(user) + suffix)
        self.folders.append(folder)
        config = self._config.model_copy(update={"data_dir": folder})
        days.claim_folder(folder, config, engines.inactive.name, sessions)
        clock = ManualClock(days.first_moment(sessions))
        async with open_store(config, clock, mode="owner") as store:
            if raw:
                for name, rows in sessions.items():
                    await days.replay(config, store, clock, name, rows)
            else:
                await days.live(config, engines, store, clock, sessions, folder, self._on_progress)
        clock.advance(timedelta(days=1).total_seconds())
        async with open_reduced(
            config, clock, memories=self._arm != "no-memories", turns=not self._expired
        ) as store:
            answer = self._answering(config, clock, store)
            for question in questions:
                result = await answer(question.words)
                marked = self.tally.add(question, result)
                self._on_progress(f"  {question.id}: {'right' if marked.right else 'wrong'}")

    def _answering(self, config: Config, clock: Clock, store: Store) -> Answering:
        """What answers a question of this arm."""
        model, embedder = self._engines.active, self._engines.embedder
        if self._arm == "raw":
            return partial(raw_reply, config, store, model)
        if self._arm in PUBLISHED:
            recall = build_recall(config.retrieval, clock, store, model, embedder)
            return partial(published_reply, config, store, model, recall)
        return partial(answered, build_dialog(config, clock, store, model, embedder), keep=False)
