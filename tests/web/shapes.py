"""Documents of `companion.parents`, as small as they may be."""

from __future__ import annotations

from typing import Any


def memory(id: int, text: str, **others: Any) -> dict[str, Any]:
    source = {
        "session": "2026-11-23-1",
        "turn": id,
        "quote": text,
        "time": "2026-11-23T16:05:00+01:00",
    }
    return {
        "id": id,
        "text": text,
        "kind": "pet",
        "created": "2026-11-23T16:05:00+01:00",
        "event_time": None,
        "last_used": "2026-11-23T16:05:00+01:00",
        "strength": 1.0,
        "retention": 0.81,
        "pinned": False,
        "status": "active",
        "sources": [source],
        "told_by_parent": False,
        "gone_on": "2026-12-28",
    } | others


def turn(number: int, said: str, reply: str, stopped: str | None = None) -> dict[str, Any]:
    return {
        "turn": number,
        "time": f"2026-11-23T16:{number:02}:00+01:00",
        "said": said,
        "reply": reply,
        "by": None,
        "stopped": stopped,
    }
