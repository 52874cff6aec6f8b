"""When two facts say the same, as far as code can tell without a model."""

from __future__ import annotations

import re

from companion.consolidation.ground import RELATION
from companion.consolidation.words import content, names, negated, numbers, stem, words

SAME_COSINE = 0.9
"""From here on two facts with equal numbers, names and polarity are one. On MiniLM: "likes
painting" and "enjoys painting pictures" 0.90, "went for a run" and "goes running" 0.89."""

RELATED_COSINE = 0.45
"""Below this two facts have nothing to do with each other. On MiniLM: "lives in Leeds" and "is
moving to York" 0.48, "likes jazz" and "likes dogs" 0.36."""

_ONE_ONLY = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"favou?rite (?P<of>\w+)(?: \w+)? (?:is|are|was)\b",
        r"\b(?P<of>best friend|teacher|trainer|coach|birthday|bedtime)(?:'s name)? is\b",
        r"\b(?:lives?|living|stays?) (?:in|at|with|near)\b",
        r"\bgoes to .*\b(?:school|academy|nursery|kindergarten|college|university)\b",
        r"\bgoes to\b",
        r"\bworks? (?:at|as|for|in)\b",
        r"\bis in (?:the )?(?:\w+ )?(?:year|grade|class)\b",
        r"\bwants to (?:be|become)\b",
    )
)
"""What a person has one of at a time."""

_CHANGE = re.compile(
    r"\b(?:moved|moving|no longer|any ?more|stopped|quit|now|instead|changed|changing|used to|sold|"
    r"lost|died|dead|gave (?:up|away)|broke|switched|cancell?ed|finished|left|ended)\b",
    re.I,
)


def same(a: str, b: str, cosine: float) -> bool:
    """Whether b says nothing that a does not: equal words, or near duplicates."""
    if _plain(a) == _plain(b):
        return True
    if _marks(a) != _marks(b):
        return False
    return cosine >= SAME_COSINE or sorted(content(a)) == sorted(content(b))


def same_but_for_numbers(a: str, b: str) -> bool:
    """ "has 2 bicycles" and "has 3 bicycles"."""
    return (
        numbers(a) != numbers(b)
        and bool(numbers(a)) == bool(numbers(b))
        and _without_numbers(a) == _without_numbers(b)
        and negated(a) == negated(b)
    )


def same_but_denied(a: str, b: str) -> bool:
    """ "likes football" and "does not like football any more"."""
    return negated(a) != negated(b) and _without_numbers(a) == _without_numbers(b)


def covers(a: str, b: str) -> bool:
    """Whether a says all that b says, and more, of the same person."""
    mine, theirs = set(content(a)), set(content(b))
    if any(RELATION.fullmatch(word) for word in mine - theirs):
        return False
    return theirs < mine and negated(a) == negated(b) and numbers(b) <= numbers(a)


def may_replace(old: str, new: str) -> bool:
    """Whether a new fact can make an old one untrue: it tells of a change, or both are about
    something that a person has one of. Facts of other forms stand side by side."""
    if _CHANGE.search(new):
        return True
    for pattern in _ONE_ONLY:
        before, after = pattern.search(old), pattern.search(new)
        if before and after:
            return [stem(g) for g in before.groups()] == [stem(g) for g in after.groups()]
    return False


def _plain(text: str) -> list[str]:
    return [word.lower() for word in words(text) if word.lower() not in ("the", "a", "an")]


def _marks(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    return numbers(text), names(text), negated(text)


def _without_numbers(text: str) -> list[str]:
    denials = {"any", "longer", "not", "no", "more", "doesn't", "doesn’t", "don't", "never", "hat"}
    return sorted(stem for stem in content(text) if not stem.isdigit() and stem not in denials)
