"""What somebody tells, as the one who listens says it back: "my brother" becomes "your brother"."""

from __future__ import annotations

import re

from companion.language.en.words import QUERY_WORDS
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_WRITTEN_OUT = _TABLE.mapping("written_out")
_TURNED = _TABLE.mapping("turned")
_FIRST_WORDS = QUERY_WORDS | _TABLE.words("first_words")
_WORD = re.compile(r"[\w'’-]+")

MOST_OF_A_THING = 5
"""Words of an answer that names a thing."""


def asks(words: str) -> bool:
    """Whether a telling holds a question, without a mark of it, that wants an answer."""
    return _RE.asks.search(words) is not None


def speaks_to_listener(words: str) -> bool:
    """Whether words speak to the one who listens, or of them."""
    return _RE.listener.search(words) is not None


def is_grave(words: str) -> bool:
    """Whether a telling names a loss or a hurt that must not be passed over lightly."""
    return _RE.grave.search(words) is not None


def thing(words: str) -> str | None:
    """An answer of a few words that names something, in the second person: "on your foot"."""
    plain = _plain(words)
    few = 0 < len(plain.split()) <= MOST_OF_A_THING
    if not few or _RE.verb.search(plain) or _RE.empty.search(plain):
        return None
    if speaks_to_listener(plain) or _RE.unclear.search(plain):
        return None
    return second_person(plain)


def written_out(words: str) -> str:
    """Words with the apostrophes that belong there: "we've" for "weve"."""
    return _WORD.sub(
        lambda found: _WRITTEN_OUT.get(found[0].lower(), found[0]), words.replace("’", "'")
    )


def _plain(words: str) -> str:
    """Without fillers, with the apostrophes that belong there."""
    text = written_out(words)
    return _RE.left_out.sub("", text.strip()).strip(" ,.!?")


def phrase(words: str) -> str:
    """Some words of a telling, in the second person and with their apostrophes."""
    return second_person(written_out(words))


def second_person(part: str) -> str:
    """A part as the one who listens says it: "your brother" for "my brother"."""
    text = _RE.with_me.sub(lambda found: f"you and {found['other'] or found['first']}", part)
    text = _RE.own_relative.sub(lambda found: f"your {found['who'].lower()}", text)
    first = text.partition(" ")[0]
    if first.lower() in _FIRST_WORDS:  # a transcript begins "It" and "They" with a capital
        text = first.lower() + text[len(first) :]
    return _RE.speaker.sub(lambda found: _TURNED[found[0].lower()], text)
