"""About to fade: what goes within seven lived days, and what has gone to the archive."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import Visit

DAYS = 7


async def show(visit: Visit) -> Response:
    return await visit.page("fading", fading=await visit.ask("fading", days=DAYS), days=DAYS)
