"""The JSON of listings where it is not the record itself: field names that scripts rely on."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.dialog.turn import TurnResult

_OF_TURN = (
    *("text", "by", "session", "turn", "ttft_ms", "total_ms", "prompt_tokens"),
    *("evaluated_tokens", "cached_tokens", "generated_tokens"),
)


def turn_document(result: TurnResult) -> dict[str, Any]:
    """One reply of `chat --json` and `ask --json`."""
    return {name: getattr(result, name) for name in _OF_TURN} | {
        "ttft_ms": round(result.ttft_ms, 1),
        "total_ms": round(result.total_ms, 1),
        "recalled": [asdict(item) | {"score": round(item.score, 6)} for item in result.recalled],
    }
