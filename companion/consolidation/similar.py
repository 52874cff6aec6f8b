"""When two facts say the same, as far as code can tell without a model."""

from __future__ import annotations

from companion.consolidation.words import content, names, negated, numbers, words

SAME_COSINE = 0.92
"""From here on two facts with equal numbers, names and polarity are one (MiniLM)."""

RELATED_COSINE = 0.55
"""Below this two facts have nothing to do with each other (MiniLM)."""


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
    """Whether a says all that b says, and more."""
    mine, theirs = set(content(a)), set(content(b))
    return theirs < mine and negated(a) == negated(b) and numbers(b) <= numbers(a)


def _plain(text: str) -> list[str]:
    return [word.lower() for word in words(text) if word.lower() not in ("the", "a", "an")]


def _marks(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    return numbers(text), names(text), negated(text)


def _without_numbers(text: str) -> list[str]:
    denials = {"any", "longer", "not", "no", "more", "doesn't", "doesn’t", "don't", "never", "hat"}
    return sorted(stem for stem in content(text) if not stem.isdigit() and stem not in denials)
