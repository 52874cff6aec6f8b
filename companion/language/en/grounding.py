"""What the wording of a drafted note shows: whom it is about, and whether it can be true.

The order in which a draft is checked against a message is in `consolidation/ground.py`.
"""

from __future__ import annotations

import re

from companion.language.en import introduction
from companion.language.en.kinship import RELATION
from companion.language.en.words import stem, stems
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

_VAGUE_WORDS = 2
"""A draft with at most this many words that refers to something else says nothing by itself."""


def tidy(line: str) -> str:
    """A drafted line as a sentence: no bullet, one space, a full stop and no exclamation mark."""
    text = re.sub(r"^[\s\-*•\d.)]+", "", line).strip()
    text = " ".join(text.split()).rstrip(" ,;:!")
    text = _RE.loose_subject.sub("The user", text)
    return text if not text or text[-1] in '.!?"”' else f"{text}."


def of_the_user(text: str) -> bool:
    """Whether a note is about the user, and does not use "I" or "you"."""
    return _RE.other_person.search(text) is None and _RE.subject.match(text) is not None


def of_the_assistant(text: str) -> bool:
    """Whether a note mentions the assistant that the user talks to."""
    return _RE.assistant.search(text) is not None


def of_the_talk(text: str) -> bool:
    """Whether a note is about the talk itself: that the user asks, thanks, agrees."""
    return _RE.about_the_talk.match(text) is not None


def of_the_profile(text: str) -> bool:
    """Whether a note says name, age or gender and nothing else: the profile holds them, and keeps
    up with a birthday; a memory would not."""
    if _RE.core.match(text):
        return True
    rest = own = _RE.being.sub("I am ", text)
    for told in introduction.said(own, asked=(), companion=""):
        rest = rest.replace(told.quote, "")
    return own != text and rest.strip(" .!") == ""


def empty(wanted: list[str]) -> bool:
    """Whether a note only names people and says nothing about them."""
    return all(RELATION.fullmatch(word) for word in wanted)


def vague(text: str, wanted: list[str]) -> bool:
    """Whether a note can only be understood with what was said before. wanted: its content
    words."""
    return len(wanted) <= _VAGUE_WORDS and _RE.points_elsewhere.search(text) is not None


def is_whole(said: str) -> bool:
    """Whether a message can be understood without the question that it answers."""
    return by_the_speaker(said) and _RE.yes_or_no.match(said) is None


def by_the_speaker(said: str) -> bool:
    """Whether the speaker is the subject of a clause."""
    return _RE.first_person.search(said) is not None


def liking_unsaid(text: str, said: str) -> bool:
    """Whether a note says that the user likes something, though their words show no liking."""
    return _RE.liking.search(text) is not None and _RE.liking_said.search(said) is None


def wish_as_fact(text: str, quote: str) -> bool:
    """Whether a note states as a fact what is only wished or planned."""
    return _RE.wish.search(quote) is not None and _RE.wish.search(text) is None


def someone_elses(text: str, quote: str) -> bool:
    """Whether a note says of the user what the quote says of somebody else."""
    verb = _RE.doing.match(text)
    if verb is not None:
        doers = _RE.doing_of_another.finditer(quote)
        if any(stem(doer[1]) == stem(verb[1]) for doer in doers):
            return True
    relation = RELATION.search(quote)
    if relation is None or by_the_speaker(quote):
        return False
    return stem(relation.group()) not in stems(text)


def of_character(text: str) -> bool:
    """Whether a sentence is only about a person's character: it neither guesses at age or gender
    nor says how to treat the person."""
    return _RE.guess.search(text) is None and _RE.bids.search(text) is None
