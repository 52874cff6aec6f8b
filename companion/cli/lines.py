"""Lines from a file descriptor: a pipe, a terminal or a file, without a thread.

A read in a thread cannot be taken back: SIGTERM would wait for a line that never comes.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator

from companion.errors import InputError

LONGEST = 4 << 20
"""Bytes of the longest line that is taken in: far beyond anything said, short of all memory."""

_BLOCK = 1 << 16


async def lines(descriptor: int) -> AsyncIterator[bytes]:
    """Each line without its end; the last one may lack it.

    Of a line longer than LONGEST only LONGEST + 1 bytes are kept, which `text_of` refuses.
    """
    pending = bytearray()
    while block := await _read(descriptor):
        *whole, rest = block.split(b"\n")
        for part in whole:
            _extend(pending, part)
            yield bytes(pending)
            pending.clear()
        _extend(pending, rest)
    if pending:
        yield bytes(pending)


def text_of(line: bytes) -> str:
    """A line's text, without the carriage return of a file from Windows.

    Raises InputError for a line that is too long or is not UTF-8: half of what was said may
    mean the opposite, so it is refused whole.
    """
    if len(line) > LONGEST:
        raise InputError(f"longer than {LONGEST:,} bytes; cut it into several lines")
    try:
        return line.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text (byte {error.start + 1}); save it as UTF-8") from None


def _extend(pending: bytearray, part: bytes) -> None:
    pending += part[: LONGEST + 1 - len(pending)]


async def _read(descriptor: int) -> bytes:
    """The next bytes; empty at the end."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(descriptor, ready.set)
    except PermissionError:  # epoll does not watch regular files: they are always ready
        return os.read(descriptor, _BLOCK)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, _BLOCK)
