"""Today: what was learnt, what changed, and health on top."""

from __future__ import annotations

from starlette.responses import Response

from companion.web.visit import BadForm, Visit


async def show(visit: Visit) -> Response:
    status = await visit.ask("status") if visit.on else None
    return await visit.page("today", today=await visit.ask("today"), status=status)


async def answer(visit: Visit) -> Response:
    """A question: as the child says now, or as the parent has told."""
    accept = visit.field("accept", 5)
    if accept not in ("yes", "no"):
        raise BadForm
    await visit.ask("answer", question=visit.number("id"), accept=accept == "yes")
    said = (
        "The toy goes by your child's words now." if accept == "yes" else "It keeps to your words."
    )
    return visit.back(said, "/")
