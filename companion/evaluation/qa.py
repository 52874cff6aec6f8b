"""`companion eval qa`: what is still known after days of talk, scored without a judge.

Each user's days are replayed into a store of their own, consolidated after each day with the
clock set to that day; then every question is asked in a new session, through the same dialog
that talks with people. Arms, over the same model: `hybrid` and `paper` (retrieval modes), and
`raw`, the model with the most recent window and no memory.

With a working folder a run goes on after a cut, and arms share what was consolidated.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, aclosing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion import runtime
from companion.clock import ManualClock
from companion.config import Config
from companion.dialog.turn import Dialog, TurnResult
from companion.evaluation.arms import Arm, for_arm
from companion.evaluation.claim import claim
from companion.evaluation.keywords import is_right
from companion.evaluation.raw import raw_reply
from companion.evaluation.sets import Rows, read_gold, read_sessions
from companion.evaluation.tally import Tally
from companion.store import log
from companion.store.database import Store

FIGURES = "consolidation.jsonl"
"""In each user's folder: what every consolidation did, one line a session."""


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

    Raises InputError for a set that cannot be read, or a folder of a run with other settings.
    """
    users = read_sessions(sessions)
    questions = read_gold(gold, users)
    config = for_arm(config, arm)
    tally = Tally()
    with ExitStack() as stack:
        if work_dir is None:
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        async with runtime.engines(config) as engines:
            for number, user in enumerate(users, start=1):
                asked = [each for each in questions if each.user == user]
                if not asked:
                    continue
                folder = work_dir / _slug(user)
                _claim(folder, config, engines.inactive.name, users[user])
                on_progress(f"{user} ({number} of {len(users)}): {len(users[user])} sessions")
                clock = ManualClock(_first(users[user]))
                user_config = config.model_copy(update={"data_dir": folder})
                async with runtime.store(user_config, clock, mode="owner") as store:
                    await _live(
                        config,
                        engines,
                        store,
                        clock,
                        users[user],
                        folder if arm != "raw" else None,
                        on_progress,
                    )
                    clock.advance(timedelta(days=1).total_seconds())
                    dialog = runtime.dialog(config, clock, store, engines.active, engines.embedder)
                    for question in asked:
                        if arm == "raw":
                            result = await raw_reply(config, store, engines.active, question.words)
                        else:
                            result = await _ask(dialog, question.words)
                        right = is_right(result.text, question.all_of, question.none_of)
                        tally.add(question, result, right)
                        on_progress(f"  {question.id}: {'right' if right else 'wrong'}")
        consolidated = _totals(work_dir)
    return {"arm": arm, **tally.as_json(), "consolidation": consolidated}


async def _live(
    config: Config,
    engines: runtime.Engines,
    store: Store,
    clock: ManualClock,
    sessions: dict[str, Rows],
    folder: Path | None,
    on_progress: Callable[[str], None],
) -> None:
    """The user's days, up to the end of the last: what was lived through already is passed.

    folder: where the figures of each consolidation are noted; None: there is none.
    """
    consolidation = runtime.consolidation(config, clock, store, engines.inactive, engines.embedder)
    for name, rows in sessions.items():
        over = rows[-1][2] + timedelta(seconds=config.consolidation.inactivity_s)
        clock.advance(max(0.0, (over - clock.wall()).total_seconds()))
        await store.write(log.import_messages, name, rows)
        held = await store.read(log.session, name)
        if folder is not None and not (held and held.consolidated):
            report = await consolidation.run()
            with (folder / FIGURES).open("a") as figures:
                figures.write(json.dumps({"session": name, **report.figures()}) + "\n")
            on_progress(
                f"  {name}: {report.turns} turns, {report.added} learnt, "
                f"{report.replaced} changed, {report.dropped} drafts dropped, "
                f"{report.duration_s:.0f} s"
            )


async def _ask(dialog: Dialog, words: str) -> TurnResult:
    stream = dialog.reply(words, keep=False)
    async with aclosing(stream) as sentences:
        async for _ in sentences:
            pass
    return stream.result


def _totals(work_dir: Path) -> dict[str, Any]:
    """The figures of all consolidations in the folder, added up."""
    totals: dict[str, Any] = {}
    for path in sorted(work_dir.glob(f"*/{FIGURES}")):
        for line in path.read_text().splitlines():
            for key, value in json.loads(line).items():
                if isinstance(value, dict):
                    inner = totals.setdefault(key, {})
                    for name, count in value.items():
                        inner[name] = inner.get(name, 0) + count
                elif not isinstance(value, str):
                    totals[key] = totals.get(key, 0) + value
    return totals


def _claim(folder: Path, config: Config, model: str, sessions: dict[str, Rows]) -> None:
    """Note what a store was made from; raises InputError when it was made from something else."""
    talk = [
        [name, *((role, text, str(time)) for role, text, time in rows)]
        for name, rows in sessions.items()
    ]
    settings = {
        "sessions": hashlib.sha256(json.dumps(talk).encode()).hexdigest(),
        "model": model,
        "embedder": config.embedder.model,
        "consolidation": config.consolidation.model_dump(mode="json"),
        "forgetting": config.forgetting.model_dump(mode="json"),
    }
    claim(folder, settings)


def _first(sessions: dict[str, Rows]) -> datetime:
    return next(iter(sessions.values()))[0][2]


def _slug(user: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", user).strip("-") or "user"
