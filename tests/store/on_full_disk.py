"""Opens a copy of a store on a disk with no room left: `python -m tests.store.on_full_disk`.

Arguments: the data directory, and an empty directory to mount the small disk on.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

from companion.clock import ManualClock
from companion.config import StoreSection
from companion.errors import StoreError
from companion.store.database import Store
from tests.store.conftest import START, files


async def try_to_open(directory: Path) -> str:
    try:
        store = await Store.open(directory, StoreSection(), ManualClock(START))
    except StoreError as error:
        return type(error).__name__
    await store.close()
    return "opened"


def main(data: Path, disk: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk], check=True)
    directory = disk / "data"
    shutil.copytree(data, directory)
    before = files(directory)
    try:
        with open(disk / "filler", "wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass
    except OSError:
        pass
    print(asyncio.run(try_to_open(directory)))
    after = files(directory)
    assert all(after[path] == before[path] for path in before if path.name == "store.db")
    assert not list(directory.glob("*.corrupt.*"))
    (disk / "filler").unlink()
    print(asyncio.run(try_to_open(directory)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
