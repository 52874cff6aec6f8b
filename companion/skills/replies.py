"""What skills say: the sentences of `replies.yaml`, with their gaps filled."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import yaml

_FILE = Path(__file__).with_suffix(".yaml")


@cache
def _replies() -> dict[str, list[str]]:
    with _FILE.open(encoding="utf-8") as file:
        read: dict[str, str | list[str]] = yaml.safe_load(file)
    return {key: [text] if isinstance(text, str) else text for key, text in read.items()}


def line(key: str, rng: Random | None = None, /, **gaps: object) -> str:
    """One of the sentences that `key` has, the first without `rng`. Raises KeyError for a key or a
    gap that there is not."""
    choices = _replies()[key]
    chosen = choices[0] if rng is None else rng.choice(choices)
    return chosen.format(**gaps)


def every(key: str, /, **gaps: object) -> tuple[str, ...]:
    """All sentences of `key`, to be said one after the other."""
    return tuple(each.format(**gaps) for each in _replies()[key])


def listed(things: Sequence[str], *, either: bool = False) -> str:
    """Things in a row, as they are said; `either`: one of them. Raises IndexError for none.

    >>> listed(["a sock", "a hat", "a boat"])
    'a sock, a hat and a boat'
    """
    if len(things) == 1:
        return things[0]
    return line("list.or" if either else "list.and", first=", ".join(things[:-1]), last=things[-1])
