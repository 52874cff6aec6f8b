"""What the page's process says without a daemon."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.config import Config, ServiceSection
from companion.errors import DaemonError
from companion.parents import READS
from companion.web.toy import Daemon

NOBODY = 65534


@contextmanager
def another_user() -> Iterator[None]:
    """Root may read everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_memories_that_it_may_not_read_are_no_fault_but_a_toy_that_is_off() -> None:
    """As under systemd: the folder is another user's."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        home.chmod(0o755)
        data = home / "data"
        data.mkdir(mode=0o000)
        config = Config(data_dir=data, service=ServiceSection(socket=home / "none.sock"))
        toy = Daemon(config, SystemClock())
        with another_user(), pytest.raises(DaemonError) as told:
            asyncio.run(toy.ask(next(iter(READS))))
        assert "still starting" in str(told.value)
        assert name not in str(told.value)
