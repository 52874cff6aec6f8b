"""Another key for the store: everything that was encrypted with the old one is encrypted anew.

See `companion.store.rotation` for what a cut in the middle leaves, and how that is finished.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from companion import faults
from companion.config import StoreSection
from companion.durable import sync
from companion.errors import StoreError
from companion.store import backup, key
from companion.store.connection import plain_errors
from companion.store.opening import DATABASE, open_owner
from companion.store.rotation import REKEYED


def rotate(directory: Path, section: StoreSection) -> Path:
    """Give the store a new key; returns where it lies. Backups begin anew with one.

    Raises StoreError for a store that is not encrypted or whose key is a systemd credential,
    StoreBusy while another process owns it, StoreFailing when there is no room for a second copy.
    """
    place = key.key_path(directory, section.key_file)
    if not section.encrypt:
        raise StoreError(f"{directory}: is not encrypted and has no key")
    if key.is_credential(place):
        raise StoreError(
            f"{place}: is a systemd credential, which cannot be changed from here: "
            "name a store.key_file first"
        )
    with plain_errors(directory):
        with closing(open_owner(directory, section)) as opened:
            new = key.make(key.next_path(place))
            faults.point("rotate:new-key")
            copy = directory / REKEYED
            backup.copy(opened.connection, copy, new)
            faults.point("rotate:copied")
            for old in (*backup.all_in(directory), *backup.put_aside_in(directory)):
                old.unlink()  # the copy stands for them; they are under the old key
            opened.connection.pragma("journal_mode", "delete")  # nothing may lie in a -wal
            opened.connection.close()
            os.replace(copy, directory / DATABASE)
            sync(directory)
            faults.point("rotate:database")
            key.take_next(place)
        with closing(open_owner(directory, section)) as again:
            backup.make(again.connection, directory, again.key, section.backups)
    return place
