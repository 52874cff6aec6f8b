"""What a person's words ask of memory: which words to look for, whose side, and how much.

Cheap rules, no model: they decide how much is recalled, never what is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Side = Literal["person", "companion", "both"]
"""Whose words a question is after."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"”])\s+|\n+")
_QUOTES = " \"'“”"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_FUNCTION_WORDS = frozenset(
    """
    a about above after again ago all also am an and any are aren't as ask asked at be
    because been before being but by bye called can can't could couldn't day days did didn't
    do does doesn't doing don't done down each every first for from get goodbye got had haha
    has have haven't having he he's hello her here hers hey hi him his hmm how i i'd i'll
    i'm i've if in into is isn't it it's its just know last let let's like me mention
    mentioned more most my name no nope not now of off oh ok okay on once one only or other
    our out over own please really recently recommend recommended remember right said same
    say share shared she she's should so some such suggest suggested sure talk talked tell
    than thank thanks that that's the their them then there there's these they they're thing
    things this those time to today told tomorrow too um under until up us very was wasn't
    we we're well were what what's when where which while who whom whose why will with would
    yeah yep yes yesterday you you'd you'll you're you've your yours
    """.split()
)
"""Words that say nothing about what is looked for; the verbs of remembering among them."""

_SAID = (
    r"(?:recommended|suggested|advised|told|taught|said|mentioned|shared|gave|given|explained|"
    r"promised|sang|sung|showed|shown|described|proposed)"
)
_SAY = (
    r"(?:recommend|suggest|advise|tell|teach|say|mention|share|give|explain|promise|sing|show|"
    r"describe|propose)"
)
_BETWEEN = r"(?:(?!i\b|me\b|my\b|we\b)\w+ ){0,2}"
_COMPANION_SAID = re.compile(
    rf"\byou(?:['’]ve|['’]d| have| had)? {_BETWEEN}{_SAID}\b"
    rf"|\b(?:did|have|had) you {_BETWEEN}(?:{_SAY}|{_SAID})\b"
    r"|\b(?:was|were) your (?:\w+ )?(?:advice|suggestion|tip|idea|answer|story|joke)",
    re.I,
)
_BOTH_SAID = re.compile(
    r"\b(?:did|have|had) we\b|\bwe(?:['’]ve| have| had)? (?:talked|discussed|chatted|spoke|said|"
    r"played|made|sang|read)\b|\bour (?:\w+ )?(?:conversation|talk|chat|game|story)s?\b",
    re.I,
)
_ASKS = re.compile(
    r"\?|^(?:what|which|who|whose|whom|where|when|why|how|do|does|did|is|are|am|was|were|have|has|"
    r"can|could|tell|guess)\b",
    re.I,
)
_MINE = re.compile(r"\b(?:i|my|mine|we|our)\b", re.I)
_ASKED = re.compile(r"\bask(?:ed|ing)?\b|\bquestions?\b", re.I)
_POINTS_BACK = re.compile(r"\b(?:was|were|did|its?|they|them|their)\b", re.I)
_OF_YOU = re.compile(r"\b(?:you|your)\b", re.I)
_WANTS_ADVICE = re.compile(
    r"\b(?:can|could|should|shall|may|might|would|do|if) (?:i|we|you)\b(?! (?:remember|know|like))"
    r"|\bhow to\b",
    re.I,
)
"""The question looks ahead: "how can I", "would you"."""

_REMEMBERING = re.compile(
    r"\bremember|\bremind\b|\bforg[eo]t|\blast time\b|\bthe other day\b|\bi once\b", re.I
)


@dataclass(frozen=True)
class Question:
    """What is looked for."""

    text: str
    """What is embedded: the query, with what was said before when it says little by itself."""

    words: str
    """Its content words; empty when there are none."""

    side: Side
    of_asking: bool
    """It asks what was asked."""

    about_past: bool
    """It asks for something that was said before; other talk is given little, and only what is
    near."""


def read(query: str, previous: str | None) -> Question:
    """Read a person's words. `previous` is what they said before, if anything."""
    text = query
    words = content_words(query)
    if not words and previous and _ASKS.search(query):  # "And what did I say about it?"
        text = f"{previous} {query}"
        words = content_words(previous)
    asked = asking(query)
    by_companion = _COMPANION_SAID.search(query)
    by_both = _BOTH_SAID.search(query)
    points_back = _POINTS_BACK.search(asked) and not _OF_YOU.search(asked)  # "What was its name?"
    of_me = _MINE.search(query if points_back else asked) and not _WANTS_ADVICE.search(asked)
    about_past = _REMEMBERING.search(query) or (asked and (by_companion or by_both)) or of_me
    side: Side = "companion" if by_companion else "both" if by_both else "person"
    return Question(text, " ".join(words), side, bool(_ASKED.search(query)), bool(about_past))


def asking(text: str) -> str:
    """Those of the sentences that ask something; "" when none does."""
    return " ".join(each for each in sentences(text) if _ASKS.search(each.strip(_QUOTES)))


def sentences(text: str) -> list[str]:
    """The sentences of a text, as they stand in it."""
    return [each for each in _SENTENCE_END.split(text.strip()) if each]


def content_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in order; "teacher" of "teacher's", or each
    "'s" of the log would be looked for, too."""
    words = (word.replace("’", "'") for word in _WORD.findall(text))
    return [word.removesuffix("'s") for word in words if word.lower() not in _FUNCTION_WORDS]
