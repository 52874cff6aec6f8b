"""Every prompt of the inactive phase: instructions, examples, and the forms of the answers.

Every change here changes what is remembered: measure it with `companion eval extraction`. The
examples mention nothing that a child is likely to say, because small models copy from them.
"""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from typing import Literal

from companion import language
from companion.records import BigFive

Verdict = Literal["same", "replaces", "adds"]
"""The model's possible answers on a new note compared with an old one."""

# --- drafting: one message (extract) -----------------------------------------------------------

DRAFT_INSTRUCTIONS = (
    "You keep a notebook about one person, the user. For each message, note what it tells about "
    "the user: one short complete sentence per line, beginning with The user. Keep names, numbers "
    "and times. Keep to what the user says. When there is nothing to note, write none."
)
DRAFT_EXAMPLES = (
    (
        "Our tortoise Mabel turned three on Sunday, and I fed her strawberries.",
        "The user has a tortoise named Mabel.\n"
        "The user's tortoise Mabel turned three on Sunday.\n"
        "The user fed Mabel strawberries on Sunday.",
    ),
    ("I wonder why the moon follows me when I walk.", "none"),
    (
        "(Do you play an instrument?) Yes, the trombone, since last winter.",
        "The user has played the trombone since last winter.",
    ),
    (
        "My uncle Osric repairs clocks, but I can't stand the ticking.",
        "The user's uncle Osric repairs clocks.\nThe user can't stand ticking.",
    ),
    ("It was really sunny there and everything I saw looked pretty.", "none"),
)
DRAFT_FORM = "sentences, one per line, each beginning with The user; or the one word none"
NOTHING = "none"
"""The answer when a message holds nothing to note."""

_LINE_CHARACTERS = 110


@cache
def example_words() -> frozenset[str]:
    """Stems of the words in the examples, which show up when a model copies them."""
    return frozenset().union(
        *(language.words.stems(text) for pair in DRAFT_EXAMPLES for text in pair)
    )


def earlier(summary: str) -> str:
    """The summary of the earlier part of a long conversation, put as a message of the user."""
    return f"(Earlier in this talk: {summary}) Let's go on."


def draft_grammar(facts: int) -> str:
    """GBNF: `none`, or lines about the user, with a bound on their number and length."""
    return (
        f'root ::= "none" | line ("\\n" line){{0,{facts - 1}}}\n'
        f'line ::= "The user" [^\\n]{{4,{_LINE_CHARACTERS}}}\n'
    )


# --- summing up (chunks) -----------------------------------------------------------------------

SUMMARY_INSTRUCTIONS = (
    "You sum up talks between a person, the user, and a companion. Write up to three short "
    "sentences: what they spoke of, and what matters for the rest of the talk."
)
SPEAKERS = {"user": "User", "assistant": "Companion"}
"""The names of the two speakers in transcripts."""


def summary_request(transcript: str, before: str | None) -> str:
    """The request to sum up a part of a conversation, with the summary of what came before it."""
    known = f"Before that: {before}\n\n" if before else ""
    return f"{known}{transcript}\n\nSum this up."


# --- comparing two notes (refine) ---------------------------------------------------------------

COMPARE_INSTRUCTIONS = (
    "Compare two notes about one person. Answer with one word: same when the new note repeats "
    "the old one, replaces when the old note is no longer true, adds when both stay true."
)
COMPARE_EXAMPLES: tuple[tuple[str, str, Verdict], ...] = (
    ("The user lives in Oslo.", "The user has moved to Bergen.", "replaces"),
    ("The user plays chess with Ingrid.", "The user won a chess cup.", "adds"),
    ("The user enjoys baking rye bread.", "The user likes to bake rye bread.", "same"),
    ("The user has a canary.", "The user got a second canary, Pippa.", "adds"),
)
COMPARE_GRAMMAR = 'root ::= "same" | "replaces" | "adds"'
COMPARE_FORM = "one of the words same, replaces, adds"


def comparison(old: str, new: str) -> str:
    """The request to compare two notes."""
    return f"Old: {old}\nNew: {new}"


# --- character (profile) ------------------------------------------------------------------------

_TRAITS = ", ".join(field.name for field in fields(BigFive))
CHARACTER_INSTRUCTIONS = (
    "Say what a person is like, from things they said: their character, not what happened to "
    "them; no names. Answer with JSON: summary, one short sentence that begins with The user is, "
    f"and big_five, five scores for {_TRAITS}: 1 very low, 3 average, 5 very high, "
    "null when the words do not show it."
)
CHARACTER_EXAMPLE_SCORES = [None, 5, 2, 4, 4]
CHARACTER_EXAMPLE = (
    "I checked my rucksack three times before the trip.\n"
    "I don't mind waiting while my cousin ties his boots.\n"
    "I stayed by the wall at the party until my aunt came.",
    '{"summary": "The user is careful and patient, and shy among many people.", "big_five": '
    f"{json.dumps(CHARACTER_EXAMPLE_SCORES)}}}",
)
CHARACTER_FORM = '{"summary": "The user is ...", "big_five": [3, null, 4, 5, 2]}'
CHARACTER_GRAMMAR = (
    r'root ::= "{\"summary\": \"The user is " [^"\\\n]{10,120} "\", \"big_five\": [" '
    r'score ", " score ", " score ", " score ", " score "]}"'
    '\nscore ::= [1-5] | "null"\n'
)


# --- an answer in the wrong form (structured) -----------------------------------------------------

FORM_INSTRUCTIONS = (
    "You put notes into the asked form. Change nothing else, leave out what makes no "
    "sense, add no remarks.\nForm: "
)
