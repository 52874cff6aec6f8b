"""Which kind of a dialog act a message is: what of the toy it asks about, yes or no, a joke's end.

The names of the table's entries begin with the act (`companion.acts`); the first that fits wins.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_SOUNDS = Table(Path(__file__).with_name("play_sounds.yaml")).mapping("sounds")


def of(act: str, words: str) -> str:
    """The variant's name, without the act; "" where none fits."""
    plain = words.replace("’", "'").lower()
    return next((name for name, found in _patterns(act) if found.search(plain)), "")


def role(words: str) -> str | None:
    """The role in play that the words give the toy, as they name it: "the mummy cat"."""
    found = dict(_patterns("pretend"))["role_of_toy"].search(words.replace("’", "'").lower())
    return found["role"] if found else None


def be(words: str) -> tuple[str, str] | None:
    """The role that the words plainly ask the toy to be, and what one says in it: ("a lion",
    "Roar"), or "" for what; None where they ask for none."""
    found = dict(_patterns("pretend"))["be"].search(words.replace("’", "'").lower().rstrip(" .!?"))
    if found is None:
        return None
    return found["role"], _SOUNDS.get(found["role"].split()[-1], "")


@lru_cache(maxsize=64)
def _patterns(act: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    start = f"{act}_"
    return tuple(
        (name.removeprefix(start), _TABLE.pattern(name))
        for name in _TABLE.entries
        if name.startswith(start)
    )
