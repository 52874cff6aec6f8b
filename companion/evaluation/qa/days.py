"""Recorded days lived again: each is replayed into a store and consolidated before the next.

The clock stands at the end of each day. In a folder that is kept, what was lived through already is
passed, and a folder that was made from something else is refused.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from companion.assembly.consolidation import build_consolidation
from companion.assembly.models import Models
from companion.clock import ManualClock
from companion.config import Config
from companion.evaluation.claim import claim
from companion.evaluation.qa.counted import CountedModel
from companion.evaluation.sets import Rows
from companion.store import history, log
from companion.store.database import Store

FIGURES = "consolidation.jsonl"
"""In each user's folder: what every consolidation did, one line a session."""


def claim_folder(folder: Path, config: Config, model: str, sessions: dict[str, Rows]) -> None:
    """Note what a store is made from; raises InputError when it was made from something else."""
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


async def live(
    config: Config,
    engines: Models,
    store: Store,
    clock: ManualClock,
    sessions: dict[str, Rows],
    folder: Path,
    on_progress: Callable[[str], None],
) -> None:
    """Replay and consolidate every session; the figures of each go into the folder."""
    model = CountedModel(engines.inactive)
    consolidation = build_consolidation(config, clock, store, model, engines.embedder)
    for name, rows in sessions.items():
        await replay(config, store, clock, name, rows)
        held = await store.read(history.session, name)
        if held and held.consolidated:
            continue
        report = await consolidation.run()
        _note(folder / FIGURES, {"session": name, **report.figures(), "tokens": model.take()})
        on_progress(
            f"  {name}: {report.turns} turns, {report.added} learnt, "
            f"{report.replaced} changed, {report.dropped} drafts dropped, "
            f"{report.duration_s:.0f} s"
        )


async def replay(config: Config, store: Store, clock: ManualClock, name: str, rows: Rows) -> None:
    """One session into the log; the clock moves on to when it was over."""
    over = rows[-1][2] + timedelta(seconds=config.consolidation.inactivity_s)
    clock.advance(max(0.0, (over - clock.wall()).total_seconds()))
    await store.write(log.import_messages, name, rows)


def _note(path: Path, figures: dict[str, Any]) -> None:
    """Add a line; what a cut left of one before gives way to it."""
    with path.open("ab") as file:
        file.truncate(sum(len(line) for line in _whole_lines(path)))
        file.write(json.dumps(figures).encode() + b"\n")


def _whole_lines(path: Path) -> list[bytes]:
    if not path.exists():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def totals(folders: Iterable[Path]) -> dict[str, Any]:
    """The figures of all consolidations in these folders, added up."""
    added: dict[str, Any] = {}
    for folder in folders:
        for line in _whole_lines(folder / FIGURES):
            for key, value in json.loads(line).items():
                if isinstance(value, dict):
                    inner = added.setdefault(key, {})
                    for name, count in value.items():
                        inner[name] = inner.get(name, 0) + count
                elif not isinstance(value, str):
                    added[key] = added.get(key, 0) + value
    return added


def first_moment(sessions: dict[str, Rows]) -> datetime:
    """When the first session began."""
    return next(iter(sessions.values()))[0][2]


def slug(user: str) -> str:
    """A user's name as a folder's. Names in other letters are told apart by their hash."""
    short = re.sub(r"[^A-Za-z0-9]+", "-", user).strip("-") or "user"
    return short if user.isascii() else f"{short}-{hashlib.sha256(user.encode()).hexdigest()[:8]}"
