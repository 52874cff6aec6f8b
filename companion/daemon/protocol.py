"""The control socket's language: JSON objects, one a line, one request a connection.

    server  {"companion": 3, "pid": 4711, "data_dir": "/var/lib/companion"}
    client  {"do": "chat", "text": "Hello!"}
    server  {"sentence": "Hi there."}                                       any number of these
    server  {"done": ...}  or  {"error": "what, where, what to do", "kind": "InputError"}

A document of more than PART characters comes in parts before an empty `done`, as text to be joined:

    server  {"part": 1, "of": 3, "text": "..."}                            `of` of these

Whoever closes the connection takes the request back: a reply is stopped and stored as cut. A change
that has begun is carried out.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import errors
from companion.config import Config
from companion.errors import CompanionError, InputError, StoreError

VERSION = 3
"""Raised with every request that is added, renamed or answered otherwise: beside an older daemon a
client says what to do, instead of failing at that request."""

LONGEST = 1 << 18
"""Bytes of the longest request: the longest message, every character written as an escape."""

LONGEST_ANSWER = 1 << 26
"""Bytes of the longest line that a client takes: every memory of many years."""

PART = 1 << 20
"""Characters of a part of a long document."""

SYSTEM_SOCKET = Path("/run/companion/control.sock")
"""Where the service's unit puts it: its RuntimeDirectory is `companion`."""

LIVE = frozenset({"events"})
"""Requests whose answer is worth nothing when it is late: who does not read is let go soon."""

_FILE = "control.sock"


def encode(document: dict[str, Any]) -> bytes:
    """A line. Escapes keep it ASCII, so that also half characters survive."""
    return json.dumps(document).encode("ascii") + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """What a line holds. Raises InputError, without a word of what it held."""
    try:
        document = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        raise InputError("not a line of JSON in UTF-8: send an object like {...}") from None
    if not isinstance(document, dict):
        raise InputError("not a JSON object: send one like {...}")
    return document


def failure(error: CompanionError) -> dict[str, Any]:
    return {"error": str(error), "kind": type(error).__name__}


def failure_of(document: dict[str, Any]) -> CompanionError:
    """The failure that the other side met, as if it had been met here."""
    kind = getattr(errors, str(document.get("kind")), None)
    if not isinstance(kind, type) or not issubclass(kind, CompanionError):
        kind = CompanionError
    return kind(str(document.get("error")))


def own_socket(config: Config) -> Path:
    """Where a daemon listens."""
    if config.service.socket is not None:
        return config.service.socket.expanduser()
    directory = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(directory or config.data_dir) / _FILE


def sockets(config: Config) -> list[Path]:
    """Where a client looks for the daemon of its data directory."""
    if config.service.socket is not None:
        return [own_socket(config)]
    return list(dict.fromkeys((own_socket(config), config.data_dir / _FILE, SYSTEM_SOCKET)))


@contextmanager
def short(path: Path) -> Iterator[str]:
    """A name for a socket that fits the 108 bytes of an AF_UNIX address, however deep it lies:
    through a descriptor of its directory. Raises StoreError when that cannot be opened."""
    try:
        directory = os.open(path.parent, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise StoreError(f"{path.parent}: cannot be opened: {error.strerror}") from None
    try:
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)
