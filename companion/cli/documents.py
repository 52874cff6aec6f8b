"""The JSON of listings: field names that scripts rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion.cli.output import iso
from companion.records import Memory, Notice, Profile, Recalled, Session

if TYPE_CHECKING:
    from companion.dialog.turn import TurnResult


def memory_document(memory: Memory) -> dict[str, Any]:
    """One row of `memories list --json`."""
    return {
        "id": memory.id,
        "text": memory.text,
        "kind": memory.kind,
        "created": iso(memory.created),
        "event_time": memory.event_time,
        "last_used": iso(memory.last_used),
        "strength": memory.strength,
        "retention": round(memory.retention, 6),
        "pinned": memory.pinned,
        "status": memory.status,
        "sources": [asdict(source) for source in memory.sources],
    }


def profile_document(profile: Profile) -> dict[str, Any]:
    """`profile --json`."""
    personality = profile.personality
    return {
        "name": profile.name,
        "age": profile.age,
        "gender": profile.gender,
        "personality": {
            "summary": personality.summary,
            "myers_briggs": personality.myers_briggs,
            "big_five": asdict(personality.big_five),
            "examples": list(personality.examples),
        },
        "facts": list(profile.facts),
    }


def session_document(session: Session) -> dict[str, Any]:
    """One row of `sessions --json`."""
    return {
        "id": session.id,
        "started": iso(session.started),
        "ended": iso(session.ended),
        "turns": session.turns,
        "consolidated": session.consolidated,
    }


def notice_document(notice: Notice) -> dict[str, Any]:
    """One row of `notices --json`."""
    return {
        "id": notice.id,
        "time": iso(notice.time),
        "topic": notice.topic,
        "session": notice.session,
        "turn": notice.turn,
    }


def recalled_document(recalled: Recalled) -> dict[str, Any]:
    """One item of `recalled` in `chat --json`."""
    return {
        "id": recalled.id,
        "kind": recalled.kind,
        "text": recalled.text,
        "score": round(recalled.score, 6),
    }


def turn_document(result: TurnResult) -> dict[str, Any]:
    """One reply of `chat --json` and `ask --json`."""
    return {
        "text": result.text,
        "session": result.session,
        "turn": result.turn,
        "ttft_ms": round(result.ttft_ms, 1),
        "total_ms": round(result.total_ms, 1),
        "prompt_tokens": result.prompt_tokens,
        "evaluated_tokens": result.evaluated_tokens,
        "cached_tokens": result.cached_tokens,
        "generated_tokens": result.generated_tokens,
        "recalled": [recalled_document(item) for item in result.recalled],
    }
