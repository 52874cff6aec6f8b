"""Coming in and leaving: the PIN, a code that sets it, and the session's cookie."""

from __future__ import annotations

import contextlib
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from companion.errors import CompanionError, InputError
from companion.web.access import Pin, Tried
from companion.web.rendering import render
from companion.web.visit import House, Visit, form_of

_DOORS = {"http": "companion", "https": "__Host-companion"}


def cookie_of(request: Request) -> str | None:
    return request.cookies.get(_DOORS[request.url.scheme])


async def show(house: House, request: Request) -> Response:
    """The form for the PIN; or how to set one, while there is none."""
    pin = await house.access.pin()
    return _page(house, request, pin)


async def enter(house: House, request: Request) -> Response:
    """Try a PIN, and begin a session when it is right."""
    given = (await form_of(request)).get("pin", "")
    who = request.client.host if request.client else ""
    tried = await house.access.tried(given, who)
    pin = await house.access.pin()
    if not tried.right:
        return _page(house, request, pin, tried)
    return await _begin(house, request, pin, "came in")


async def show_new(house: House, request: Request) -> Response:
    """The form for a code of the toy and a new PIN."""
    return _new(house, request, await house.access.pin())


async def set_new(house: House, request: Request) -> Response:
    """Set a PIN with the code that the toy has spoken, and begin a session."""
    form = await form_of(request)
    given = form.get("pin", "")
    try:
        if form.get("again", "") != given:
            raise InputError("the two PINs are not the same")
        await house.access.set_with_code(given, form.get("code", ""))
    except InputError as error:
        return _new(house, request, await house.access.pin(), str(error))
    return await _begin(house, request, await house.access.pin(), "set the pin with a code")


async def _begin(house: House, request: Request, pin: Pin, done: str) -> Response:
    house.sessions.end(cookie_of(request))
    with contextlib.suppress(CompanionError):
        await house.toy.ask("audit_add", what=done, count=1)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        _DOORS[request.url.scheme],
        house.sessions.begin(pin.version),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return response


async def leave(visit: Visit) -> Response:
    """End this session."""
    visit.house.sessions.end(cookie_of(visit.request))
    response = RedirectResponse("/pin", 303)
    response.delete_cookie(_DOORS[visit.request.url.scheme], path="/")
    return response


def _page(house: House, request: Request, pin: Pin, tried: Tried | None = None) -> Response:
    shown: dict[str, Any] = {
        "config": house.config,
        "pin": pin,
        "wrong": tried is not None,
        "wait_s": max(pin.wait_s, tried.wait_s if tried else 0.0),
        "private": request.url.scheme == "https",
    }
    return HTMLResponse(render("pin", **shown), 200 if tried is None else 403)


def _new(house: House, request: Request, pin: Pin, problem: str | None = None) -> Response:
    shown: dict[str, Any] = {
        "config": house.config,
        "pin": pin,
        "problem": problem,
        "wait_s": pin.wait_s,
        "private": request.url.scheme == "https",
    }
    return HTMLResponse(render("new", **shown), 200 if problem is None else 403)
