"""What a parent changes: keep, forget, erase, bring back. In memory alone nothing can be changed:
what is on the disk would stay."""

from __future__ import annotations

from typing import Any

import apsw

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError, StoreInRam
from companion.parents import memory_document, request
from companion.parents.request import Change, Read, Request, flag, whole, word
from companion.parents.talks import all_notices
from companion.records import Memory
from companion.store import erase, memories, pending_erase
from companion.store.database import Store

EVERYTHING = "forget everything"
"""What has to be typed before everything goes."""


async def keep(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """A memory never fades any more; a faded one comes back."""
    _kept(store)

    def step(c: apsw.Connection) -> Memory:
        memory = _get(c, whole(asked, "id"))
        if memory.status == "archived":
            memories.restore(c, memory.id)
        memories.pin(c, memory.id, True)
        return _get(c, memory.id)

    return memory_document.plain(await store.write(step))


async def restore(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """A memory comes back from the archive."""
    _kept(store)

    def step(c: apsw.Connection) -> Memory:
        memory = _get(c, whole(asked, "id"))
        if memory.status == "archived":  # else another parent has been faster
            memories.restore(c, memory.id)
        return _get(c, memory.id)

    return memory_document.plain(await store.write(step))


async def forget(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """A memory goes for good, at once; the words it came from stay."""
    _kept(store)
    id = whole(asked, "id")
    await erase.erase_memory(store, id)
    return {"forgotten": id}


async def erased(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """A memory, a turn, a session or everything is erased: with `now` for good, else hidden until
    `web.undo_s` is over."""
    _kept(store)
    what = _what(asked)
    if what == {"all": True}:
        if word(asked, "typed", "") != EVERYTHING:
            raise InputError(f'to erase everything, the request needs typed: "{EVERYTHING}"')
        await erase.erase_all(store)
        return {"erased": "everything"}
    if what == {"overheard": True}:
        await erase.erase_blocks(store)
        return {"erased": "all that was overheard"}
    if not flag(asked, "now"):
        id = await store.write(pending_erase.hide, what, config.web.undo_s, clock.wall())
        return {"erasing": id, "due_in_s": config.web.undo_s}
    match what:
        case {"memory": id}:
            await erase.erase_memory(store, id)
        case {"turn": [session, number]}:
            await erase.erase_turn(store, session, number)
        case {"session": session}:
            await erase.erase_session(store, session)
    return {"erased": named(what)}


async def erase_now(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """What is hidden goes for good, without waiting any longer."""
    _kept(store)
    id = whole(asked, "id")
    waiting = {each.id: each.what for each in await store.read(pending_erase.all_pending)}
    await erase.erase_pending(store, [id])
    return {"erased": named(waiting[id])}


async def undo(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """What is hidden comes back."""
    _kept(store)
    id = whole(asked, "id")

    def step(c: apsw.Connection) -> str:
        waiting = {each.id: each.what for each in pending_erase.all_pending(c)}
        pending_erase.undo(c, id)
        return named(waiting[id])

    return {"back": await store.write(step)}


async def clear_notices(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """The notices go for good; returns those that went, as `companion notices --clear` does."""
    _kept(store)
    gone = await all_notices(store, config, clock, asked)
    await erase.erase_notices(store)
    return gone


async def erasing(store: Store, config: Config, clock: Clock, asked: Request) -> Any:
    """What is hidden and can still be brought back."""
    waiting = await store.read(pending_erase.all_pending)
    return {
        "pending": [
            {
                "id": each.id,
                "what": each.what,
                "shown_as": named(each.what),
                "due_in_s": round(each.due_in_s, 1),
            }
            for each in waiting
        ],
        "undo_s": config.web.undo_s,
    }


def named(what: Request) -> str:
    """`memory 12`, `turn S#3`, `session S`."""
    match what:
        case {"memory": id}:
            return f"memory {id}"
        case {"turn": [session, number]}:
            return f"turn {session}#{number}"
        case {"session": session}:
            return f"session {session}"
    return "everything"


def _what(asked: Request) -> pending_erase.What:
    """Exactly one thing. Raises InputError."""
    named = {"memory", "turn", "session", "overheard", "all"} & asked.keys()
    if len(named) != 1:
        raise InputError("the request needs one of memory, turn, session, overheard and all")
    if "memory" in named:
        return {"memory": whole(asked, "memory")}
    if "turn" in named:
        return {"turn": list(request.turn(asked))}
    if "session" in named:
        return {"session": word(asked, "session")}
    if "overheard" in named and flag(asked, "overheard"):
        return {"overheard": True}
    if not flag(asked, "all"):
        raise InputError("the request needs all: true")
    return {"all": True}


def _get(c: apsw.Connection, id: int) -> Memory:
    memory = memories.get(c, id)
    if memory is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    return memory


def _kept(store: Store) -> None:
    """Raises StoreInRam."""
    if store.trouble is not None:
        raise StoreInRam(f"{store.trouble}; nothing was changed")


READS: dict[str, Read] = {"erasing": erasing}

CHANGES: dict[str, Change] = {
    "keep": keep,
    "restore": restore,
    "forget": forget,
    "erase": erased,
    "erase_now": erase_now,
    "undo": undo,
    "clear_notices": clear_notices,
}
TAKE_NOTHING = ("keep", "restore", "clear_notices", "erase_now")
