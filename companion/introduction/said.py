"""What people say about themselves when they introduce themselves.

Patterns in code find what was said whether or not the model notices it, and they are the bar
for what the model claims: a value that nobody said of themselves is not taken (design
decision 5). The paper's system asks again for what was said (section 4.6); this is the cure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.introduction import age as ages
from companion.introduction import gender as genders
from companion.introduction import name as names
from companion.slips import without_slips
from companion.store.profile import CoreItem

ITEMS: tuple[CoreItem, ...] = ("name", "age", "gender")
"""In the order in which they are asked for."""

DECLINES = re.compile(
    r"\b(?:(?:don['’]?t|do\s+not|won['’]?t|will\s+not|not\s+going\s+to|not\s+gonna)\s+"
    r"(?:want\s+to|wanna|like\s+to|have\s+to)?\s*(?:tell|say)|not\s+telling|rather\s+not|"
    r"(?:a|my)\s+secret|none\s+of\s+your|(?:can['’]?t|cannot|not\s+allowed\s+to)\s+(?:tell|say))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """One core item, as a person said it."""

    item: CoreItem
    value: str
    """A name; an age in figures; `female`, `male` or `non-binary`."""

    quote: str
    """The words that say it, as they stand in the message."""


def said(words: str, *, asked: Collection[CoreItem], companion: str) -> list[Said]:
    """What a message says of its speaker.

    asked: what the companion had asked for; then a bare "Mia" or "seven" is an answer.
    companion: the toy's own name, which is nobody else's.
    """
    meant = without_slips(words)
    found: list[tuple[CoreItem, tuple[str | int, str] | None]] = [
        ("age", ages.find(meant, asked="age" in asked)),
        ("gender", genders.find(meant, asked="gender" in asked)),
    ]
    if not ("name" in asked and declines(words)):
        name = names.find(meant, asked="name" in asked, companion=companion)
        found.insert(0, ("name", name))
    return [
        Said(item, str(pair[0]), pair[1] if pair[1] in words else words.strip())
        for item, pair in found
        if pair is not None
    ]


def claimed(
    item: CoreItem, value: str, words: Sequence[str], *, asked: bool, companion: str
) -> Said | None:
    """A value that the model extracted, if one of the messages says it of its speaker.

    words: what the person said lately, newest last. asked: the companion had just asked for it,
    so that the newest message may be a bare answer.
    """
    for age, message in enumerate(reversed(words)):
        for sentence in re.split(r"(?<=[.!?])\s+|\n", message.strip()):
            answer = asked and age == 0 and len(sentence.split()) <= 6
            held = _held(item, value.strip(), sentence, answer, companion)
            if held is not None:
                return Said(item, held, sentence)
    return None


def declines(words: str) -> bool:
    """Whether an answer says that the person would rather not tell."""
    return DECLINES.search(words) is not None


def _held(item: CoreItem, value: str, sentence: str, answer: bool, companion: str) -> str | None:
    """The value in its stored form, if the sentence says it."""
    if item == "name":
        said = names.claims(value, sentence, answer=answer, companion=companion)
        return names.written(value) if said else None
    if item == "age":
        age = ages.number(value)
        return str(age) if age and ages.claims(age, sentence, answer=answer) else None
    gender = genders.WORDS.get(value.lower(), "")
    return gender if genders.claims(gender, sentence, answer=answer) else None
