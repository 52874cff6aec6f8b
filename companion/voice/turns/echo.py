"""Decides whether a transcript is an echo of the companion's own voice.

An echo repeats our words in their order and adds none. A child who answers with our words leaves
some out, changes their order ("do you like dogs?" - "yes, I like dogs") or ends with a new word.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion import language

FEWEST = 3
"""A transcript with fewer words may as well be an answer: "red or blue?" - "blue"."""

ALIKE = 0.6
"""Least phonetic similarity of a misheard word to the word that was said."""

SPARE = 6
"""One word in this many may be missing from what we said."""


def is_echo(heard: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the words heard are a consecutive part of the words said.

    heard, said: as `words_of` returns them. Misheard words are tolerated, the first or last word
    may be cut off, and a few of ours may be missing.
    """
    if not heard or not said:
        return False
    partners, skipped = _align(heard, said)
    foreign = [word for word, partner in zip(heard, partners, strict=True) if partner is None]
    return (
        len(foreign) <= len(heard) // SPARE
        and skipped <= max(1, len(heard) // 4)
        and not language.transcripts.OWN_WORDS.intersection(foreign)
        and partners[-1] is not None
    )


def _align(heard: Sequence[str], said: Sequence[str]) -> tuple[list[int | None], int]:
    """The place in `said` of each word heard, in order (None: it is not there), and how many of
    ours were left out between the first and the last of them. All of `heard` is aligned with the
    part of `said` that gives the least cost."""
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
    """Similarity to one of our words of the word heard at place `at` of `count`; the first and the
    last may be cut off."""
    if heard == ours:
        return 1.0
    if at == count - 1 and len(heard) > 1 and ours.startswith(heard):
        return 0.9
    if at == 0 and len(heard) > 1 and ours.endswith(heard):
        return 0.9
    own = language.transcripts.OWN_WORDS
    if heard in own or ours in own:
        return 0.0  # "I" is not a misheard "you": it is a person's reply.
    return language.phonetics.likeness(heard, ours)
