"""What an author should look at again in a pack that can be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from companion import language
from companion.repertoire.index import Index
from companion.repertoire.packs import NAME, Entry
from companion.repertoire.vectors import StoredVectors
from companion.safety.normalize import plain
from companion.safety.pattern_guard import find
from companion.safety.patterns import of_side

MOST_WORDS = 40
"""In a reply: about fifteen seconds."""

COLLIDES = 0.85
"""Cosine from which a wording may be answered by another entry."""

Kind = Literal["guard", "voice", "length", "collision"]


@dataclass(frozen=True)
class Finding:
    """Something to change, or, where not `grave`, to look at."""

    entry: str
    kind: Kind
    text: str
    """The wording or the sentence."""

    what: str
    grave: bool = True


def check_replies(entry: Entry) -> list[Finding]:
    """What the guard, a voice or a listener would object to."""
    found = []
    for text in (*entry.replies, *entry.follow):
        filled = text.replace(NAME, "Kim")
        for sentence in language.sentences.split(filled):
            if topic := find(plain(sentence), of_side("out")):
                what = f"the guard stops it ({topic}): say it in other words"
                found.append(Finding(entry.id, "guard", sentence, what))
        if (said := language.speakable.speakable(filled)) != filled:
            what = f"a voice reads it as {said!r}: write it in words and plain marks"
            found.append(Finding(entry.id, "voice", text, what))
        if (length := len(text.split())) > MOST_WORDS:
            what = f"{length} words: {MOST_WORDS} at most are listened to"
            found.append(Finding(entry.id, "length", text, what))
    return found


def check_wordings(
    pack: Sequence[Entry], others: Sequence[Entry], known: StoredVectors
) -> list[Finding]:
    """Wordings that another entry would answer. others: entries of other packs; known: vectors of
    the wordings of all."""
    found = []
    everything = [*others, *pack]
    for entry in pack:
        shared = set(entry.says)
        rest = Index([e for e in everything if e is not entry and _together(e, entry)], known.of)
        for said in entry.says:
            near = next(iter(rest.nearest(said, known.of(said))), None)
            if (
                near is None
                or near.likeness.cosine < COLLIDES
                or not shared.isdisjoint(near.entry.says)
            ):
                continue
            what = f"{near.entry.id} has {near.wording!r}: tell them apart under `not`"
            found.append(Finding(entry.id, "collision", said, what, grave=False))
    return found


def _together(one: Entry, other: Entry) -> bool:
    """Whether both may be asked in the same home."""
    return one.family is None or other.family is None or one.family == other.family
