"""A request: a JSON object, and how its fields are read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError, StoreInRam
from companion.store.database import Store

Request = dict[str, Any]
"""The fields of a request by name; `do` may be among them."""

Read = Callable[[Store, Config, Clock, Request], Awaitable[Any]]
Change = Callable[[Store, Config, Clock, Request], Awaitable[Any]]
"""From a request to a JSON document. Raises InputError for a request that makes no sense or names
nothing that there is, StoreError."""

MOST = 200
"""Rows of a page."""

MOST_CHARACTERS = 1_000
"""Of a search or a name."""

DIGITS = 18
"""Of a number, at most: the database counts no further."""


def whole(
    request: Request, name: str, default: int | None = None, *, most: int = 10**DIGITS
) -> int:
    """A whole number, 0 or more. Raises InputError."""
    value = request.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InputError(f"the request needs {name}: a whole number from 0 to {most:,}")
    return value


def word(request: Request, name: str, default: str | None = None) -> str:
    """A text. Raises InputError when it is missing, too long or no Unicode."""
    value = request.get(name, default)
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS or not _is_unicode(value):
        raise InputError(
            f"the request needs {name}: a text of at most {MOST_CHARACTERS:,} characters"
        )
    return value


def flag(request: Request, name: str, default: bool = False) -> bool:
    """True or false. Raises InputError."""
    value = request.get(name, default)
    if not isinstance(value, bool):
        raise InputError(f"the request needs {name}: true or false")
    return value


def require_kept(store: Store) -> None:
    """Raises StoreInRam where all is in RAM: what was told would be lost."""
    if store.trouble is not None:
        raise StoreInRam(f"{store.trouble}; nothing was changed")


def page(request: Request) -> tuple[int, int]:
    """Offset and limit. Raises InputError."""
    limit = whole(request, "limit", 50, most=MOST)
    return whole(request, "offset", 0), limit


def turn(request: Request, name: str = "turn") -> tuple[str, int]:
    """Session and number of a turn, written S#N; a session's own name may hold the mark too.
    Raises InputError."""
    text = word(request, name)
    session, _, number = text.rpartition("#")
    if not session or not number.isascii() or not number.isdigit() or len(number) > DIGITS:
        raise InputError("that is no turn: write it as 2026-11-21-1#3")
    return session, int(number)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)
