"""Talks: what was said, as words. No sound was ever kept."""

from __future__ import annotations

from urllib.parse import quote

from starlette.responses import Response

from companion.errors import InputError
from companion.web.visit import NotThere, Visit

PAGE = 50


async def show(visit: Visit) -> Response:
    found = await visit.ask("sessions", offset=visit.offset, limit=PAGE)
    return await visit.page("talks", found=found, offset=visit.offset, size=PAGE)


async def show_one(visit: Visit) -> Response:
    """The transcript. Words of turns that a guard stopped only after the PIN was given again."""
    unlocked = visit.house.sessions.unlocked(visit.session)
    try:
        talk = await visit.ask("transcript", session=visit.asked("id"), unlocked=unlocked)
    except InputError:
        raise NotThere from None
    return await visit.page("talk", talk=talk, unlocked=unlocked)


async def unlock(visit: Visit) -> Response:
    """The PIN again."""
    session, client = visit.field("session", 1000), visit.request.client
    tried = await visit.house.access.tried(visit.field("pin", 100), client.host if client else "")
    if tried.right:
        visit.house.sessions.unlock(visit.session)
        await visit.note("read stopped words")
        said = "The stopped words are shown for five minutes."
    else:
        said = "That was not the PIN." if not tried.wait_s else "That was not the PIN. Please wait."
    return visit.back(said, _talk(session))


async def erase(visit: Visit) -> Response:
    await visit.ask("erase", session=visit.field("session", 1000), now=False)
    return visit.back("Erased the talk, and what was learnt from it alone.", "/talks")


async def erase_turn(visit: Visit) -> Response:
    session = visit.field("session", 1000)
    await visit.ask("erase", turn=f"{session}#{visit.number('turn')}", now=False)
    return visit.back("Erased the message, and what was learnt from it alone.", _talk(session))


def _talk(session: str) -> str:
    return f"/talk?id={quote(session, safe='', errors='replace')}"
