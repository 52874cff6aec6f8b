"""One run in this process, without models: how it ends."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path

import apsw
import pytest

from companion import config
from companion.assembly.missing import Missing
from companion.clock import SystemClock
from companion.config import Config
from companion.daemon.daemon import Daemon
from companion.daemon.notify import Notifier
from companion.errors import StoreBusy
from companion.store.lock import Lock

pytestmark = pytest.mark.real  # the library is loaded before the model is missed

NOTHING = """llm: {active: {file: /nowhere/model.gguf}}
embedder: {directory: /nowhere}
stt: {directory: /nowhere}
tts: {directory: /nowhere}
"""


@pytest.fixture
def bare(tmp_path: Path) -> Config:
    """A configuration of which no model is there."""
    file = tmp_path / "config.yaml"
    file.write_text(NOTHING)
    return config.load(file, data_dir=tmp_path / "data")


async def test_an_end_by_a_failure_is_told_from_an_orderly_stop(bare: Config) -> None:
    """Who leaves in the middle of closing must not tell the service manager that all is well."""
    told: list[bool] = []
    bare.data_dir.mkdir()
    lock = Lock(bare.data_dir, "daemon.lock")
    with pytest.raises(StoreBusy):
        await Daemon(bare, SystemClock(), Notifier({}), stopping=told.append).run()
    lock.release()
    assert told == [True]

    daemon = Daemon(bare, SystemClock(), Notifier({}), stopping=told.append)
    running = asyncio.create_task(daemon.run())
    await asyncio.wait_for(daemon.opened(), 60)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert told == [True, False]


async def test_while_it_loads_it_asks_for_more_time(bare: Config) -> None:
    """4.7 GB from a card that reads 20 MB/s are four minutes, and the unit allows five."""
    sent: list[str] = []

    class Heard(Notifier):
        def _send(self, message: str) -> None:
            sent.append(message)

    daemon = Daemon(bare, SystemClock(), Heard({}), stopping=lambda failed: None)
    running = asyncio.create_task(daemon.run())
    await asyncio.wait_for(daemon.opened(), 60)
    await asyncio.sleep(0.1)
    assert sent.index("EXTEND_TIMEOUT_USEC=120000000") < sent.index("READY=1")
    assert sum(line.startswith("EXTEND") for line in sent) == 1
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_status_tells_only_what_is_still_missing(bare: Config) -> None:
    daemon = Daemon(bare, SystemClock(), Notifier({}), stopping=lambda failed: None)
    running = asyncio.create_task(daemon.run())
    await asyncio.wait_for(daemon.opened(), 60)
    plugged = [False]
    daemon.missing.append(Missing("No ears.", "no microphone", lambda: not plugged[0]))
    assert "No ears. no microphone" in (await daemon.status())["missing"]
    plugged[0] = True
    told = (await daemon.status())["missing"]
    assert "No ears. no microphone" not in told
    assert any(line.startswith("I can't think") for line in told)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_status_tells_that_what_is_said_is_not_kept(bare: Config) -> None:
    """On a full disk it talks on; whoever looks must see that the words are in RAM alone."""

    def limit_pages(c: apsw.Connection, *, full: bool) -> None:
        c.execute("VACUUM")
        c.pragma("max_page_count", c.pragma("page_count") if full else 1_000_000)

    async def say(words: str) -> None:
        async with companion.phases.awake() as dialog, aclosing(dialog.reply(words)) as reply:
            async for _ in reply:
                pass

    daemon = Daemon(bare, SystemClock(), Notifier({}), stopping=lambda failed: None)
    running = asyncio.create_task(daemon.run())
    companion = await asyncio.wait_for(daemon.opened(), 60)
    await say("Hello!")
    assert (await daemon.status())["problem"] is None
    await companion.store.maintain(limit_pages, full=True)
    await say("I like the sea and the hills. " * 300)
    assert "memory is full" in (await daemon.status())["problem"]
    await companion.store.maintain(limit_pages, full=False)
    await say("Hello again!")
    assert (await daemon.status())["problem"] is None
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
