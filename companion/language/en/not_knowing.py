"""Does a reply say that the answer is not known, or was never told?"""

from __future__ import annotations

from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def admits(reply: str) -> bool:
    """Whether somebody who answers so says that they do not know: "I don't remember; tell me?"."""
    return _RE.admits.search(reply) is not None
