"""Whether a transcript is the companion's own voice, come back through the room.

An echo repeats our words in a row and adds none. A child who answers with our words leaves some
out, turns them round ("do you like dogs?" - "yes, I like dogs") or ends with a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.introduction.plain_words import NUMBER_WORDS
from companion.voice.sounds_like import likeness

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")

IN_WORDS = {str(number): word for word, number in NUMBER_WORDS.items()}

FEWEST = 3
"""Words below which a transcript may as well be an answer: "red or blue?" - "blue"."""

ALIKE = 0.6
"""Likeness by ear of a word that was misheard and the word that was said."""

SPARE = 6
"""One word in so many may be foreign to what we said."""

OWN = frozenset(
    """
    i i'm i've i'll i'd me my mine myself yes yeah yep yup no nope nah not don't didn't can't won't
    isn't doesn't never stop wait please what why how who when where because but also too hey
    """.split()
)
"""Words that somebody adds who speaks for themselves."""


def words_of(text: str) -> list[str]:
    """Lower case, without marks; small numbers in words: they are transcribed either way."""
    words = WORD.findall(text.casefold().replace("’", "'"))
    return [IN_WORDS.get(word, word) for word in words]


def is_echo(heard: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the words heard are a stretch of the words said.

    heard, said: as `words_of` gives them. Misheard words are tolerated, a first or last word may
    be cut, a few of ours may be missing.
    """
    if not heard or not said:
        return False
    partners, skipped = _align(heard, said)
    foreign = [word for word, partner in zip(heard, partners, strict=True) if partner is None]
    return (
        len(foreign) <= len(heard) // SPARE
        and skipped <= max(1, len(heard) // 4)
        and not OWN.intersection(foreign)
        and partners[-1] is not None
    )


def _align(heard: Sequence[str], said: Sequence[str]) -> tuple[list[int | None], int]:
    """The place in `said` of each word heard, in order (None: it is foreign), and how many of
    ours were left out between the first and the last of them. The whole of `heard` is laid
    along any stretch of `said` at the least cost."""
    rows = [[0.0] * (len(said) + 1)]
    similar = [
        [_likeness(word, ours, at, len(heard)) for ours in said] for at, word in enumerate(heard)
    ]
    for at in range(len(heard)):
        above = rows[-1]
        row = [above[0] + 1]
        for number in range(len(said)):
            match = above[number] + _cost(similar[at][number])
            row.append(min(match, above[number + 1] + 1, row[number] + 0.5))
        rows.append(row)
    partners: list[int | None] = [None] * len(heard)
    at, number = len(heard), min(range(len(said) + 1), key=lambda end: (rows[-1][end], end))
    while at:
        here = rows[at][number]
        if number and here == rows[at - 1][number - 1] + _cost(similar[at - 1][number - 1]):
            at, number = at - 1, number - 1
            if similar[at][number] >= ALIKE:
                partners[at] = number
        elif here == rows[at - 1][number] + 1:
            at -= 1
        else:
            number -= 1
    found = [partner for partner in partners if partner is not None]
    skipped = found[-1] - found[0] + 1 - len(found) if found else 0
    return partners, skipped


def _cost(similar: float) -> float:
    return 1 - similar if similar >= ALIKE else 1.2


def _likeness(heard: str, ours: str, at: int, count: int) -> float:
    """Of a word heard at a place among `count` to one of ours: the edges may be cut off."""
    if heard == ours:
        return 1.0
    if at == count - 1 and len(heard) > 1 and ours.startswith(heard):
        return 0.9
    if at == 0 and len(heard) > 1 and ours.endswith(heard):
        return 0.9
    if heard in OWN or ours in OWN:
        return 0.0  # "I" is not "you" misheard: a person turns our words round.
    return likeness(heard, ours)
