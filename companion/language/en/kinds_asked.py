"""What kind of thing a question asks for, and whether a text tells one of it.

A dog's name, a colour, an age, a day: a text that holds no such thing cannot be the answer, however
near it is in meaning. Nothing here knows what is true.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from companion.language.en import people, question
from companion.language.en.kinship import ONE_PERSON, RELATION
from companion.language.en.words import names, occurs, stem, stems
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()
_WORD = re.compile(r"\w+")
_SPEAKER = " They: "

_KINDS = (
    "middle_name",
    "surname",
    "first_name",
    "favourite",
    "colour",
    "age",
    "size",
    "number_of_it",
)
"""What questions ask for that a text can be seen to tell or not: `tells_...` in the table."""

_OF_WHICH_ONE_TELLS = ("day", "colour", "age", "size")
"""Those of which one text that tells the answer is to be told from others: each has a value of its
own."""


def asked_for(words: str) -> list[str]:
    """What kinds of thing a question asks for, as far as it can be seen whether a text tells them:
    a colour, an age, a surname."""
    asking = question.asking(words) or words
    return [each for each in _KINDS if getattr(_RE, each).search(asking)]


def of_one_value(words: str) -> str:
    """The kind of thing that a question asks for, where it has one value: a day, a colour, an age;
    "" otherwise."""
    asking = question.asking(words) or words
    return next((each for each in _OF_WHICH_ONE_TELLS if getattr(_RE, each).search(asking)), "")


def tells(kind: str, text: str, words: str) -> bool:
    """Whether a text tells something of that kind; of whomever, but of another no age that the
    speaker says of themselves."""
    if kind == "age" and not _RE.own.search(words):
        text = _RE.own_age.sub("", text)
    return getattr(_RE, f"tells_{kind}").search(text) is not None


def asks_name(asking: str) -> bool:
    """Whether a question asks for a name."""
    return _RE.name.search(asking) is not None


def names_if_asked(words: str, text: str) -> bool:
    """Whether a text tells a name, where a question asks for one."""
    asking = question.asking(words) or words
    return _RE.name.search(asking) is None or _RE.tells_name.search(text) is not None


def may_answer(words: str, text: str, beside: str = "") -> bool:
    """Whether a text can hold what is asked for: it, or what was said beside it, speaks of such a
    thing (of a dog, where a dog's name is asked), and it tells a colour where one is."""
    asking = question.asking(words) or words
    if (found := _RE.kind_of_one.search(asking)) is not None:
        kind = next(filter(None, found.groups()))
        there = stems(f"{text} {beside}")
        if not any(occurs(stem(each), there) for each in _variants(kind)):
            return False
    return all(tells(each, text, words) for each in asked_for(words))


def age_is_told_of(told: Collection[str], words: str, text: str) -> bool:
    """Whether one of the numbers stands behind somebody whom the question names, with nobody else
    between them, or nobody is named before it.

    told: numbers as stems. text: with numbers in figures, or in one word.
    """
    if _RE.own.search(words) and not RELATION.search(words):
        return True
    asked, whom = stems(words) | _linked(words, text), ""
    for word in _WORD.findall(_RE.own_age.sub(" ", text)):
        root = stem(word)
        if root in told and whom != "other":
            return True
        if root in asked and (root in names(f"x {text}") or RELATION.fullmatch(word)):
            whom = "asked"
        elif root in names(f"x {text}") or RELATION.fullmatch(word):
            whom = "other"
    return False


def _linked(words: str, text: str) -> frozenset[str]:
    """Names of the relations, and relations of the names, that a question names: of "my brother",
    Yusuf."""
    before, _, said = text.partition(_SPEAKER)
    found = people.relations(text) | people.relations(said, before)
    asked = stems(words)
    return frozenset(
        other
        for each in found
        for one, other in ((each.name, each.relation), (each.relation, each.name))
        if occurs(one, asked)
    )


def _variants(kind: str) -> tuple[str, ...]:
    """The words for one person: "mum" is "mother"."""
    return next((each for each in ONE_PERSON if kind.lower() in each), (kind,))
