"""May I eat that? Where somebody cannot eat or drink something, no small model gives leave.

With "I can't drink milk" before its eyes a 1.5B still said yes to a milkshake, whatever the note
beside it said. So what was told is said back, and a grown-up decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.dialog.question import asking, content_words, sentences
from companion.dialog.second_person import in_second_person
from companion.diet import CANNOT_EAT
from companion.records import Memory, Turn

_FOOD = (
    r"almonds?|apples?|bananas?|beans?|berr(?:y|ies)|biscuits?|bread|burgers?|butter|cakes?|candy|"
    r"candies|cashews?|cereals?|cheese|chicken|chips|chocolates?|cocoa|cola|cookies?|cream|crisps|"
    r"cupcakes?|dinner|donuts?|doughnuts?|drinks?|eggs?|fish|food|fruits?|gum|hazelnuts?|honey|"
    r"ice cream|jam|juice|lemonade|lollipops?|lunch|meat|milk|milkshakes?|muffins?|noodles|"
    r"nutella|nuts?|oranges?|pancakes?|pasta|peanuts?|pies?|pizzas?|popcorn|prawns?|pudding|"
    r"sandwich(?:es)?|sausages?|seafood|seeds?|shakes?|shrimps?|smoothies?|snacks?|sodas?|soup|"
    r"strawberr(?:y|ies)|sweets?|toast|treats?|waffles?|walnuts?|wheat|yogh?urts?"
)
_LEAVE = re.compile(
    r"\b(?:can|could|may|should|shall|might) (?:i|we)\b|\bam i allowed\b|\bwhat if i\b"
    r"|\bis it (?:ok|okay|fine|safe|bad|good|alright|all right)\b"
    r"|\b(?:ok|okay|safe) (?:for me|if i)\b",
    re.I,
)
_EATS = re.compile(r"\b(?:eat|drink|swallow|lick)(?:ing)?\b", re.I)
_HAS = re.compile(rf"\b(?:have|try|taste|get|take|cook|bake|buy)\b.*\b(?:{_FOOD})\b", re.I)
_OF_ONESELF = re.compile(r"\b(?:i|i['’]\w+|me)\b", re.I)
_OF_USER = re.compile(r"The user (?!['’])")
"""A memory of the person, not of "the user's brother"."""

ASK_A_GROWN_UP = "Please ask a grown-up before you eat or drink that."


def asks_leave(words: str) -> bool:
    """Whether somebody asks to eat or to drink something."""
    asked = asking(words)
    eats = _EATS.search(asked) or _HAS.search(asked)
    return bool(eats and _LEAVE.search(asked))


def told(known: Sequence[Memory], turns: Sequence[Turn]) -> list[str]:
    """What the person said it cannot eat or drink, in its own words, newest first.

    known: memories, newest first. turns: those that no night has gone over, in order.
    """
    said = [
        sentence
        for turn in reversed(turns)
        if turn.user is not None and turn.stopped is None
        for sentence in sentences(turn.user.text)
        if CANNOT_EAT.search(sentence) and _OF_ONESELF.search(sentence) and not asking(sentence)
    ]
    cited = [
        each.sources[0].quote
        for each in known
        if each.sources and _OF_USER.match(each.text) and CANNOT_EAT.search(each.text)
    ]
    return said + cited


def answer(words: str, told: Sequence[str]) -> list[str]:
    """The sentences of the reply; none when nothing that was told forbids.

    What shares a word with the question comes before what is newer.
    """
    if not told:
        return []
    asked = [word.lower() for word in content_words(words)]
    best = in_second_person(max(told, key=lambda said: _shared(asked, said)).strip(" .,;:!?"))
    return [f"You told me: {best[:1].lower()}{best[1:]}.", ASK_A_GROWN_UP]


def _shared(asked: Sequence[str], said: str) -> int:
    """Words that both have, also one within the other: "milk" and "milkshake"."""
    known = [word.lower().rstrip("s") for word in content_words(said) if len(word) > 2]
    return sum(any(word in each or each in word for word in known) for each in asked)
