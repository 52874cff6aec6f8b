"""A real store in a temporary directory, and time that moves only when told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timezone
from pathlib import Path

import apsw
import pytest

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.store.connection import connect
from companion.store.database import Store
from companion.store.migrations import MIGRATIONS, migrate

START = datetime(2023, 4, 28, 16, 30, tzinfo=timezone.utc)
"""A Friday."""


def files(directory: Path) -> dict[Path, bytes]:
    """Every file below the directory, with its bytes."""
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
async def store(directory: Path, clock: ManualClock) -> AsyncIterator[Store]:
    """Encrypted, as by default."""
    store = await Store.open(directory, StoreSection(), clock)
    yield store
    await store.close()


@pytest.fixture
async def plain(directory: Path, clock: ManualClock) -> AsyncIterator[Store]:
    """Not encrypted: encryption would hide a leak."""
    store = await Store.open(directory, StoreSection(encrypt=False), clock)
    yield store
    await store.close()


@pytest.fixture
def c(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A connection with the current schema, for the plain functions."""
    connection = connect(tmp_path / "plain.db", None)
    migrate(connection, MIGRATIONS)
    yield connection
    connection.close()
