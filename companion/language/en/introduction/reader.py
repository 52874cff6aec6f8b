"""What people say about themselves when they introduce themselves.

Patterns find what was said whether or not the model notices it, and they check what the model
claims: a value that nobody said about themselves is not accepted (design decision 5). The paper's
system asks again for what it has been told (section 4.6); these patterns prevent that.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.language.en import sentences
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


def claimed(
    item: CoreItem, value: str, words: Sequence[str], *, asked: bool, companion: str
) -> CoreStatement | None:
    """A value that the model extracted, if one of the messages says it of its speaker.

    words: what the person said lately, newest last. asked: the companion had just asked for it,
    so that the newest message may be a bare answer.
    """
    for age, message in enumerate(reversed(words)):
        for sentence in sentences.split(message):
            answer = asked and age == 0 and len(sentence.split()) <= 6
            held = _held(item, value.strip(), sentence, answer, companion)
            if held is not None:
                return CoreStatement(item, held, sentence)
    return None


def declines(words: str) -> bool:
    """Whether an answer says that the person would rather not tell."""
    return _DECLINES.search(words) is not None


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
