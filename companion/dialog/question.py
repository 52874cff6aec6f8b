"""What a person's words ask of memory: which words to look for, whose side, and how much.

Cheap rules, no model: they decide how much is recalled, never what is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Side = Literal["person", "companion", "both"]
"""Whose words a question is after."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_FUNCTION_WORDS = frozenset(
    """
    a about above after again ago all also am an and any are aren't as ask asked at be
    because been before being but by called can can't could couldn't day days did didn't do
    does doesn't doing don't done down each every first for from get got had has have
    haven't having he he's her here hers him his how i i'd i'll i'm i've if in into is isn't
    it it's its just know last let let's like me mention mentioned more most my name no not
    now of off ok okay on once one only or other our out over own please really recently
    recommend recommended remember right said same say share shared she she's should so some
    such suggest suggested talk talked tell than that that's the their them then there
    there's these they they're thing things this those time to today told tomorrow too under
    until up us very was wasn't we we're well were what what's when where which while who
    whom whose why will with would yes yesterday you you'd you'll you're you've your yours
    """.split()
)
"""Words that say nothing about what is looked for; the verbs of remembering among them."""

_SAYING = (
    r"(?:recommend|suggest|advis|tell|told|teach|taught|say|said|mention|shar|giv|gave|explain|"
    r"promis|sang|sing|show|describ|propos)\w*"
)
_COMPANION_SAID = re.compile(
    rf"\byou(?:['’]ve|['’]d)? (?:(?!i\b|me\b|my\b|we\b)\w+ ){{0,2}}{_SAYING}\b"
    r"|\byour (?:\w+ )?(?:advice|suggestions?|recommendations?|tips?|ideas?|answer|story|joke)\b",
    re.I,
)
_BOTH_SAID = re.compile(
    r"\b(?:did|have|had) we\b|\bwe(?:['’]ve| have| had)? (?:talk|discuss|chat|spoke|said|play|made|"
    r"make|sing|sang|read)\w*|\bour (?:\w+ )?(?:conversation|talk|chat|game|story)s?\b",
    re.I,
)
_ABOUT_ME = re.compile(r"\b(?:i|me|my|mine|myself|we|our|us)\b|\bi['’]", re.I)
_ASKS = re.compile(
    r"\?|^(?:what|which|who|whose|whom|where|when|why|how|do|does|did|is|are|am|was|were|have|has|"
    r"can|could|tell|guess|remember)\b",
    re.I,
)
_REMEMBERING = re.compile(
    r"\bremember|\bremind\b|\bforg[eo]t|\blast time\b|\bthe other day\b|\bonce\b|\bearlier\b", re.I
)


@dataclass(frozen=True)
class Question:
    """What is looked for."""

    text: str
    """What is embedded: the query, with what was said before when it says little by itself."""

    words: str
    """Its content words; empty when there are none."""

    side: Side
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
    said_by_companion = _COMPANION_SAID.search(query)
    side: Side = "person"
    if said_by_companion:
        side = "companion"
    elif _BOTH_SAID.search(query):
        side = "both"
    asks_of_me = bool(_ASKS.search(query.strip(" \"'“”")) and _ABOUT_ME.search(query))
    about_past = bool(said_by_companion or asks_of_me or _REMEMBERING.search(query))
    return Question(text, " ".join(words), side, about_past)


def content_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in order."""
    return [
        word
        for word in _WORD.findall(text)
        if word.lower().replace("’", "'") not in _FUNCTION_WORDS
    ]
