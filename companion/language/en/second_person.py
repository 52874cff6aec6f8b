"""From "I am seven" to "You are seven": what a person said, said back to that person."""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_FORMS = _TABLE.mapping("forms")
_FIRST_PERSON = _TABLE.pattern("first_person")


def in_second_person(sentence: str) -> str:
    """The sentence with every form of "I" turned into "you"."""
    turned = _FIRST_PERSON.sub(
        lambda found: _FORMS.get(found[0].lower(), found[0]),  # "İ" is no "i" in lower case
        sentence.replace("’", "'"),
    )
    return turned[:1].upper() + turned[1:]


def phrase_in_second_person(phrase: str) -> str:
    """The same for a phrase within a sentence: "my hamster" is "your hamster"."""
    turned = in_second_person(phrase)
    return turned[:1].lower() + turned[1:]
