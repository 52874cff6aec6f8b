"""What people say about themselves when they introduce themselves.

The paper lets the model extract them (section 4.6), and its system asks again for what it has been
told. Of 922 messages of fourteen people, a model behind the strictest check could have found one
age that these patterns do not, and would have been believed 112 times where there was nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from companion.language.en.introduction import age as ages
from companion.language.en.introduction import gender as genders
from companion.language.en.introduction import name as names
from companion.language.en.self_repair import repaired
from companion.language.tables import Table
from companion.language.types import CoreStatement
from companion.records import CoreItem

_DECLINES = Table.beside(__file__).pattern("declines")


def said(words: str, *, asked: Collection[CoreItem], companion: str) -> list[CoreStatement]:
    """What a message says of its speaker.

    asked: what the companion had asked for; then a bare "Mia" or "seven" is an answer.
    companion: the toy's own name, which is never taken for the person's.
    """
    meant = repaired(words)
    found: list[tuple[CoreItem, tuple[str | int, str] | None]] = [
        ("age", ages.find(meant, asked="age" in asked)),
        ("gender", genders.find(meant, asked="gender" in asked)),
    ]
    if not ("name" in asked and declines(words)):
        name = names.find(meant, asked="name" in asked, companion=companion)
        found.insert(0, ("name", name))
    return [
        CoreStatement(item, str(pair[0]), pair[1] if pair[1] in words else words.strip())
        for item, pair in found
        if pair is not None
    ]


def declines(words: str) -> bool:
    """Whether an answer says that the person would rather not tell."""
    return _DECLINES.search(words) is not None
