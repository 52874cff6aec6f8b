"""Allergies, health and diets: the things that a message names, misspelt and misheard too."""

from __future__ import annotations

from companion.language.en.health.cues import eats, flags, says_of_health
from companion.language.en.health.things import Found, covered, find, is_food, way
from companion.language.en.health.words import plain


def may_tell(words: str) -> bool:
    """Whether a message, which `plain` has spelled, can tell of something that is not borne: it
    names a thing and says something of health, or names a condition."""
    of_health, condition = says_of_health(words)
    return condition or (of_health and bool(find(words).named))


__all__ = ["Found", "covered", "eats", "find", "flags", "is_food", "may_tell", "plain", "way"]
