"""What commands over sound have in common: libraries that may be missing, files for devices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import SoundError, UsageError


@contextmanager
def libraries() -> Iterator[None]:
    """Import in the block. Raises SoundError for a library that is not installed."""
    try:
        yield
    except ImportError as error:
        raise SoundError(f"{error.name} is not installed; run: scripts/setup --voice") from None


def check_files(heard: Path, spoken: Path | None, option: str = "--out") -> None:
    """Raises UsageError when the recording would be written over."""
    try:
        same = spoken is not None and spoken.samefile(heard)
    except OSError:
        return  # One is not there, or may not be looked at: opening it says so.
    if same:
        raise UsageError(f"{option} {spoken}: is the recording itself; name another file")
