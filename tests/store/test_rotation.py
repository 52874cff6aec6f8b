"""A new key: everything under it, nothing under the old one, and no cut that locks a family out."""

from __future__ import annotations

import asyncio
import os
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError
from companion.store import history
from companion.store.backup import all_in
from companion.store.database import Store
from companion.store.key import load
from companion.store.rekey import rotate

from .conftest import files
from .processes import process
from .test_durability import fill

POINTS = ("rotate:new-key", "rotate:copied", "rotate:database")


async def held(directory: Path, clock: ManualClock) -> int:
    store = await Store.open(directory, StoreSection(), clock)
    try:
        assert store.notices == ()
        return len(await store.read(history.turns, "s"))
    finally:
        await store.close()


async def test_everything_opens_with_the_new_key_and_nothing_with_the_old(
    directory: Path, clock: ManualClock
) -> None:
    await fill(directory, clock, encrypt=True)
    old = load(directory, None, database_exists=True)
    (directory / "store.db.corrupt.1").write_bytes(b"under the old key")
    assert rotate(directory, StoreSection()) == directory / "store.key"
    assert load(directory, None, database_exists=True) != old
    assert (directory / "store.key").stat().st_mode & 0o777 == 0o600
    assert (directory / "store.db").stat().st_mode & 0o777 == 0o600
    assert await held(directory, clock) == 12
    (only,) = all_in(directory)
    os.replace(only, directory / "store.db")
    assert await held(directory, clock) == 12
    left = {path.name for path in files(directory)}
    assert not {name for name in left if "next" in name or "rekeyed" in name or "corrupt" in name}
    (directory / "store.key").write_text(old)
    with pytest.raises(StoreError, match="cannot be read with this key"):
        await Store.open(directory, StoreSection(), clock)


def test_a_key_behind_a_link_is_changed_where_it_lies(
    directory: Path, clock: ManualClock, tmp_path: Path
) -> None:
    """The new key used to take the place of the link, and lay beside what it opens."""
    safe = tmp_path / "stick" / "key"
    safe.parent.mkdir()
    directory.mkdir()
    (directory / "store.key").symlink_to(safe)
    asyncio.run(fill(directory, clock, encrypt=True))
    old = safe.read_text()
    assert rotate(directory, StoreSection()) == safe
    assert (directory / "store.key").is_symlink()
    assert safe.read_text() != old
    assert asyncio.run(held(directory, clock)) == 12


@pytest.mark.parametrize("point", POINTS)
async def test_a_rotation_that_is_cut_leaves_one_key_that_fits(
    directory: Path, clock: ManualClock, point: str
) -> None:
    await fill(directory, clock, encrypt=True)
    old = load(directory, None, database_exists=True)
    with process(rotate_and_die, directory) as (child, pipe):
        pipe.send(point)
        child.join()
        assert child.exitcode == -9
    assert await held(directory, clock) == 12
    now = load(directory, None, database_exists=True)
    assert (now != old) == (point == "rotate:database")
    left = {path.name for path in files(directory)}
    assert not {name for name in left if "next" in name or "rekeyed" in name}
    rotate(directory, StoreSection())
    assert await held(directory, clock) == 12


def rotate_and_die(directory: Path, pipe: Connection) -> None:
    os.environ["COMPANION_FAULT"] = f"{pipe.recv()}:kill"
    rotate(directory, StoreSection())


def test_there_must_be_a_key_that_may_be_changed(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="is not encrypted"):
        rotate(directory, StoreSection(encrypt=False))
    (tmp_path / "companion-key").write_text("cd" * 32)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    with pytest.raises(StoreError, match="systemd credential"):
        rotate(directory, StoreSection())


async def test_a_key_that_others_can_read_is_closed_to_them(
    directory: Path, clock: ManualClock
) -> None:
    await fill(directory, clock, encrypt=True)
    (directory / "store.key").chmod(0o644)
    assert await held(directory, clock) == 12
    assert (directory / "store.key").stat().st_mode & 0o777 == 0o600
