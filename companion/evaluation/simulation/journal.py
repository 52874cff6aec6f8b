"""What a run has done, one JSON object a line, each on disk before the next is begun.

A cut at any moment leaves whole lines and at most one torn one, which the next start drops: what
it would have told is done again.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from companion.errors import InputError

Record = dict[str, Any]


class Journal:
    """Records by `key`, in the order in which they were made."""

    def __init__(self, path: Path) -> None:
        """Reads what is there. Raises InputError for a file that is no journal."""
        self.path = path
        self._records: dict[str, Record] = {}
        try:
            content = path.read_bytes() if path.exists() else b""
            whole = content[: content.rfind(b"\n") + 1]
            if len(whole) < len(content):
                os.truncate(path, len(whole))
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                record = json.loads(line)
                self._records[record["key"]] = record
            except (ValueError, KeyError, TypeError):
                raise InputError(
                    f"{path}, line {number}: is no record; delete the line to have it made again"
                ) from None

    def __contains__(self, key: str) -> bool:
        return key in self._records

    def __getitem__(self, key: str) -> Record:
        return self._records[key]

    def __len__(self) -> int:
        return len(self._records)

    def under(self, prefix: str) -> list[Record]:
        """The records whose key begins so."""
        return [record for key, record in self._records.items() if key.startswith(prefix)]

    def put(self, key: str, **fields: Any) -> Record:
        """Add a record; it is on disk when this returns. Raises InputError when it cannot be
        written, ValueError for a key that is there: nothing is done twice."""
        if key in self._records:
            raise ValueError(f"{key} is recorded already")
        line = json.dumps({"key": key, **fields}, ensure_ascii=False)
        try:
            with self.path.open("ab") as file:
                file.write(line.encode("utf-8", "replace") + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
        record: Record = json.loads(line)
        self._records[key] = record
        return record
