"""A stop flag that Python raises and native code reads."""

from __future__ import annotations

import ctypes
import time

from companion.engines.protocols import Finish


class CancelFlag:
    """Raised once, never lowered: every call gets a flag of its own.

    A flag that belongs to one call cannot stop the next one, however late it is raised. It is
    kept as a C string, empty while work may go on, so that `strlen` can answer a native
    library's question "shall I stop?" without taking Python's lock (see `llama_context`).
    A flag with a deadline counts as raised from then on; native code does not see that.
    """

    def __init__(self, deadline_s: float | None = None) -> None:
        self._bytes = ctypes.create_string_buffer(2)
        self._end = None if deadline_s is None else time.monotonic() + deadline_s

    def set(self) -> None:
        """Ask whoever looks at this flag to stop. From any thread."""
        self._bytes[0] = b"\x01"

    @property
    def is_set(self) -> bool:
        return self._raised or self._late

    @property
    def reason(self) -> Finish:
        """Why work stopped that looked at this flag."""
        return "deadline" if self._late and not self._raised else "cancelled"

    @property
    def address(self) -> int:
        """Address of the C string; valid as long as this object lives."""
        return ctypes.addressof(self._bytes)

    @property
    def _raised(self) -> bool:
        return self._bytes.raw[0] != 0

    @property
    def _late(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end
