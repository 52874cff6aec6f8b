from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path

import pytest

from companion.cli.lines import LONGEST, lines, text_of
from companion.errors import InputError


async def read_all(descriptor: int) -> list[bytes]:
    return [line async for line in lines(descriptor)]


async def through_a_pipe(chunks: list[bytes]) -> list[bytes]:
    reading, writing = os.pipe()

    def write() -> None:
        for chunk in chunks:
            os.write(writing, chunk)
        os.close(writing)

    writer = asyncio.get_running_loop().run_in_executor(None, write)
    try:
        return await read_all(reading)
    finally:
        await writer
        os.close(reading)


async def test_lines_are_the_same_however_the_bytes_arrive() -> None:
    text = "one\n\nzwei ü 🐙\r\nlast without an end".encode()
    dice = random.Random(7)
    for _ in range(30):
        cuts = sorted(dice.sample(range(1, len(text)), dice.randint(0, 8)))
        chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        assert await through_a_pipe(chunks) == text.split(b"\n")


async def test_a_regular_file_and_the_null_device_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(b"a\nb\n")
    for name, expected in ((str(path), [b"a", b"b"]), (os.devnull, [])):
        descriptor = os.open(name, os.O_RDONLY)
        assert await read_all(descriptor) == expected
        os.close(descriptor)


async def test_waiting_for_a_line_can_be_cancelled() -> None:
    reading, writing = os.pipe()
    waiting = asyncio.create_task(read_all(reading))
    await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, 1)
    os.close(writing)
    os.close(reading)


async def test_a_line_without_end_is_refused_and_the_next_one_is_whole() -> None:
    [endless, good] = await through_a_pipe([b"x" * (LONGEST + 70_000), b"\n", b"good\n"])
    with pytest.raises(InputError, match="longer than"):
        text_of(endless)
    assert text_of(good) == "good"


def test_bytes_that_are_not_utf8_are_refused_whole() -> None:
    with pytest.raises(InputError, match="byte 5"):
        text_of(b"good\xed\xa0\x80")


def test_a_carriage_return_at_the_end_is_dropped() -> None:
    assert text_of(b"hello\r") == "hello"
