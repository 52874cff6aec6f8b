"""One request of a parent who is in, and the ways in which a page answers."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from companion.clock import Clock
from companion.config import Config
from companion.errors import CompanionError
from companion.web.access import Access
from companion.web.rendering import render
from companion.web.sessions import Session, Sessions
from companion.web.toy import Toy

MOST_FIELDS = 20

DONE = {
    "keep": "kept a memory",
    "restore": "brought a memory back from the archive",
    "correct": "put something right",
    "answer": "answered a question",
    "erase": "erased something",
    "erase_now": "erased something for good",
    "undo": "brought something back",
    "clear_notices": "cleared the notices",
    "personality": "changed the picture of the personality",
    "set": "changed a setting",
    "backup": "made a backup",
    "listen": "let it listen or stopped that",
    "export": "saved everything as a file",
}
"""What the audit list says; never of what."""


@dataclass(frozen=True)
class House:
    """What all pages share."""

    config: Config
    clock: Clock
    toy: Toy
    access: Access
    sessions: Sessions


class BadForm(Exception):
    """A form or an address that no page of ours makes."""


class NotThere(Exception):
    """What is asked for is not there, or not any more."""


@dataclass(frozen=True)
class Visit:
    """One request, with who makes it."""

    house: House
    request: Request
    session: Session
    form: Mapping[str, str]
    on: bool
    """Whether anything can be changed now."""

    async def ask(self, do: str, **details: Any) -> Any:
        """A document of the toy. Raises CompanionError."""
        found = await self.house.toy.ask(do, **details)
        if do in DONE:
            await self.note(DONE[do])
        return found

    async def note(self, what: str) -> None:
        """For the audit list, where it can be written."""
        with contextlib.suppress(CompanionError):
            await self.house.toy.ask("audit_add", what=what, count=1)

    async def page(self, template: str, **shown: Any) -> Response:
        """A page, under what was said last and what may still be brought back."""
        said, self.session.said = self.session.said, None
        waiting = await self.ask("erasing")
        text = render(
            template,
            visit=self,
            config=self.house.config,
            now=self.house.clock.wall(),
            token=self.session.token,
            said=said,
            waiting=waiting,
            on=self.on,
            private=self.request.url.scheme == "https",
            **shown,
        )
        return HTMLResponse(text)

    def back(self, said: str, to: str) -> Response:
        """After a change: a page of ours, which says what was done."""
        self.session.said = said
        return RedirectResponse(to, 303)

    def field(self, name: str, longest: int = 16_000) -> str:
        """Of the form. Raises BadForm."""
        text = self.form.get(name)
        if text is None or len(text) > longest:
            raise BadForm
        return text

    def number(self, name: str) -> int:
        """Of the form: the number of a memory, a turn, an erasure. Raises BadForm."""
        return whole(self.field(name, 20))

    def asked(self, name: str, default: str = "") -> str:
        """Of the address. Raises BadForm."""
        text = self.request.query_params.get(name, default)
        if len(text) > 1000:
            raise BadForm
        return text

    @property
    def offset(self) -> int:
        return whole(self.asked("from", "0"))


def whole(text: str) -> int:
    """Raises BadForm."""
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise BadForm
    return int(text)


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form. What is no UTF-8 is shown as it is: as a replacement character.
    Raises BadForm."""
    body = await request.body()
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadForm from None
    return dict(pairs)
