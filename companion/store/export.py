"""Everything that is held, as one JSON-able document: what a family takes with it.

Left out is only what is computed from the rest: vectors, text indexes, and half-done work of the
consolidation.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import apsw

from companion.records import Memory, Message, Session
from companion.store import history, intermediate, lived, memories, notices, profile


def export(c: apsw.Connection) -> dict[str, Any]:
    """`{format, lived_s, sessions, memories, profile, notices}`; memories of every status."""
    held = [
        memory
        for status in ("active", "superseded", "archived")
        for memory in memories.list_memories(c, status)
    ]
    return {
        "format": 1,
        "lived_s": lived.now(c),
        "sessions": [_session(c, session) for session in history.sessions(c)],
        "memories": [_memory(memory) for memory in sorted(held, key=lambda memory: memory.id)],
        "profile": _profile(c),
        "notices": [asdict(n) | {"time": n.time.isoformat()} for n in notices.all_notices(c)],
    }


def _session(c: apsw.Connection, session: Session) -> dict[str, Any]:
    turns = history.turns(c, session.id)
    said = [message for turn in turns for message in (turn.user, turn.reply) if message is not None]
    return {
        "id": session.id,
        "started": session.started.isoformat(),
        "ended": session.ended.isoformat() if session.ended else None,
        "consolidated": session.consolidated,
        "messages": [_message(message) for message in said],
        "stopped": {str(turn.number): turn.stopped for turn in turns if turn.stopped},
    }


def _message(message: Message) -> dict[str, Any]:
    document = asdict(message) | {"time": message.time.isoformat()}
    del document["session"]
    return document


def _memory(memory: Memory) -> dict[str, Any]:
    return asdict(memory) | {
        "created": memory.created.isoformat(),
        "last_used": memory.last_used.isoformat(),
    }


def _profile(c: apsw.Connection) -> dict[str, Any]:
    versions = profile.versions(c)
    evidence = intermediate.evidence(c)
    return {
        "current": asdict(profile.current(c)),
        "core": [asdict(v) | {"time": v.time.isoformat()} for v in versions.core],
        "personality": [asdict(v) | {"time": v.time.isoformat()} for v in versions.personality],
        "evidence": [asdict(e) | {"time": e.time.isoformat()} for e in evidence],
    }
