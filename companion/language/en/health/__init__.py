"""Allergies, health and diets: the things that a message names, misspelt and misheard too."""

from __future__ import annotations

from companion.language.en.health.cues import eats, flags
from companion.language.en.health.things import Found, covered, find, is_food, way
from companion.language.en.health.words import plain

__all__ = ["Found", "covered", "eats", "find", "flags", "is_food", "plain", "way"]
