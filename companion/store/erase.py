"""Physical erase: first the rows, then every byte of them in every file of the data directory.

The rows (`companion.store.erase_rows`) go in one transaction that also notes that bytes remain;
`companion.store.sweep` then takes those, and is finished at the next start when it was cut. What
waits to be erased (`companion.store.pending_erase`) goes here for good, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec

import apsw

from companion.store import ballast, blocks, erase_rows, notices, pending_erase, profile, sweep
from companion.store.database import Store

P = ParamSpec("P")


async def erase_memory(store: Store, id: int) -> None:
    """Erase a memory with those that it superseded. Raises InputError when there is none."""
    await _erase(store, erase_rows.drop_memory, id)


async def erase_turn(store: Store, session: str, number: int) -> None:
    """Erase one turn; one whose words have expired, too, for quotes of them stay.

    Raises InputError when there never was one.
    """
    await _erase(store, erase_rows.drop_turn, session, number)


async def erase_session(store: Store, session: str) -> None:
    """Erase a session with all its turns. Raises InputError when there is none."""
    await _erase(store, erase_rows.drop_session, session)


async def erase_all(store: Store) -> None:
    """Erase everything said, learnt, told or derived. The key, the schema, lived time and the hash
    of the PIN stay."""
    await _erase(store, erase_rows.drop_all)


async def erase_personality(store: Store) -> None:
    """Erase every picture of the personality and what it was drawn from, if there is one."""
    if await store.read(profile.has_personality):
        await _erase(store, erase_rows.drop_personality)


async def erase_blocks(store: Store) -> None:
    """Erase all that was overheard."""
    await _erase(store, blocks.clear)


async def erase_notices(store: Store) -> None:
    """Erase all notices for parents; the turns they are about stay."""
    await _erase(store, notices.clear)


async def erase_pending(store: Store, ids: list[int]) -> None:
    """Let what is hidden go for good. Raises InputError when one is not hidden."""
    await _for_good(store, pending_erase.erase_now, ids)


async def _erase(
    store: Store,
    step: Callable[Concatenate[apsw.Connection, P], None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> None:
    await _for_good(store, pending_erase.amid, lambda c: step(c, *args, **kwargs))


async def _for_good(
    store: Store,
    step: Callable[Concatenate[apsw.Connection, P], None],
    *args: P.args,
    **kwargs: P.kwargs,
) -> None:
    # Even a DELETE needs room on the disk.
    await store.maintain(lambda c: ballast.free(store.directory))
    try:
        await store.write(_drop_and_note, lambda c: step(c, *args, **kwargs))
        await store.maintain(sweep.sweep, store.directory, store.key, store.section.backups)
    finally:
        ballast.fill(store.directory)


def _drop_and_note(c: apsw.Connection, step: Callable[[apsw.Connection], None]) -> None:
    step(c)
    sweep.note(c)
