"""`companion memories`: look at what is remembered, keep it, let it go."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING, TextIO, get_args

from companion import runtime
from companion.cli.call import Call, Commands, add_json_option
from companion.cli.documents import memory_document
from companion.cli.numbers import positive
from companion.cli.output import note, one_line, table, when, write_json
from companion.errors import InputError, ModelFileError
from companion.records import Memory, MemoryStatus

if TYPE_CHECKING:
    from companion.store.database import Store

STATUSES: tuple[MemoryStatus, ...] = get_args(MemoryStatus)


def register(commands: Commands) -> None:
    memories = commands.add_parser("memories", help="what is remembered: look, keep, forget")
    actions = memories.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="all of them, newest first")
    listing.add_argument(
        "--status", choices=(*STATUSES, "all"), default="active", help="default: active"
    )
    add_json_option(listing)
    listing.set_defaults(run=run_list)

    search = actions.add_parser("search", help="those nearest to some words, best first")
    search.add_argument("query", metavar="Q")
    search.add_argument("--limit", type=positive, default=10, metavar="N", help="default: 10")
    add_json_option(search)
    search.set_defaults(run=run_search)

    for name, help, run in (
        ("show", "one memory and the turns that it comes from", run_show),
        ("keep", "let it never fade; brings a faded one back", run_keep),
        ("forget", "erase it for good, without asking; the words it came from stay", run_forget),
    ):
        action = actions.add_parser(name, help=help, description=f"{help.capitalize()}.")
        action.add_argument("id", type=int, metavar="ID")
        add_json_option(action)
        action.set_defaults(run=run)


async def run_list(call: Call) -> int:
    from companion.store.memories import list_memories

    chosen = call.arguments.status
    found: list[Memory] = []
    async with call.store("reader") as store:
        for status in STATUSES:
            if chosen in (status, "all"):
                found += await store.read(list_memories, status)
    found.sort(key=lambda memory: memory.id, reverse=True)
    _write_list(call, found)
    return 0


async def run_search(call: Call) -> int:
    from companion.search import search_memories

    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("reader"))
        try:
            embedder = await stack.enter_async_context(runtime.embedder(call.config))
        except ModelFileError as error:
            note(f"searching by text only: {error}")
            embedder = None
        found = await search_memories(store, call.arguments.query, call.arguments.limit, embedder)
    _write_list(call, found)
    return 0


async def run_show(call: Call) -> int:
    async with call.store("reader") as store:
        memory = await _get(store, call.arguments.id)
    if call.arguments.json:
        write_json(memory_document(memory))
    else:
        _show(memory, call.clock.wall())
    return 0


async def run_keep(call: Call) -> int:
    from companion.store import memories

    async with call.store("owner") as store:
        memory = await _get(store, call.arguments.id)
        if memory.status == "archived":
            await store.write(memories.restore, memory.id)
        await store.write(memories.pin, memory.id, True)
        memory = await _get(store, memory.id)
    if call.arguments.json:
        write_json(memory_document(memory))
    else:
        print(f"Kept memory {memory.id}: it will not fade.")
    return 0


async def run_forget(call: Call) -> int:
    from companion.store.erase import erase_memory

    async with call.store("owner") as store:
        memory = await _get(store, call.arguments.id)
        await erase_memory(store, memory.id)
    if call.arguments.json:
        write_json({"forgotten": memory.id})
    else:
        print(f"Forgot memory {memory.id} for good.")
    return 0


async def _get(store: Store, id: int) -> Memory:
    """Raises InputError when there is no such memory."""
    from companion.store import memories

    memory = await store.read(memories.get, id)
    if memory is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    return memory


def _write_list(call: Call, found: Sequence[Memory]) -> None:
    if call.arguments.json:
        write_json([memory_document(memory) for memory in found])
    elif found:
        show_memories(found, call.clock.wall())
    else:
        note("No memories.")


def show_memories(found: Sequence[Memory], now: datetime, *, file: TextIO | None = None) -> None:
    """A table for people."""
    table(
        ("id", "memory", "about", "learnt", "last used", "retention"),
        (
            (
                memory.id,
                memory.text,
                memory.event_time,
                when(memory.created, now),
                when(memory.last_used, now),
                _retention(memory),
            )
            for memory in found
        ),
        file=file,
    )


def _retention(memory: Memory) -> str:
    if memory.status != "active":
        return memory.status
    return "kept" if memory.pinned else f"{memory.retention:.0%}"


def _show(memory: Memory, now: datetime) -> None:
    print(f"{memory.id}: {one_line(memory.text)}")
    print(f"  kind       {memory.kind}")
    if memory.event_time:
        print(f"  about      {memory.event_time}")
    print(f"  learnt     {when(memory.created, now)}")
    print(f"  last used  {when(memory.last_used, now)}, strength {memory.strength:g}")
    print(f"  retention  {_retention(memory)}")
    if memory.superseded_by is not None:
        print(f"  replaced   by memory {memory.superseded_by}")
    for source in memory.sources:
        print(f"  said       {source.session}#{source.turn}: “{one_line(source.quote)}”")
