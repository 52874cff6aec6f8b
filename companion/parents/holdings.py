"""What is kept on the disk, and all of it as one document."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path
from typing import Any

from companion.clock import Clock
from companion.config import Config
from companion.errors import InputError
from companion.parents.request import Change, Read, Request, require_kept
from companion.store import backup
from companion.store.counts import counts
from companion.store.database import Store
from companion.store.export import export


async def storage(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Files with their sizes, and the room that is left on the disk."""
    files = await asyncio.to_thread(_files, store.directory)
    held = await store.read(counts)
    return {
        "directory": str(store.directory),
        "kept": store.trouble is None,
        "trouble": store.trouble,
        "encrypted": store.key is not None,
        "files": files,
        "bytes": sum(each["bytes"] for each in files),
        "backups": len(backup.all_in(store.directory)),
        "free_bytes": await asyncio.to_thread(_free, store.directory),
        "sessions": held.sessions,
        "messages": held.messages,
        "memories": held.memories,
    }


async def backed_up(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """Make a backup now; the oldest one too many goes. Raises InputError where none are kept."""
    require_kept(store)
    made = await store.backup()
    if made is None:
        raise InputError("store.backups is 0 in the configuration: no backups are kept")
    size = await asyncio.to_thread(lambda: made.stat().st_size)
    held = len(backup.all_in(store.directory))
    return {"file": str(made.relative_to(store.directory)), "bytes": size, "backups": held}


async def exported(store: Store, config: Config, clock: Clock, request: Request) -> Any:
    """The document of `companion export`."""
    return await store.read(export)


def _files(directory: Path) -> list[dict[str, Any]]:
    found = []
    for folder, _, names in os.walk(directory):
        for name in names:
            path = Path(folder, name)
            try:
                if path.is_file() and not path.is_symlink():
                    size = path.stat().st_size
                    found.append({"name": str(path.relative_to(directory)), "bytes": size})
            except OSError:
                continue  # it has just gone
    return sorted(found, key=lambda each: str(each["name"]))


def _free(directory: Path) -> int | None:
    try:
        return shutil.disk_usage(directory).free
    except OSError:
        return None


READS: dict[str, Read] = {"storage": storage, "export": exported}
CHANGES: dict[str, Change] = {"backup": backed_up}
TAKE_NOTHING = ("backup",)
