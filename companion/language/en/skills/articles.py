"""The indefinite article of a thing."""

from __future__ import annotations

from pathlib import Path

from companion.language.tables import Table

_TABLE = Table(Path(__file__).with_name("turns.yaml"))
_NO_ARTICLE = _TABLE.words("no_article")
_SAID_WITH_A = _TABLE.words("said_with_a")


def with_article(noun: str) -> str:
    """A thing with "a" or "an" before it.

    >>> with_article("owl"), with_article("unicorn"), with_article("stairs")
    ('an owl', 'a unicorn', 'stairs')
    """
    if noun in _NO_ARTICLE:
        return noun
    sound = noun in _SAID_WITH_A or noun[:1] not in tuple("aeiou")
    return f"a {noun}" if sound else f"an {noun}"
