"""`companion memories`: look at what is remembered, keep it, let it go."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING, TextIO, get_args

from companion import language
from companion.assembly.models import open_embedder
from companion.cli.call import Call, Commands, add_command
from companion.cli.numbers import memory_id, positive
from companion.cli.output import note, one_line, table, when
from companion.errors import InputError, ModelFileError
from companion.parents.memory_document import plain
from companion.records import Memory, MemoryStatus

if TYPE_CHECKING:
    from companion.store.database import Store

STATUSES: tuple[MemoryStatus, ...] = get_args(MemoryStatus)


def register(commands: Commands) -> None:
    memories = commands.add_parser("memories", help="what is remembered: look, keep, forget")
    actions = memories.add_subparsers(title="actions", metavar="ACTION", required=True)

    listing = add_command(actions, "list", run_list, "all of them, newest first")
    listing.add_argument(
        "--status", choices=(*STATUSES, "all"), default="active", help="default: active"
    )
    search = add_command(actions, "search", run_search, "those nearest to some words, best first")
    search.add_argument("query", metavar="Q")
    search.add_argument("--limit", type=positive, default=10, metavar="N", help="default: 10")
    for name, help, run in (
        ("show", "one memory and the turns that it comes from", run_show),
        ("keep", "let it never fade; brings a faded one back", run_keep),
        ("forget", "erase it for good, without asking; the words it came from stay", run_forget),
    ):
        action = add_command(actions, name, run, help, f"{help.capitalize()}.")
        action.add_argument("id", type=int, metavar="ID")
    correct = add_command(
        actions,
        "correct",
        run_correct,
        "put right what it says",
        "Put right what a memory says. No night takes your word back: where the child says "
        "otherwise later, `companion questions` asks you.",
    )
    correct.add_argument("id", type=int, metavar="ID")
    correct.add_argument("text", metavar="TEXT", help="the whole memory, as it should be")


async def run_list(call: Call) -> int:
    from companion.store.memories import list_memories

    chosen = call.arguments.status
    found: list[Memory] = []
    async with call.store("reader") as store:
        for status in STATUSES:
            if chosen in (status, "all"):
                found += await store.read(list_memories, status)
    found.sort(key=lambda memory: memory.id, reverse=True)
    return _show_list(call, found)


async def run_search(call: Call) -> int:
    from companion.recall.search import search_memories

    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(call.store("reader"))
        try:
            embedder = await stack.enter_async_context(open_embedder(call.config))
        except ModelFileError as error:
            note(f"searching by text only: {error}")
            embedder = None
        found = await search_memories(store, call.arguments.query, call.arguments.limit, embedder)
    return _show_list(call, found)


async def run_show(call: Call) -> int:
    async with call.store("reader") as store:
        memory = await _get(store, call.arguments.id)
    return call.show(plain(memory), lambda: _show(memory, call.clock.wall()))


async def run_keep(call: Call) -> int:
    kept = await call.asked("keep", id=memory_id(call.arguments.id))
    return call.show(kept, lambda: print(f"Kept memory {kept['id']}: it will not fade."))


async def run_forget(call: Call) -> int:
    forgot = await call.asked("forget", id=memory_id(call.arguments.id))
    return call.show(forgot, lambda: print(f"Forgot memory {forgot['forgotten']} for good."))


async def run_correct(call: Call) -> int:
    given = call.arguments
    done = await call.asked("correct", memory=memory_id(given.id), text=given.text)
    memory = done["memory"]

    def show() -> None:
        print(f"Memory {memory['id']}, in place of {given.id}: {one_line(memory['text'])}")

    return call.show(done, show)


async def _get(store: Store, id: int) -> Memory:
    """Raises InputError when there is no such memory."""
    from companion.store import memories

    memory = await store.read(memories.get, id)
    if memory is None:
        raise InputError(f"there is no memory {id}; `companion memories list` shows them")
    return memory


def _show_list(call: Call, found: Sequence[Memory]) -> int:
    return call.show(
        [plain(memory) for memory in found],
        lambda: show_memories(found, call.clock.wall()) if found else note("No memories."),
    )


def show_memories(found: Sequence[Memory], now: datetime, *, file: TextIO | None = None) -> None:
    """A table for people."""
    table(
        ("id", "memory", "about", "learnt", "last used", "retention"),
        (
            (
                memory.id,
                _whole(memory),
                memory.event_time,
                when(memory.created, now),
                when(memory.last_used, now),
                _retention(memory),
            )
            for memory in found
        ),
        file=file,
    )


def _whole(memory: Memory) -> str:
    """What it says, and what was said of it since then."""
    later = ((each.said, each.text) for each in memory.later)
    return language.follow_up.with_later(memory.text, later)


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
    for later in memory.later:
        print(f"  later      {later.session}#{later.turn}: {one_line(later.text)}")
