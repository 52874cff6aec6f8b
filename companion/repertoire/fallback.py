"""Fallback replies: what is said to a message of which little more than its kind is known.

A small model answers tellings and feelings passably, and wishes, questions, clues and corrections
badly (docs/experiments.md, "Fallback replies"). So what nobody was sure of and what is of such a
kind gets a reply that is right whatever the details are. The replies are in fallback.yaml.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from companion import language
from companion.answering import Heard
from companion.repertoire.banks import by_kind
from companion.repertoire.listening import HARMLESS, TOLD
from companion.repertoire.packs import Entry
from companion.repertoire.situations import MOST_DANGER

FILE = Path(__file__).with_name("fallback.yaml")

KINDS: dict[str, tuple[str, ...]] = {
    "guessing": ("game_move",),
    "game_wish": ("ask_game",),
    "song_wish": ("ask_song",),
    "about_toy": ("about_toy",),
    "advice": ("advice",),
    "hard_question": ("hard_question",),
    "fact_question": ("fact_question", "why_question"),
    "time_question": ("ask_time",),
    "insult": ("insult",),
    "correction": ("correction",),
}
"""Acts by the kind of reply. All others are the model's."""

MODEL = (*TOLD, "feeling_afraid", "bored")
"""Acts that together may not be likelier than the kind."""

LEAST, LEAST_OF_GUESSING = 0.35, 0.5
"""Least probability of a kind."""

ASK = ("about_toy", "advice", "hard_question", "fact_question", "time_question")
"""Kinds whose message has to ask something in so many words, too, and whose replies are no less
right where the guard is not quite easy."""


def shipped(path: Path = FILE) -> dict[str, Entry]:
    """The replies, by kind. Raises OSError, yaml.YAMLError."""
    return by_kind(path, "fallback")


def entry(written: Mapping[str, Entry], heard: Heard, danger: float) -> Entry | None:
    """The replies for a message that nobody else answers; None: the model does. danger: what the
    guard's classifier sees of it, 0 to 1."""
    likely = {kind: heard.reading.of(*acts) for kind, acts in KINDS.items()}
    kind = max(likely, key=likely.__getitem__)
    least = LEAST_OF_GUESSING if kind == "guessing" else LEAST
    if likely[kind] < max(least, heard.reading.of(*MODEL)):
        return None
    words = heard.words
    if kind in ASK and not (language.question.asking(words) or language.saying_back.asks(words)):
        return None
    if danger > (MOST_DANGER if kind in ASK else HARMLESS):
        return None
    guesses = language.variants.of("toy", heard.previous) in ("guesses", "plays")
    return written.get(kind) if guesses or kind != "guessing" else None
