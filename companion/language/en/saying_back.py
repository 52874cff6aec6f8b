"""What somebody tells, said back to them in a few words, as somebody does who listens.

"my brother put a pea up his nose" becomes "your brother put a pea up his nose". Only a part that is
a whole sentence of its own is said back; where none is, or where the words speak to the listener,
nothing is. The words are the speaker's own, but for what makes them easier to hear again.
"""

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

LEAST_WORDS, MOST_WORDS = 3, 12
"""Of a part that is said back."""

LEAST_WORTH = 4
"""Below this a part tells too little to be said back; see `_worth`."""

MOST_OF_A_THING = 5
"""Words of an answer that names a thing."""


def telling(words: str) -> str | None:
    """The part of a telling that can best be said back, in the second person, without a capital or
    a full stop."""
    if _RE.grave.search(words):
        return None
    found = [(_worth(part, at), part) for at, part in enumerate(_parts(words)) if _sayable(part)]
    worth, part = max(found, default=(0, ""), key=lambda each: each[0])
    return second_person(part) if worth >= LEAST_WORTH else None


def _parts(words: str) -> list[str]:
    """The parts of a telling. Two that are both whole and short stay one: "you got off the bus and
    your coat stayed on the bus"."""
    text = _plain(words)
    parts: list[str] = []
    start = 0
    joint = ""
    for found in (*_RE.joint.finditer(text), None):
        part = _plain(text[start : found.start() if found else len(text)])
        if parts and part and _RE.joins.fullmatch(joint):
            both = f"{parts[-1]} {joint} {part}"
            if len(both.split()) <= MOST_WORDS and _sayable(parts[-1]) and _sayable(part):
                part = both
                parts.pop()
        if part:
            parts.append(part)
        if found:
            start, joint = found.end(), found[0].strip()
    return parts


def asks(words: str) -> bool:
    """Whether a telling holds a question, without a mark of it, that wants an answer."""
    return _RE.asks.search(words) is not None


def speaks_to_listener(words: str) -> bool:
    """Whether words speak to the one who listens, or of them."""
    return _RE.listener.search(words) is not None


def is_own_deed(told: str) -> bool:
    """Whether a part, as `telling` gives it, plainly tells what the speaker did, or somebody of
    theirs."""
    return _RE.own_deed.search(told) is not None


def is_grave(words: str) -> bool:
    """Whether a telling names a loss or a hurt that must not be passed over lightly."""
    return _RE.grave.search(words) is not None


def _worth(part: str, at: int) -> int:
    """How much a part tells: its words, more if it comes first, less if it speaks of "it"."""
    return min(len(part.split()), 8) + 3 * (at == 0) - 2 * bool(_RE.points_back.match(part))


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


def _sayable(part: str) -> bool:
    length = len(part.split())
    if not LEAST_WORDS <= length <= MOST_WORDS or speaks_to_listener(part):
        return False
    told = _RE.tells.search(_RE.with_me.sub("we", part))
    return told is not None and _RE.unclear.search(part) is None


def second_person(part: str) -> str:
    """A part as the one who listens says it: "your brother" for "my brother"."""
    text = _RE.with_me.sub(lambda found: f"you and {found['other'] or found['first']}", part)
    text = _RE.own_relative.sub(lambda found: f"your {found['who'].lower()}", text)
    first = text.partition(" ")[0]
    if first.lower() in _FIRST_WORDS:  # a transcript begins "It" and "They" with a capital
        text = first.lower() + text[len(first) :]
    return _RE.speaker.sub(lambda found: _TURNED[found[0].lower()], text)
