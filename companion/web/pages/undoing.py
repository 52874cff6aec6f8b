"""What is being erased: bring it back, or let it go at once."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import Visit


async def undo(visit: Visit) -> Response:
    await visit.ask("undo", id=visit.number("id"))
    return visit.back("Brought back.", "/")


async def erase_now(visit: Visit) -> Response:
    await visit.ask("erase_now", id=visit.number("id"))
    return visit.back("Erased for good, from backups as well.", "/")
