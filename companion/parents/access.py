"""Who comes in: the PIN, tries of it, and the list of what was done.

These touch nothing that the dialog holds, so they take no floor: whoever stands at the door must
not be able to interrupt the toy.
"""

from __future__ import annotations

import asyncio
from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError
from companion.parents.request import Change, Read, Request, require_kept, whole, word
from companion.store import access, audit
from companion.store.database import Store

NOT_THE_CODE = {
    "wrong": "that is not the code",
    "none": "there is no code now: it was used, or is too old; let the toy speak another",
    "wait": "there were too many wrong tries; wait, and let the toy speak another code",
}


async def pin_state(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Whether there is a PIN, which one (`version`), and when it can be tried again."""
    return await _state(store)


async def pin_set(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Set the PIN: at the device, or with the code that the toy has spoken."""
    require_kept(store)
    plain = access.checked(word(request, "pin"))
    if request.get("code") is not None:
        await _use(store, clock, word(request, "code"))
    salt, hash = await asyncio.to_thread(access.salted, plain)

    def put(c: apsw.Connection) -> None:
        access.put(c, salt, hash)
        audit.add(c, "set the pin", 1, clock.wall())

    await store.write(put)
    return await _state(store)


async def _use(store: Store, clock: Clock, code: str) -> None:
    """Raises InputError where it is not the code."""
    try:
        plain = access.digits(code)
    except InputError:
        plain = ""  # counted as any wrong one
    found = await store.write(access.try_code, plain, clock.wall())
    if found != "right":
        raise InputError(NOT_THE_CODE[found])


async def pin_try(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Whether it is right; while it has to wait, it is not looked at."""
    try:
        plain = access.digits(word(request, "pin"))
    except InputError:
        plain = ""  # counted as any wrong one
    trying = await store.write(access.begin_try)
    ok = False
    if trying is not None:
        right = await asyncio.to_thread(access.right, trying, plain)
        ok = await store.write(access.end_try, trying, right, clock.wall())
    return {"ok": ok, **await _state(store)}


async def audit_list(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """What was done, newest first."""
    found = await store.read(audit.entries)
    return [
        {"time": each.time.isoformat(), "what": each.what, "count": each.count} for each in found
    ]


async def audit_add(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Note what was done; never its content."""
    count = whole(request, "count", 1)
    await store.write(audit.add, word(request, "what"), count, clock.wall())
    return None


async def _state(store: Store) -> dict[str, Any]:
    # A write lets lived time move on first.
    look = store.write if store.mode == "owner" else store.read
    found = await look(access.state)
    return {"set": found.set, "wait_s": round(found.wait_s, 1), "version": found.version}


READS: dict[str, Read] = {"pin_state": pin_state, "audit": audit_list}
ACCESS: dict[str, Change] = {
    "pin_set": pin_set,
    "pin_try": pin_try,
    "audit_add": audit_add,
}
