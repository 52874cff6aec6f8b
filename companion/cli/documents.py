"""The JSON of listings where it is not the record itself: field names that scripts rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from companion.records import Memory

if TYPE_CHECKING:
    from companion.dialog.turn import TurnResult

_OF_MEMORY = (
    *("id", "text", "kind", "created", "event_time", "last_used"),
    *("strength", "retention", "pinned", "status", "sources"),
)
_OF_TURN = (
    *("text", "session", "turn", "ttft_ms", "total_ms", "prompt_tokens"),
    *("evaluated_tokens", "cached_tokens", "generated_tokens"),
)


def memory_document(memory: Memory) -> dict[str, Any]:
    """One row of `memories list --json`."""
    facts = asdict(memory)
    return {name: facts[name] for name in _OF_MEMORY} | {"retention": round(memory.retention, 6)}


def turn_document(result: TurnResult) -> dict[str, Any]:
    """One reply of `chat --json` and `ask --json`."""
    return {name: getattr(result, name) for name in _OF_TURN} | {
        "ttft_ms": round(result.ttft_ms, 1),
        "total_ms": round(result.total_ms, 1),
        "recalled": [asdict(item) | {"score": round(item.score, 6)} for item in result.recalled],
    }
