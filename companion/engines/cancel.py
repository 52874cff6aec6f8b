"""A stop flag that Python raises and native code reads."""

from __future__ import annotations

import ctypes


class CancelFlag:
    """Raised once, never lowered: every call gets a flag of its own.

    A flag that belongs to one call cannot stop the next one, however late it is raised. It is
    kept as a C string, empty while work may go on, so that `strlen` can answer a native
    library's question "shall I stop?" without taking Python's lock (see `llama_context`).
    """

    def __init__(self) -> None:
        self._bytes = ctypes.create_string_buffer(2)

    def set(self) -> None:
        """Ask whoever looks at this flag to stop. From any thread."""
        self._bytes[0] = b"\x01"

    @property
    def is_set(self) -> bool:
        return self._bytes.raw[0] != 0

    @property
    def address(self) -> int:
        """Address of the C string; valid as long as this object lives."""
        return ctypes.addressof(self._bytes)
