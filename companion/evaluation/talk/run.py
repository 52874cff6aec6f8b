"""`companion eval talk SET.jsonl`: what is answered to single messages, each in a talk of its own.

A line of a set: `{age, before: [[said, reply], ...], said, kind, good}`; `good` says what a good
answer must and must not do. The talk before is stored as a session that was left open, the age is
known as if a parent had told it, and nothing else is: each message begins in an empty store.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
from pydantic import BaseModel, Field

from companion.assembly.dialog import build_dialog
from companion.assembly.missing import Fail
from companion.assembly.models import Models, open_models
from companion.assembly.store import open_store
from companion.clock import Clock, SystemClock
from companion.config import Config
from companion.errors import InputError
from companion.evaluation.answered import answered
from companion.evaluation.sets import read_lines
from companion.evaluation.talk.arms import TalkArm, for_talk
from companion.store import log, profile

EXCHANGE = timedelta(seconds=20)
"""Between two exchanges of the talk before."""


class TalkLine(BaseModel):
    """One message of a set."""

    said: str = Field(min_length=1)
    before: list[tuple[str, str]] = []
    age: int | None = None
    kind: str = ""
    good: str = ""


async def run(
    config: Config, path: Path, *, arm: TalkArm, on_progress: Callable[[str], None]
) -> dict[str, Any]:
    """The document of `companion eval talk --json`.

    Raises InputError, ModelFileError, ContextTooSmall, and EngineError for a model that fails."""
    lines = list(read_lines(path, TalkLine))
    if not lines:
        raise InputError(f"{path}: holds no message")
    config = for_talk(config, arm)
    replies: list[dict[str, Any]] = []
    async with open_models(config, Fail()) as models:
        clock = SystemClock()
        for number, line in enumerate(lines, start=1):
            replies.append(await reply_to(config, models, clock, line))
            on_progress(f"{number} of {len(lines)}: {replies[-1]['by']}")
    return {
        "set": path.name,
        "arm": arm,
        "model": models.active.name,
        "by": dict(Counter(each["by"] for each in replies)),
        "replies": replies,
    }


async def reply_to(config: Config, models: Models, clock: Clock, line: TalkLine) -> dict[str, Any]:
    """One line of a set with what was answered, and by whom. Raises what `run` raises."""
    with tempfile.TemporaryDirectory() as folder:
        store = config.store.model_copy(update={"encrypt": False})
        here = config.model_copy(update={"data_dir": Path(folder), "store": store})
        async with open_store(here, clock, mode="owner") as opened:
            await opened.write(_begin, line, clock)
            dialog = build_dialog(here, clock, opened, models.active, models.embedder)
            await dialog.open()
            result = await answered(dialog, line.said, keep=True)
    return {
        **line.model_dump(mode="json"),
        "reply": result.text,
        "by": result.by,
        "first_ms": round(result.ttft_ms or result.total_ms, 1),
        "evaluated_tokens": result.evaluated_tokens,
    }


def _begin(c: apsw.Connection, line: TalkLine, clock: Clock) -> None:
    now = clock.wall()
    if line.age is not None:
        profile.note(c, "age", str(line.age), None, now)
    if not line.before:
        return
    moment = now - EXCHANGE * len(line.before)
    session = log.start_session(c, moment)
    for said, reply in line.before:
        log.append(c, session, "user", said, moment)
        log.append(c, session, "assistant", reply, moment)
        moment += EXCHANGE
