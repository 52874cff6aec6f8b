"""Today: what was learnt, what changed, and health on top."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import Visit


async def show(visit: Visit) -> Response:
    status = await visit.ask("status") if visit.on else None
    return await visit.page("today", today=await visit.ask("today"), status=status)
