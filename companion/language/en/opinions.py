"""Questions for the toy's own taste, and the kind of thing that they are about."""

from __future__ import annotations

from companion.language.en import topics
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

ANYTHING = "anything"
"""The kind of what is of no known one."""


def asked(words: str) -> str:
    """The kind of thing of which it is asked whether the toy likes it, as `topics` has it: "pet" of
    "do you like dogs", or `ANYTHING`; "" where no taste is asked for."""
    plain = " ".join(words.lower().replace("’", "'").split()).rstrip(" ?!.")
    if found := _RE.rather.search(plain):
        return topics.kind(found["thing"]) or topics.kind(found["other"])
    found = _RE.likes.search(plain)
    return (topics.kind(found["thing"]) or ANYTHING) if found else ""
