"""Numbers on the command line, refused in words. For argparse's `type`."""

from __future__ import annotations

from argparse import ArgumentTypeError

from companion.errors import InputError

MOST = 10**9


def positive(text: str) -> int:
    """A whole number from 1 to MOST. Raises ArgumentTypeError."""
    try:
        number = int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no whole number") from None
    if not 1 <= number <= MOST:
        raise ArgumentTypeError(f"must be from 1 to {MOST:,}")
    return number


def positives(text: str) -> list[int]:
    """Several, divided by commas. Raises ArgumentTypeError."""
    return [positive(each) for each in text.split(",")]


def decibels(text: str) -> float:
    """How loud something is at most: 0 or less. Raises ArgumentTypeError."""
    try:
        loudness = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no number") from None
    if not -200 <= loudness <= 0:
        raise ArgumentTypeError("must be from -200 to 0")
    return loudness


def spans(text: str) -> tuple[tuple[float, float], ...]:
    """Spans of seconds, divided by commas: 3.2-5,9-9.2. Raises ArgumentTypeError."""
    found = []
    for each in text.split(","):
        begin, _, end = each.partition("-")
        try:
            span = float(begin), float(end)
        except ValueError:
            raise ArgumentTypeError(f"{each!r} is no span of seconds such as 3.2-5") from None
        if not 0 <= span[0] < span[1] <= MOST:
            raise ArgumentTypeError(f"{each!r} does not end after it begins")
        found.append(span)
    return tuple(found)


def memory_id(number: int) -> int:
    """What may name a memory. Raises InputError."""
    if not 0 < number < 10**18:
        raise InputError(f"there is no memory {number}; `companion memories list` shows them")
    return number
