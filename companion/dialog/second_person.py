"""From "I am seven" to "You are seven": what a person said, said back to that person."""

from __future__ import annotations

import re

_FORMS = {
    "i'm": "you're",
    "i am": "you are",
    "am i": "are you",
    "i was": "you were",
    "was i": "were you",
    "i've": "you've",
    "i'll": "you'll",
    "i'd": "you'd",
    "i": "you",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
}
_FIRST_PERSON = re.compile(rf"\b(?:{'|'.join(_FORMS)})(?!\w|['’]\w)", re.IGNORECASE)


def in_second_person(sentence: str) -> str:
    """The sentence with every form of "I" turned into "you"."""
    turned = _FIRST_PERSON.sub(lambda found: _FORMS[found[0].lower()], sentence.replace("’", "'"))
    return turned[:1].upper() + turned[1:]
