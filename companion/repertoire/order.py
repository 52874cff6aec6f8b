"""Which goes first where both what a message does and its situation have a written reply, and where
either may be said."""

from __future__ import annotations

from companion import language
from companion.answering import Heard
from companion.repertoire.by_act import REMEMBERS
from companion.repertoire.listening import GREETS
from companion.repertoire.packs import Entry
from companion.repertoire.situations import HARMLESS, MOST_DANGER

CALM = ("about_toy/", "ask_cannot/", "hard_question/", "tells_joke/")
"""Replies by act that are no less right where the guard is not quite easy."""

NARROWER = (
    *("about_toy/", "ask_cannot/", "tells_joke/", "pretend/role_of_toy", "pretend/be"),
    *("pretend/sounds_so", "love/asks", "yes_no/", "short_answer/", "one_word/", "thanks/"),
    *("greeting/", "insult/", "nonsense/"),
)
"""Replies by act that know more of a message than its situation does: which part of the toy it asks
about, what it wants done."""

SHORT = 4
"""Words of a message of which the act says more than the situation."""


def is_safe(entry: Entry, danger: float) -> bool:
    """Whether a reply by act may be said. danger: what the guard's classifier sees of the message,
    0 to 1."""
    return danger <= (MOST_DANGER if entry.id.startswith(CALM) else HARMLESS)


def act_first(by_act: Entry | None, said: str) -> bool:
    """Whether what the message does goes before its situation. said: in the spelling of
    `wording`."""
    narrower = by_act is not None and by_act.id.startswith(NARROWER)
    return narrower or len(said.split()) <= SHORT


def closer(heard: Heard) -> bool:
    """Whether what is told comes with a greeting: it is answered, too, which goes before a
    situation that is only likely."""
    return heard.reading.of("greeting") >= GREETS


def may_be_known(entry: Entry, heard: Heard) -> bool:
    """Whether what is asked may have been told, so that recall goes first."""
    if not language.question.asking(heard.words):
        return False
    seldom = entry.id.startswith((*CALM, "situation/"))
    return not seldom or heard.reading.of("about_memory") >= REMEMBERS
