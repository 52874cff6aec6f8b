"""What somebody is about to do, and how a friend asks about it the day before and afterwards.

Only plain tellings of the speaker's own plans are read ("I have a spelling test", "we're going to
the zoo"), and only their own words are used. What is doubtful, denied, or about illness or grief is
left alone: asking about something that was not to be is worse than not asking.
"""

from __future__ import annotations

import re

from companion.language.en import negation, sentences
from companion.language.en.self_repair import repaired
from companion.language.tables import Table
from companion.language.types import Happening

_RE = Table.beside(__file__).patterns()
MOST_WORDS_OF_A_DAY = 4

_OURS = {"my": "your", "our": "your"}


def happening(words: str) -> Happening | None:
    """What a message says that its speaker is about to do; None when that is not plain."""
    if _RE.hushed.search(words):
        return None
    for sentence in sentences.split(repaired(words)):
        if _RE.others.search(sentence) or _RE.unsure.search(sentence):
            continue
        if negation.negated(sentence) or sentence.endswith("?"):
            continue
        match = _RE.event.search(sentence)
        if match is not None and (_is_own(match) or not _RE.others.search(words)):
            return _of_event(match)
        if (match := _RE.going.search(sentence)) is not None:
            return _of_place(match)
    return None


def names_a_day(words: str) -> bool:
    """Whether words are hardly more than a day: "On Wednesday."."""
    return len(words.split()) <= MOST_WORDS_OF_A_DAY and not negation.negated(words)


def _is_own(match: re.Match[str]) -> bool:
    """Whether the event is the speaker's by the sentence itself."""
    return bool(match["subject"]) or (match["whose"] or "").lower() in _OURS


def _of_event(match: re.Match[str]) -> Happening:
    whose, owner = (match["whose"] or "").lower(), match["owner"]
    if owner:
        name = f"your {owner}" if whose in _OURS else owner
    else:
        name = _OURS.get(whose, "" if " " in match["event"] else "the")
    what = match["what"].split()
    if match.start("what") == 0:  # a capital that only begins the sentence
        what[0] = what[0].lower()
    thing = " ".join([*name.split(), *what])
    return Happening(
        about=match["event"].lower(),
        said=match.string,
        at=match.end("event"),
        before=f"Tomorrow is {thing}, isn't it? How do you feel about it?",
        after=f"How was {thing}?",
    )


def _of_place(match: re.Match[str]) -> Happening:
    named, home = match["named"], match["home"]
    place = named or home or f"{_OURS.get(match['whose'].lower(), 'the')} {match['place'].lower()}"
    return Happening(
        about=(named or home or match["place"]).lower().replace("’", "'").removesuffix("'s"),
        said=match.string,
        at=match.end(),
        before=f"Tomorrow you are going to {place}, aren't you? Are you looking forward to it?",
        after=f"How was your trip to {named}?" if named else f"How was it at {place}?",
    )
