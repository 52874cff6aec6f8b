"""`companion eval qa`: what is still known after days of talk, scored without a judge.

Each user's days are replayed into a store of their own, consolidated after each day with the
clock set to that day; then every question is asked in a new session, through the same dialog
that talks with people. Arms, over the same model: `hybrid` and `paper` (retrieval modes), and
`raw`, the model with the most recent window and no memory.

With a working folder a run goes on after a cut, and arms share what was consolidated.
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
from companion.assembly.models import open_models
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.evaluation.answered import answered
from companion.evaluation.arms import Arm, for_arm
from companion.evaluation.qa import days
from companion.evaluation.qa.tally import Tally
from companion.evaluation.raw import raw_reply
from companion.evaluation.sets import read_gold, read_sessions


async def run(
    config: Config,
    sessions: Path,
    gold: Path,
    *,
    arm: Arm,
    work_dir: Path | None,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """Run one arm over a set; the document of `companion eval qa --json`.

    Raises InputError for a set that cannot be read, or a folder of a run with other settings;
    EngineError for a model that fails, whose silence is no wrong answer.
    """
    users = read_sessions(sessions)
    questions = read_gold(gold, users)
    config = for_arm(config, arm)
    tally = Tally()
    folders: list[Path] = []
    with ExitStack() as stack:
        if work_dir is None:
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        async with open_models(config, Fail()) as engines:
            for number, user in enumerate(users, start=1):
                asked = [each for each in questions if each.user == user]
                if not asked:
                    continue
                # Not the store of the others: in it, all days would wait for the first night.
                folder = work_dir / (days.slug(user) + ("-raw" if arm == "raw" else ""))
                folders.append(folder)
                days.claim_folder(folder, config, engines.inactive.name, users[user])
                on_progress(f"{user} ({number} of {len(users)}): {len(users[user])} sessions")
                clock = ManualClock(days.first_moment(users[user]))
                user_config = config.model_copy(update={"data_dir": folder})
                async with open_store(user_config, clock, mode="owner") as store:
                    if arm == "raw":
                        for name, rows in users[user].items():
                            await days.replay(config, store, clock, name, rows)
                    else:
                        await days.live(
                            config, engines, store, clock, users[user], folder, on_progress
                        )
                    clock.advance(timedelta(days=1).total_seconds())
                    dialog = build_dialog(config, clock, store, engines.active, engines.embedder)
                    for question in asked:
                        if arm == "raw":
                            result = await raw_reply(config, store, engines.active, question.words)
                        else:
                            result = await answered(dialog, question.words, keep=False)
                        marked = tally.add(question, result)
                        on_progress(f"  {question.id}: {'right' if marked.right else 'wrong'}")
        consolidated = days.totals(folders)
    return {"arm": arm, **tally.as_json(), "consolidation": consolidated}
