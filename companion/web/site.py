"""The table of pages and forms, and who may ask for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from companion.clock import Clock
from companion.config import Config
from companion.errors import CompanionError, DaemonError, InputError
from companion.web.access import Access
from companion.web.door import Door
from companion.web.pages import (
    entry,
    export,
    fading,
    memories,
    notices,
    settings,
    talks,
    today,
    undoing,
    who,
)
from companion.web.rendering import FILES, render, static
from companion.web.sessions import Sessions
from companion.web.toy import Toy
from companion.web.visit import BadForm, House, NotThere, Visit, form_of

Page: TypeAlias = Callable[[Visit], Awaitable[Response]]
OpenPage: TypeAlias = Callable[[House, Request], Awaitable[Response]]

PAGES: dict[str, Page] = {
    "/": today.show,
    "/memories": memories.show,
    "/memories/{id:int}": memories.show_one,
    "/fading": fading.show,
    "/who": who.show,
    "/talks": talks.show,
    "/talk": talks.show_one,
    "/notices": notices.show,
    "/times": settings.show_times,
    "/toy": settings.show_toy,
    "/toy/export": export.export,
}
"""To look at: these change nothing."""

CHANGES: dict[str, Page] = {
    "/memories/search": memories.search,
    "/memories/keep": memories.keep,
    "/memories/restore": memories.restore,
    "/memories/correct": memories.correct,
    "/memories/erase": memories.erase,
    "/answer": today.answer,
    "/who/correct": who.correct,
    "/who/personality": who.personality,
    "/talks/erase": talks.erase,
    "/talks/erase-turn": talks.erase_turn,
    "/talk/unlock": talks.unlock,
    "/notices/clear": notices.clear,
    "/settings": settings.change,
    "/toy/backup": settings.backup,
    "/toy/listen": settings.listen,
    "/toy/erase-all": settings.erase_all,
    "/undo": undoing.undo,
    "/erase-now": undoing.erase_now,
    "/leave": entry.leave,
}
"""Forms, and the words of a search: sent by POST, each with its session's token."""


def site(config: Config, clock: Clock, toy: Toy) -> ASGIApp:
    """The whole application, behind its door."""
    house = House(
        config,
        clock,
        toy,
        Access(toy, clock.monotonic),
        Sessions(clock.monotonic, config.web.idle_minutes * 60),
    )
    routes = [
        Route("/static/{name}", _file),
        Route("/pin", _open(house, entry.show)),
        Route("/pin", _open(house, entry.enter), methods=["POST"]),
        Route("/pin/new", _open(house, entry.show_new)),
        Route("/pin/new", _open(house, entry.set_new), methods=["POST"]),
        *(Route(path, _inside(house, page)) for path, page in PAGES.items()),
        *(Route(path, _inside(house, page), methods=["POST"]) for path, page in CHANGES.items()),
    ]
    inner = Starlette(routes=routes, exception_handlers={404: _not_there, 405: _not_there})
    inner.router.redirect_slashes = False
    return Door(inner, config.web, clock.monotonic)


def _open(house: House, page: OpenPage) -> Callable[[Request], Awaitable[Response]]:
    """A page for who is not in yet."""

    async def answer(request: Request) -> Response:
        return await _told(house, lambda: page(house, request))

    return answer


def _inside(house: House, page: Page) -> Callable[[Request], Awaitable[Response]]:
    """A page for who has given the PIN, and a form that is theirs."""

    async def visit(request: Request) -> Response:
        cookie = entry.cookie_of(request)
        if house.sessions.find(cookie) is None:
            return RedirectResponse("/pin", 303)
        on = await house.toy.is_on()
        if on:
            house.sessions.end_those_of_another((await house.access.pin()).version)
        session = house.sessions.find(cookie)
        if session is None:
            return RedirectResponse("/pin", 303)
        form = await form_of(request) if request.method == "POST" else {}
        if request.method == "POST" and not session.wrote(form.get("token", "")):
            return _wrong(
                house, 403, "This form is an old one. Go back, load the page again, and try again."
            )
        return await page(Visit(house, request, session, form, on))

    async def answer(request: Request) -> Response:
        return await _told(house, lambda: visit(request))

    return answer


async def _told(house: House, act: Callable[[], Awaitable[Response]]) -> Response:
    """What went wrong, in a line for a person."""
    try:
        return await act()
    except BadForm:
        return _wrong(house, 400, "The page does not know this form. Please start again.")
    except NotThere:
        return _wrong(house, 404, "This is not there, or not any more.")
    except InputError as error:
        why = str(error).partition("; `companion ")[0]  # commands are for a terminal
        return _wrong(house, 409, f"The toy did not do this: {why}.")
    except DaemonError as error:
        return _wrong(house, 503, f"The toy does not answer now: {error}.")
    except CompanionError as error:
        return _wrong(house, 503, f"The toy cannot do this now: {error}.")


def _wrong(house: House, status: int, words: str) -> Response:
    return HTMLResponse(render("wrong", config=house.config, words=words), status)


async def _not_there(request: Request, error: Exception) -> Response:
    return PlainTextResponse("There is no such page.\n", 404)


async def _file(request: Request) -> Response:
    name = str(request.path_params["name"])
    if name not in FILES:
        return PlainTextResponse("There is no such file.\n", 404)
    return Response(static(name), headers={"content-type": FILES[name]})
