"""Who may open a store, with which key, and of which release."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreBusy, StoreError, StoreNewer
from companion.store import history, log
from companion.store.backup import all_in
from companion.store.database import Store
from companion.store.migrations import MIGRATIONS
from companion.store.opening import open_owner

from .child import add_mood, add_mood_and_die, own
from .conftest import START, files
from .processes import process


async def make(directory: Path, clock: ManualClock, section: StoreSection) -> None:
    """A store with one message."""
    store = await Store.open(directory, section, clock)
    await store.write(log.start_session, START, "s")
    await store.write(log.append, "s", "user", "canary-7731", START)
    await store.close()


async def count(directory: Path, clock: ManualClock, section: StoreSection) -> int:
    store = await Store.open(directory, section, clock)
    turns = await store.read(history.turns, "s")
    await store.close()
    return len(turns)


def test_a_second_owner_is_told_who_the_first_is(directory: Path) -> None:
    with process(own, directory) as (_, first):
        outcome, _, pid = first.recv()
        assert outcome == "owner"
        with process(own, directory) as (_, second):
            outcome, exit_code, message = second.recv()
        assert (outcome, exit_code) == ("StoreBusy", 75)
        assert f"process {pid})" in message


def test_of_owners_that_race_exactly_one_wins(directory: Path) -> None:
    for _ in range(5):
        with process(own, directory) as (_, a), process(own, directory) as (_, b):
            assert sorted([a.recv()[0], b.recv()[0]]) == ["StoreBusy", "owner"]


async def test_the_lock_of_a_killed_owner_is_no_obstacle(
    directory: Path, clock: ManualClock
) -> None:
    with process(own, directory) as (child, pipe):
        pipe.recv()
        with pytest.raises(StoreBusy):
            await Store.open(directory, StoreSection(), clock)
        child.kill()
        child.join()
        store = await Store.open(directory, StoreSection(), clock)
        await store.close()


async def test_nobody_else_can_read_the_files_and_nothing_in_them_is_plain(
    directory: Path, clock: ManualClock
) -> None:
    store = await Store.open(directory, StoreSection(), clock)
    await store.write(log.start_session, START, "s")
    await store.write(log.append, "s", "user", "canary-7731", START)
    held = files(directory)
    assert {path.name for path in held} >= {"store.db", "store.db-wal", "store.key"}
    for path, content in held.items():
        assert path.stat().st_mode & 0o077 == 0, path
        assert b"canary-7731" not in content, path
    assert os.stat(directory).st_mode & 0o777 == 0o700
    await store.close()


async def test_the_wrong_key_is_named_and_changes_nothing(
    directory: Path, clock: ManualClock
) -> None:
    await make(directory, clock, StoreSection())
    key = (directory / "store.key").read_text()
    (directory / "store.key").write_text("ab" * 32)
    held = (directory / "store.db").read_bytes()
    with pytest.raises(StoreError, match="cannot be read with this key") as caught:
        await Store.open(directory, StoreSection(), clock)
    assert "\n" not in str(caught.value)
    assert (directory / "store.db").read_bytes() == held
    with pytest.raises(StoreError, match="cannot be read with this key"):
        await Store.open(directory, StoreSection(), clock, mode="reader")
    (directory / "store.key").write_text(key)
    assert await count(directory, clock, StoreSection()) == 1


async def test_a_missing_key_is_named_and_no_new_one_is_made(
    directory: Path, clock: ManualClock
) -> None:
    await make(directory, clock, StoreSection())
    (directory / "store.key").unlink()
    with pytest.raises(StoreError, match=r"store\.key: the key is missing"):
        await Store.open(directory, StoreSection(), clock)
    assert not (directory / "store.key").exists()


async def test_what_is_no_key_is_refused_without_being_shown(
    directory: Path, clock: ManualClock
) -> None:
    os.mkdir(directory)
    (directory / "store.key").write_text("hunter2")
    with pytest.raises(StoreError, match="64 hexadecimal digits") as caught:
        await Store.open(directory, StoreSection(), clock)
    assert "hunter2" not in str(caught.value)


async def test_a_key_file_of_ones_own_is_made_and_used(
    tmp_path: Path, directory: Path, clock: ManualClock
) -> None:
    section = StoreSection(key_file=tmp_path / "elsewhere.key")
    await make(directory, clock, section)
    assert not (directory / "store.key").exists()
    assert (tmp_path / "elsewhere.key").stat().st_mode & 0o777 == 0o600
    assert await count(directory, clock, section) == 1


async def test_the_systemd_credential_comes_before_the_file(
    tmp_path: Path, directory: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "companion-key").write_text("cd" * 32 + "\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    await make(directory, clock, StoreSection())
    assert not (directory / "store.key").exists()
    assert await count(directory, clock, StoreSection()) == 1


async def test_a_credential_that_cannot_be_reached_is_not_replaced(
    tmp_path: Path, directory: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen under a systemd that could not hand its directory over to the service's user."""
    (tmp_path / "companion-key").symlink_to("companion-key")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    with pytest.raises(StoreError, match="companion-key: the key cannot be read"):
        await Store.open(directory, StoreSection(), clock)
    assert not (directory / "store.key").exists()


@pytest.mark.parametrize(("made", "opened"), [(True, False), (False, True)])
async def test_encryption_is_not_switched_by_a_word_in_the_configuration(
    directory: Path, clock: ManualClock, made: bool, opened: bool
) -> None:
    await make(directory, clock, StoreSection(encrypt=made))
    with pytest.raises(StoreError, match=r"set store\.encrypt: (true|false)"):
        await Store.open(directory, StoreSection(encrypt=opened), clock)
    assert await count(directory, clock, StoreSection(encrypt=made)) == 1


def m002_mood(c: apsw.Connection) -> None:
    add_mood(c)


async def test_a_newer_schema_is_refused_untouched(directory: Path, clock: ManualClock) -> None:
    await make(directory, clock, StoreSection())
    open_owner(directory, StoreSection(), (*MIGRATIONS, m002_mood)).close()
    held = (directory / "store.db").read_bytes()
    for mode in ("owner", "reader"):
        with pytest.raises(StoreNewer, match="'m002_mood'"):
            await Store.open(directory, StoreSection(), clock, mode=mode)
    assert (directory / "store.db").read_bytes() == held


async def test_an_older_schema_is_backed_up_and_migrated(
    directory: Path, clock: ManualClock
) -> None:
    await make(directory, clock, StoreSection())
    assert all_in(directory) == []
    opened = open_owner(directory, StoreSection(), (*MIGRATIONS, m002_mood))
    assert opened.connection.execute("SELECT mood FROM sessions").get == "curious"
    opened.close()
    (before,) = all_in(directory)
    os.replace(before, directory / "store.db")
    assert await count(directory, clock, StoreSection()) == 1


async def test_a_kill_within_a_migration_leaves_the_schema_before_it(
    directory: Path, clock: ManualClock
) -> None:
    await make(directory, clock, StoreSection())
    with process(add_mood_and_die, directory) as (child, _):
        child.join()
        assert child.exitcode == -9
    assert await count(directory, clock, StoreSection()) == 1
    opened = open_owner(directory, StoreSection(), (*MIGRATIONS, m002_mood))
    assert opened.connection.execute("SELECT mood FROM sessions").get == "curious"
    opened.close()


async def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path, clock: ManualClock) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be made"):
        await Store.open(tmp_path / "file" / "data", StoreSection(), clock)


async def test_a_key_that_others_could_read_is_closed_to_them(
    directory: Path, clock: ManualClock
) -> None:
    await make(directory, clock, StoreSection())
    key = directory / "store.key"
    key.chmod(0o644)
    assert await count(directory, clock, StoreSection()) == 1
    assert key.stat().st_mode & 0o777 == 0o600
