"""Other processes for the tests: forked from a server that has imported everything once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.store.child", "tests.dialog.talk"])


@contextmanager
def process(
    target: Callable[[Path, Connection], None], directory: Path
) -> Iterator[tuple[ForkServerProcess, Connection]]:
    """A running child and our end of its pipe; it is killed when the block ends."""
    ours, theirs = _context.Pipe()
    child = _context.Process(target=target, args=(directory, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        yield child, ours
    finally:
        child.kill()
        child.join()
        child.close()
        ours.close()
