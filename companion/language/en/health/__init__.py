"""Allergies, health and diets: the things that a message names, misspelt and misheard too."""

from __future__ import annotations

from companion.language.en.health import cues
from companion.language.en.health.cues import does, eats, flags, surely_eats, takes_back
from companion.language.en.health.things import Found, covered, days, find, is_food, kinds, way
from companion.language.en.health.words import plain, without_names


def may_tell(words: str) -> bool:
    """Whether a message, which `plain` has spelled, can tell of something that is not borne."""
    return cues.may_tell(words, names=bool(find(words).named))


def asks_what_harms(words: str) -> bool:
    """Whether a message, which `plain` has spelled, asks which food does harm or must not be eaten:
    "what food makes my throat close up?"."""
    return cues.asks_what_harms(words, food=is_food(find(words).named))


__all__ = [
    "Found",
    "asks_what_harms",
    "covered",
    "days",
    "does",
    "eats",
    "find",
    "flags",
    "is_food",
    "kinds",
    "may_tell",
    "plain",
    "surely_eats",
    "takes_back",
    "way",
    "without_names",
]
