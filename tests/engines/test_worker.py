"""One thread owns one engine: what happens when its callers are cancelled or it is closed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from companion.engines.cancel import CancelFlag
from companion.engines.worker import Worker
from companion.errors import EngineError


@pytest_asyncio.fixture
async def worker() -> AsyncIterator[Worker]:
    worker = Worker("test worker")
    yield worker
    await worker.close()


async def test_work_runs_on_the_same_other_thread(worker: Worker) -> None:
    names = [await worker.run(lambda: threading.current_thread().name) for _ in range(3)]
    assert len(set(names)) == 1
    assert names[0].startswith("test worker")


async def test_what_the_work_raises_reaches_the_caller(worker: Worker) -> None:
    with pytest.raises(ZeroDivisionError):
        await worker.run(lambda: 1 // 0)
    assert await worker.run(lambda: "still there") == "still there"


async def test_a_cancelled_caller_learns_of_it_only_when_the_thread_is_free(
    worker: Worker,
) -> None:
    cancel = CancelFlag()
    left = threading.Event()

    def work() -> None:
        while not cancel.is_set:
            time.sleep(0.001)
        left.set()

    running = asyncio.ensure_future(worker.run(work, cancel=cancel))
    await asyncio.sleep(0.02)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert left.is_set()


async def test_work_without_a_flag_is_waited_for(worker: Worker) -> None:
    finished = threading.Event()

    def work() -> None:
        time.sleep(0.05)
        finished.set()

    running = asyncio.ensure_future(worker.run(work))
    await asyncio.sleep(0.01)
    running.cancel()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert finished.is_set()


class Counting:
    """An iterator that tells how far it was pulled and where it was closed."""

    def __init__(self, cancel: CancelFlag, step_s: float = 0.0) -> None:
        self.pulled = 0
        self.closed_on: str | None = None
        self._cancel = cancel
        self._step_s = step_s

    def items(self) -> Iterator[int]:
        try:
            while not self._cancel.is_set:
                self.pulled += 1
                end = time.monotonic() + self._step_s
                while time.monotonic() < end and not self._cancel.is_set:
                    time.sleep(0.001)
                yield self.pulled
        finally:
            self.closed_on = threading.current_thread().name


async def test_a_stream_computes_no_item_before_it_is_asked_for(worker: Worker) -> None:
    counting = Counting(CancelFlag())
    stream = worker.stream(counting.items, cancel=CancelFlag())
    assert [await stream.__anext__(), await stream.__anext__()] == [1, 2]
    await asyncio.sleep(0.02)
    assert counting.pulled == 2
    await stream.aclose()
    assert counting.closed_on is not None
    assert counting.closed_on.startswith("test worker")


async def test_a_stream_ends_with_its_items(worker: Worker) -> None:
    stream = worker.stream(lambda: iter("abc"), cancel=CancelFlag())
    assert [item async for item in stream] == ["a", "b", "c"]
    assert await worker.run(lambda: "free") == "free"


async def test_an_error_in_a_stream_frees_the_worker(worker: Worker) -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError

    stream = worker.stream(items, cancel=CancelFlag())
    assert await stream.__anext__() == 1
    with pytest.raises(ZeroDivisionError):
        await stream.__anext__()
    assert await worker.run(lambda: "free") == "free"


async def test_a_stream_holds_the_worker_until_it_is_closed(worker: Worker) -> None:
    counting = Counting(CancelFlag())
    stream = worker.stream(counting.items, cancel=CancelFlag())
    await stream.__anext__()
    waiting = asyncio.ensure_future(worker.run(lambda: "mine"))
    done, _ = await asyncio.wait({waiting}, timeout=0.05)
    assert not done
    await stream.aclose()
    assert await waiting == "mine"


async def test_closing_a_stream_interrupts_the_item_being_computed(worker: Worker) -> None:
    cancel = CancelFlag()
    counting = Counting(cancel, step_s=60)
    stream = worker.stream(counting.items, cancel=cancel)
    reading = asyncio.ensure_future(stream.__anext__())
    await asyncio.sleep(0.02)
    await asyncio.wait_for(stream.aclose(), 5)
    with pytest.raises(StopAsyncIteration):
        await reading


async def test_cancelling_the_reader_of_a_stream_frees_the_worker(worker: Worker) -> None:
    cancel = CancelFlag()
    counting = Counting(cancel, step_s=60)
    stream = worker.stream(counting.items, cancel=cancel)
    reading = asyncio.ensure_future(stream.__anext__())
    await asyncio.sleep(0.02)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert counting.closed_on is not None
    assert await asyncio.wait_for(worker.run(lambda: "free"), 5) == "free"


async def test_cancelling_a_reader_that_waits_for_its_turn_leaves_the_turn_alone(
    worker: Worker,
) -> None:
    first = worker.stream(Counting(CancelFlag()).items, cancel=CancelFlag())
    await first.__anext__()
    second = worker.stream(Counting(CancelFlag()).items, cancel=CancelFlag())
    waiting = asyncio.ensure_future(second.__anext__())
    await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert await first.__anext__() == 2
    await first.aclose()
    assert await worker.run(lambda: "free") == "free"


async def test_closing_the_worker_stops_a_half_read_stream_and_runs_the_last_work() -> None:
    worker = Worker("short-lived")
    counting = Counting(CancelFlag())
    stream = worker.stream(counting.items, cancel=CancelFlag())
    await stream.__anext__()
    freed: list[str] = []
    await worker.close(lambda: freed.append(threading.current_thread().name))
    await worker.close(lambda: freed.append("again"))
    assert counting.closed_on is not None
    assert len(freed) == 1
    assert freed[0].startswith("short-lived")
    with pytest.raises(StopAsyncIteration):
        await stream.__anext__()


async def test_a_closed_worker_refuses_work_even_from_those_who_wait() -> None:
    worker = Worker("short-lived")
    stream = worker.stream(Counting(CancelFlag()).items, cancel=CancelFlag())
    await stream.__anext__()
    waiting = asyncio.ensure_future(worker.run(lambda: "too late"))
    await asyncio.sleep(0)
    await worker.close()
    with pytest.raises(EngineError, match="short-lived: was closed"):
        await waiting


async def test_a_flag_with_a_deadline_counts_as_raised_from_then_on() -> None:
    flag = CancelFlag(deadline_s=0.01)
    assert not flag.is_set
    await asyncio.sleep(0.02)
    assert flag.is_set
    assert flag.reason == "deadline"
    flag.set()
    assert flag.reason == "cancelled"
