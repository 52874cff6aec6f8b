"""What every request passes before a page sees it, and what every answer bears.

Refused here: other names and origins, devices outside of the home, other methods, forms that are
too long or too slow, and whoever asks too often. None of it asks the toy.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.config import WebSection
from companion.web.names import address, is_near, is_ours

logger = logging.getLogger(__name__)

LONGEST_FORM = 256 * 1024
"""Bytes: a memory of 16,000 characters, every byte of it written as %XX."""

PATIENCE_S = 10.0
"""For a form to arrive."""

ASKS, WITHIN_S = 200, 10.0
"""So many requests in so many seconds are let in from one device."""

MOST_DEVICES = 1024

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = (
    ("content-security-policy", POLICY),
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    # Nothing is told to other sites. `no-referrer` would do as much, but makes browsers send
    # `Origin: null` with our own forms, and then nobody could tell ours from a stranger's.
    ("referrer-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    # One request a connection: whoever holds one open holds nothing else.
    ("connection", "close"),
)


@dataclass(frozen=True)
class Refused(Exception):
    """Why a request is not let in, in words for whoever made it."""

    status: int
    words: str


class Door:
    """Wraps the site."""

    def __init__(self, site: ASGIApp, section: WebSection, now: Callable[[], float]) -> None:
        self._site, self._section = site, section
        self._asked = Asked(now)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("only HTTP is spoken here")
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                ours = {name.encode() for name, _ in HEADERS}
                kept = [(n, v) for n, v in message["headers"] if n.lower() not in ours]
                added = [(name.encode(), value.encode()) for name, value in HEADERS]
                message = {**message, "headers": [*kept, *added]}
            await send(message)

        try:
            self._let_in(scope)
            receive = await _body(scope, receive)
            await self._site(scope, receive, answer)
        except Refused as refused:
            response = PlainTextResponse(f"{refused.words}\n", refused.status)
            await response(scope, receive, answer)
        except Exception as error:
            # A defect of ours: its place, never its words
            where = traceback.extract_tb(error.__traceback__)[-1]
            logger.error(
                "unexpected %s at %s:%s", type(error).__name__, where.filename, where.lineno
            )
            if started:
                raise Broken from None
            words = "Something went wrong on this page; nothing was changed by halves."
            await PlainTextResponse(f"{words}\n", 500)(scope, receive, answer)

    def _let_in(self, scope: Scope) -> None:
        """Raises Refused."""
        headers = Headers(scope=scope)
        server, client = scope.get("server"), scope.get("client")
        here, peer = (address(each[0]) if each else None for each in (server, client))
        if server is None or here is None or peer is None:
            raise Refused(400, "This page is for browsers of your home network.")
        if not self._section.lan and not here.is_loopback:
            raise Refused(403, "This page is open on the toy itself only (web.lan).")
        if not is_near(peer, here):
            raise Refused(403, "This page is open in the home network only.")
        if not self._asked.may(str(peer)):
            raise Refused(429, "Too many requests at once. Please wait ten seconds.")
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._ours(hosts[0], here, int(server[1]), scope["scheme"]):
            raise Refused(
                421,
                "The toy is not known by this name. Use its own name or address, or add the name "
                "to web.hosts.",
            )
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise Refused(405, "This is not something that the page does.")
        if scope["method"] == "POST":
            self._from_here(headers, hosts[0], scope["scheme"])

    def _ours(self, host: str, here: Any, port: int, scheme: str) -> bool:
        return is_ours(host, here, port, scheme, self._section.hosts)

    def _from_here(self, headers: Headers, host: str, scheme: str) -> None:
        """A form has to come from a page of ours. Raises Refused."""
        origins = headers.getlist("origin")
        ours = f"{scheme}://{host}".lower()
        site = headers.get("sec-fetch-site", "same-origin")
        if [each.lower() for each in origins] != [ours] or site != "same-origin":
            raise Refused(403, "This was sent from another page. Please use the forms of this one.")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/x-www-form-urlencoded":
            raise Refused(415, "This is no form of this page.")


class Broken(Exception):
    """An answer that had begun cannot be finished."""


class Asked:
    """How often each device has asked of late."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._since = now()
        self._counts: dict[str, int] = {}

    def may(self, peer: str) -> bool:
        if self._now() - self._since >= WITHIN_S:
            self._since = self._now()
            self._counts.clear()
        if peer not in self._counts and len(self._counts) >= MOST_DEVICES:
            return False
        self._counts[peer] = self._counts.get(peer, 0) + 1
        return self._counts[peer] <= ASKS


async def _body(scope: Scope, receive: Receive) -> Receive:
    """The whole body, read within its bounds, to be received again. Raises Refused."""
    headers = Headers(scope=scope)
    declared = headers.get("content-length", "0")
    if not declared.isdigit() or len(declared) > 12 or int(declared) > LONGEST_FORM:
        raise Refused(413, "That is too long for a form of this page.")
    body = bytearray()

    async def read() -> None:
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(400, "The connection has gone.")
            body.extend(message.get("body", b""))
            more = message.get("more_body", False)
            if len(body) > LONGEST_FORM:
                raise Refused(413, "That is too long for a form of this page.")

    try:
        await asyncio.wait_for(read(), PATIENCE_S)
    except asyncio.TimeoutError:
        raise Refused(408, "That took too long. Please try again.") from None
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": bytes(body), "more_body": False}

    return again
