"""What a fact is about, by its words: enough for listings and for what must never fade."""

from __future__ import annotations

import re

from companion.consolidation.play import HEALTH
from companion.consolidation.worth import FAMILY
from companion.diet import CANNOT_EAT

_LASTING = re.compile(r"\bbirthday is\b|\bborn (?:on|in)\b", re.I)
_PLAN = re.compile(
    r"\b(?:will|plan(?:s|ned|ning)?|wants? to|is going to|is about to|hopes? to|intends?|"
    r"would like to|is (?:preparing|saving|considering|thinking)|dreams? of)\b",
    re.I,
)
_PREFERENCE = re.compile(
    r"\b(?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|favou?rite|fond of|fan of|adores?|"
    r"afraid of|scared of|can['’]t stand|interested in|obsessed)\b",
    re.I,
)
_RELATION = re.compile(
    rf"\b(?:{FAMILY}|friends?|husband|wife|son|daughter|teacher|girlfriend|boyfriend)\b"
    r"|\bhas (?:a|an|two|three|\d+) (?:\w+ )?(?:dogs?|cats?|pets?|rabbits?|hamsters?|fish|birds?|"
    r"pon(?:y|ies)|horses?|tortoises?|guinea pigs?)\b",
    re.I,
)
_PAST = re.compile(
    r"\b(?:was|were|went|had|did|saw|got|made|ate|met|found|bought|lost|won|broke|fell|"
    r"(?!need|feed)\w\w+ed)\b",
    re.I,
)


def kind_of(text: str, event_time: str | None) -> str:
    """`profile` (for good: health, birthday), `plan`, `preference`, `relation`, `event`, `fact`."""
    if any(each.search(text) for each in (HEALTH, CANNOT_EAT, _LASTING)):
        return "profile"
    if _PLAN.search(text):
        return "plan"
    if _PREFERENCE.search(text):
        return "preference"
    if event_time is not None and _PAST.search(text):
        return "event"
    if _RELATION.search(text):
        return "relation"
    return "event" if event_time is not None or _PAST.search(text) else "fact"
