"""`companion eval extraction`: what is learnt from written sessions with gold facts, and from their
traps. No judge: `companion.evaluation.extraction.gold` says how a memory is known.

Each child's sessions are replayed into a store of its own and consolidated one after the other,
with the clock at that day; then all memories are compared with the gold facts. Forgetting is off:
what is measured is what was understood. With a working folder a run goes on after a cut, and one
whose sessions are all consolidated is only marked again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.assembly.missing import Fail
from companion.assembly.models import Models, open_models
from companion.assembly.store import open_store
from companion.clock import ManualClock
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.extraction.gold import Child, Split, read_children
from companion.evaluation.extraction.marks import Judged, Marks, judge, mark, missed, wrong_dates
from companion.evaluation.qa import days
from companion.evaluation.sets import Rows
from companion.store import memories, profile
from companion.store.database import Store


async def run(
    config: Config,
    folder: Path,
    *,
    split: Split | None,
    names: Sequence[str],
    work_dir: Path | None,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """Run a set, or the children of it that are named; the document of `eval extraction --json`.

    Raises InputError for a set that cannot be read, a child that is not in it, or a working folder
    of a run with other settings.
    """
    children = chosen(read_children(folder), split, names)
    with ExitStack() as stack:
        if work_dir is None:
            work_dir = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        async with open_models(config, Fail()) as engines:
            return await measure(config, engines, children, work_dir, on_progress)


async def measure(
    config: Config,
    engines: Models,
    children: Sequence[Child],
    work_dir: Path,
    on_progress: Callable[[str], None],
) -> dict[str, Any]:
    """The same over loaded engines. Raises InputError, EngineError, StoreError."""
    config = config.model_copy(
        update={
            "store": config.store.model_copy(update={"encrypt": False, "backups": 0}),
            "forgetting": config.forgetting.model_copy(update={"enabled": False}),
        }
    )
    sessions = [session for child in children for session in child.sessions]
    turns = sum(role == "user" for session in sessions for role, _, _ in session.rows)
    names = ", ".join(child.child for child in children)
    on_progress(f"{names}: {len(sessions)} sessions, {turns} turns to read")
    found = {
        child.child: await _child(config, engines, child, work_dir, on_progress)
        for child in children
    }
    return _document(children, found, work_dir, engines.inactive.name, config.embedder.model)


def chosen(children: Sequence[Child], split: Split | None, names: Sequence[str]) -> list[Child]:
    """Those of a split, or with these names. Raises InputError for a name that is not there, and
    when none is left."""
    known = [child.child for child in children]
    for name in names:
        if name not in known:
            raise InputError(f"no child {name!r}; there are {', '.join(known)}")
    left = [
        child
        for child in children
        if (not names or child.child in names) and split in (None, child.split)
    ]
    if not left:
        raise InputError(f"no child of the split {split!r} has such a name")
    return left


async def _child(
    config: Config,
    engines: Models,
    child: Child,
    work_dir: Path,
    on_progress: Callable[[str], None],
) -> tuple[Marks, list[Judged]]:
    """One child's days, and what they left behind."""
    sessions: dict[str, Rows] = {session.id: session.rows for session in child.sessions}
    folder = work_dir / days.slug(child.child)
    days.claim_folder(folder, config, engines.inactive.name, sessions)
    on_progress(f"{child.child}: {len(sessions)} sessions")
    clock = ManualClock(days.first_moment(sessions))
    own = config.model_copy(update={"data_dir": folder})
    async with open_store(own, clock, mode="owner") as store:
        await days.live(config, engines, store, clock, sessions, folder, on_progress)
        judged, marks = await compare(child, store)
    on_progress(
        f"  found {marks.found} of {marks.facts} facts; {marks.right} memories right, "
        f"{marks.wrong} wrong, {marks.trapped.total()} trapped"
    )
    return marks, judged


async def compare(child: Child, store: Store) -> tuple[list[Judged], Marks]:
    """What a store holds of a child against what it should."""
    held = await store.read(memories.list_memories)
    held += await store.read(memories.list_memories, "superseded")
    judged = judge(child, held)
    return judged, mark(child, judged, await store.read(profile.current))


def _document(
    children: Sequence[Child],
    found: dict[str, tuple[Marks, list[Judged]]],
    work_dir: Path,
    model: str,
    embedder: str,
) -> dict[str, Any]:
    splits: dict[str, dict[str, Any]] = {}
    for split in dict.fromkeys(child.split for child in children):
        there = [child for child in children if child.split == split]
        marks = Marks()
        for child in there:
            marks.add(found[child.child][0])
        folders = [work_dir / days.slug(child.child) for child in there]
        splits[split] = {**marks.as_json(), "consolidation": days.totals(folders)}
    return {
        "model": model,
        "embedder": embedder,
        "splits": splits,
        "children": {
            child.child: {
                "split": child.split,
                **found[child.child][0].as_json(),
                "learnt": [_memory(each) for each in found[child.child][1]],
                "missed": missed(child, found[child.child][1]),
                "wrong_dates": wrong_dates(child, found[child.child][1]),
            }
            for child in children
        },
    }


def _memory(judged: Judged) -> dict[str, Any]:
    memory = judged.memory
    return {
        "text": memory.text,
        "event_time": memory.event_time,
        "status": memory.status,
        "verdict": judged.verdict,
        "says": list(judged.says),
        "quotes": [source.quote for source in memory.sources],
    }
