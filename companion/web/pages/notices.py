"""Notices: that a grave topic came up, and when; never the words."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import Visit


async def show(visit: Visit) -> Response:
    notices = await visit.ask("notices")
    tells = visit.house.config.safety.notice_topics
    return await visit.page("notices", notices=notices, abuse="abuse" in tells)


async def clear(visit: Visit) -> Response:
    await visit.ask("clear_notices")
    return visit.back("The notices are cleared.", "/notices")
