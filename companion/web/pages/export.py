"""Everything that is kept, as one JSON document to save."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection
from typing import Any

from starlette.responses import Response, StreamingResponse

from companion.web.visit import Visit

PIECE = 1 << 16
"""Characters that are sent at once."""


async def export(visit: Visit) -> Response:
    """A file. Of turns that a guard stopped it holds what the talks show: nothing of a topic that
    is no notice, and the words only after the PIN was given again."""
    house = visit.house
    document = await visit.ask("export")
    for session in document["sessions"]:
        _leave_out(
            session,
            house.config.safety.notice_topics,
            unlocked=house.sessions.unlocked(visit.session),
        )
    name = f"companion-{house.clock.wall():%Y-%m-%d}.json"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_written(document), media_type="application/json", headers=headers)


def _leave_out(session: dict[str, Any], shown: Collection[str], *, unlocked: bool) -> None:
    """Take the stopped turns out that may not be read here. A worry may be of any topic."""
    stopped: dict[str, str] = session.get("stopped", {})
    readable = {turn for turn, topic in stopped.items() if unlocked and topic in shown}
    session["messages"] = [
        each
        for each in session["messages"]
        if str(each["turn"]) not in stopped or str(each["turn"]) in readable
    ]
    session["stopped"] = {turn: topic for turn, topic in stopped.items() if topic in shown}


async def _written(document: Any) -> AsyncIterator[str]:
    pieces: list[str] = []
    length = 0
    for piece in json.JSONEncoder(indent=2).iterencode(document):
        pieces.append(piece)
        length += len(piece)
        if length >= PIECE:
            yield "".join(pieces)
            pieces, length = [], 0
    yield "".join(pieces)
