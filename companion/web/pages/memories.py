"""Memories: search them, look at one, keep, correct, erase."""

from __future__ import annotations

from typing import Any

from starlette.responses import RedirectResponse, Response

from companion.errors import InputError
from companion.web.visit import BadForm, NotThere, Visit, whole

PAGE = 50
KINDS = (
    *("profile", "health", "birthday", "person", "pet", "home", "taste", "fear", "habit"),
    *("milestone", "relation", "preference", "plan", "event", "mood", "trivia", "fact"),
)
STATUSES = ("active", "archived", "superseded", "all")


async def show(visit: Visit) -> Response:
    """A page of them, as searched and filtered."""
    query = visit.session.query if visit.asked("found") else ""
    kind, status = visit.asked("kind"), visit.asked("status", "active")
    _require_known(kind, status)
    request: dict[str, Any] = {"status": status, "offset": visit.offset, "limit": PAGE}
    request |= {"query": query} if query else {}
    request |= {"kind": kind} if kind else {}
    found = await visit.ask("memories", **request)
    return await visit.page(
        "memories",
        found=found,
        query=query,
        kind=kind,
        kinds=KINDS,
        status=status,
        offset=visit.offset,
        size=PAGE,
    )


async def search(visit: Visit) -> Response:
    """By words, which stay out of the address: a browser remembers addresses, and whoever holds it
    next must not read there what a parent was looking for."""
    visit.session.query = visit.field("q", 500).strip()
    kind, status = visit.field("kind", 20), visit.field("status", 20)
    _require_known(kind, status)
    found = "found=1&" if visit.session.query else ""
    return RedirectResponse(f"/memories?{found}kind={kind}&status={status}", 303)


async def show_one(visit: Visit) -> Response:
    """One, with its words and its curve."""
    memory = await _memory(visit, whole(str(visit.request.path_params["id"])))
    return await visit.page("memory", memory=memory)


async def keep(visit: Visit) -> Response:
    id = visit.number("id")
    await visit.ask("keep", id=id)
    return visit.back("Kept. It will not fade.", _back(visit, id))


async def restore(visit: Visit) -> Response:
    id = visit.number("id")
    await visit.ask("restore", id=id)
    return visit.back("Brought back from the archive.", _back(visit, id))


async def correct(visit: Visit) -> Response:
    """The parent's words take the place of the toy's."""
    id, text = visit.number("id"), visit.field("text").strip()
    if not text:
        return visit.back("Nothing was changed: the field was empty.", f"/memories/{id}")
    answer = await visit.ask("correct", memory=id, text=text)
    new = int(answer["memory"]["id"])
    return visit.back("Corrected. The toy now remembers it as you told it.", f"/memories/{new}")


async def erase(visit: Visit) -> Response:
    """Hidden at once; for good after a while, unless it is brought back."""
    await visit.ask("erase", memory=visit.number("id"), now=False)
    return visit.back("Erased.", _back(visit, None))


def _require_known(kind: str, status: str) -> None:
    """Raises BadForm."""
    if kind not in ("", *KINDS) or status not in STATUSES:
        raise BadForm


async def _memory(visit: Visit, id: int) -> Any:
    try:
        return await visit.ask("memory", id=id)
    except InputError:
        raise NotThere from None


def _back(visit: Visit, id: int | None) -> str:
    """Where the form stood."""
    where = visit.form.get("back", "")
    if where == "memory" and id is not None:
        return f"/memories/{id}"
    return {"today": "/", "fading": "/fading"}.get(where, "/memories")
