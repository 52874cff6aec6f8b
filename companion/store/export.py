"""Everything that is held, as one JSON-able document: what a family takes with it.

Left out is only what is computed from the rest: vectors, text indexes, openers, and half-done work
of the consolidation; and the hash of the PIN.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

import apsw

from companion.records import Message, Session
from companion.store import (
    audit,
    blocks,
    corrections,
    history,
    intermediate,
    lived,
    memories,
    notices,
    profile,
    questions,
    skill_state,
    timers,
)


def export(c: apsw.Connection) -> dict[str, Any]:
    """`{format, lived_s, sessions, memories, profile, corrections, questions, notices, audit,
    skills, timers, overheard}`; memories of every status."""
    held = [
        memory
        for status in ("active", "superseded", "archived")
        for memory in memories.list_memories(c, status)
    ]
    return {
        "format": 1,
        "lived_s": lived.now(c),
        "sessions": [_session(c, session) for session in history.sessions(c)],
        "memories": [_document(memory) for memory in sorted(held, key=lambda memory: memory.id)],
        "profile": _profile(c),
        "corrections": [_document(each) for each in corrections.all_corrections(c)],
        "questions": [_document(each) for each in questions.all_questions(c)],
        "audit": [_document(entry) for entry in audit.entries(c)],
        "notices": [_document(notice) for notice in notices.all_notices(c)],
        "skills": [_document(state) for state in skill_state.all_states(c)],
        "timers": [_document(timer) for timer in timers.all_timers(c)],
        "overheard": [_document(block) for block in blocks.all_blocks(c)],
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
    document = _document(message)
    del document["session"]
    return document


def _profile(c: apsw.Connection) -> dict[str, Any]:
    versions = profile.versions(c)
    return {
        "current": asdict(profile.current(c)),
        "core": [_document(version) for version in versions.core],
        "personality": [_document(version) for version in versions.personality],
        "evidence": [_document(each) for each in intermediate.evidence(c)],
    }


def _document(record: Any) -> dict[str, Any]:
    """The fields of a dataclass, and of those in it; times as ISO 8601 text with an offset."""
    return {name: _plain(value) for name, value in asdict(record).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value
