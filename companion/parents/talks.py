"""Talks, as a parent reads them, and the notices.

Of a turn that a guard stopped, a parent sees the time and the topic if it is one of
`safety.notice_topics`, and the words only when asking for them again. A turn of another topic
(abuse) is left out as if it were not there: who reads may be whom the child is afraid of. A worry
may be of any topic; it is shown only where there is a notice of it.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError
from companion.parents.request import Read, Request, flag, page, word
from companion.records import Notice, Session, Turn
from companion.safety.verdict import WORRY
from companion.store import history, notices
from companion.store.database import Store


async def sessions(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """A page of talks, newest first; with `all` every one, oldest first, as `companion sessions`
    lists them."""
    if flag(request, "all"):
        held = await store.read(history.sessions)
        return [_plain(each) for each in held]
    offset, limit = page(request)

    def read(c: apsw.Connection) -> dict[str, Any]:
        held = history.sessions(c)[::-1]
        noted = _noted(c)
        return {
            "total": len(held),
            "sessions": [
                _with_stopped(c, each, config, noted) for each in held[offset : offset + limit]
            ],
        }

    return await store.read(read)


async def transcript(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """What was said in one talk. Raises InputError when there is no such talk."""
    session, unlocked = word(request, "session"), flag(request, "unlocked")

    def read(c: apsw.Connection) -> dict[str, Any]:
        if history.session(c, session) is None:
            raise InputError(f"there is no session {session!r}; `companion sessions` shows them")
        noted = _noted(c)
        shown = [
            each
            for each in history.turns(c, session)
            if each.stopped is None
            or _may_be_seen(each.stopped, (session, each.number), config, noted)
        ]
        return {"id": session, "turns": [_turn(each, unlocked=unlocked) for each in shown]}

    return await store.read(read)


async def all_notices(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """As `companion notices --json`: topics and times, never words."""
    return [_notice(each) for each in await store.read(notices.all_notices)]


def _plain(session: Session) -> dict[str, Any]:
    ended = session.ended.isoformat() if session.ended else None
    return asdict(session) | {"started": session.started.isoformat(), "ended": ended}


def _with_stopped(
    c: apsw.Connection, session: Session, config: Config, noted: set[tuple[str, int]]
) -> dict[str, Any]:
    document = _plain(session)
    del document["consolidated"]
    topics = history.stopped_turns(c, session.id)
    seen = {
        str(number): topic
        for number, topic in topics.items()
        if _may_be_seen(topic, (session.id, number), config, noted)
    }
    document["turns"] = session.turns - len(topics) + len(seen)
    return document | {"stopped": seen}


def _may_be_seen(
    topic: str, turn: tuple[str, int], config: Config, noted: set[tuple[str, int]]
) -> bool:
    """Of a turn that was stopped for this topic."""
    if topic == WORRY:
        return turn in noted
    return topic in config.safety.notice_topics


def _noted(c: apsw.Connection) -> set[tuple[str, int]]:
    return {(each.session, each.turn) for each in notices.all_notices(c)}


def _turn(turn: Turn, *, unlocked: bool) -> dict[str, Any]:
    hidden = turn.stopped is not None and not unlocked
    return {
        "turn": turn.number,
        "time": turn.time.isoformat(),
        "said": None if hidden or turn.user is None else turn.user.text,
        "reply": None if turn.reply is None or hidden else turn.reply.text,
        "by": None,  # the log does not keep who answered
        "stopped": turn.stopped,
    }


def _notice(each: Notice) -> dict[str, Any]:
    return asdict(each) | {"time": each.time.isoformat()}


READS: dict[str, Read] = {
    "sessions": sessions,
    "transcript": transcript,
    "notices": all_notices,
}
