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
from companion.engines.protocols import ChatMessage
from companion.records import BigFive

Verdict = Literal["same", "replaces", "adds"]
"""The model's possible answers on a new note compared with an old one."""

# --- drafting: one message (extract) -----------------------------------------------------------

SPEAKER_NAMES = ("Kim", "Lou", "Robin")
"""Under one of these a person's words are shown, and noted: with a name in place of "the user"
small models keep apart who did what. The first that the words themselves do not hold is taken;
`language.grounding.with_user` puts "the user" back."""

DRAFT_INSTRUCTIONS = (
    "You keep a notebook of what {name} tells. Read the talk, then note what {name}'s last message "
    "says: one short complete sentence per line, each clear by itself, with names and things in "
    "place of he, she, it and they. Say who it is about: {name}, or somebody else by name. Keep "
    "numbers and days. Keep to what is said. When it is play, a joke, a mood or a question, "
    "write none."
)
DRAFT_EXAMPLES = (
    (
        "Lovely! Who is Osric?",
        "my uncle. he mends clocks, he's got like ninety in the hall",
        "Osric is {name}'s uncle.\nOsric mends clocks and has about ninety in the hall.",
    ),
    (
        "Aye aye! Where do we sail?",
        "to the volcano! I have nine swords and a whale that flies",
        "none",
    ),
    (
        "Nice! What do you play there?",
        "trombone. since, um, since last winter. I can't stand the flute",
        "{name} has played the trombone since last winter.\n{name} can't stand the flute.",
    ),
    (
        "Was it Mabel, your tortoise?",
        "no, Mabel's the other one. it was Gus, he ate the strawberries",
        "{name}'s tortoise Gus ate the strawberries.\n{name}'s other tortoise is called Mabel.",
    ),
    (
        "Oh dear, did it break?",
        "yeah. whatever. I'm so bored, do whales sleep?",
        "none",
    ),
    (
        "The regatta is on Saturday! Are you rowing?",
        "no wait they moved it, it's Sunday. Edda was gonna row but she hurt her knee so it's me "
        "and my dad",
        "The regatta is on Sunday.\nEdda hurt her knee and can't row in the regatta.\n"
        "{name} and {name}'s dad row in the regatta.",
    ),
)
"""What the companion said, what the person said, and what it tells: fragments, play, an answer, a
correction, nothing, a day that moved."""

DRAFT_FORM = "short sentences, one per line; or the one word none"
NOTHING = "none"
"""The answer when a message holds nothing to note."""

_LINE_CHARACTERS = 110


@cache
def example_words() -> frozenset[str]:
    """Stems of the words in the examples, which show up when a model copies them."""
    return frozenset().union(
        *(language.words.stems(text) for each in DRAFT_EXAMPLES for text in each)
    )


def speaker_for(words: str) -> str:
    """The name under which somebody with these words is shown."""
    said = language.words.stems(words)
    free = (name for name in SPEAKER_NAMES if language.words.stem(name) not in said)
    return next(free, SPEAKER_NAMES[0])


def draft_request(said: str, before: str, name: str, summary: str) -> list[ChatMessage]:
    """The request for what a message tells. before: what the companion had said; "" for nothing.

    summary: of the earlier part of a long conversation; "" for none.
    """
    messages = [ChatMessage("system", DRAFT_INSTRUCTIONS.format(name=name))]
    for line, words, noted in DRAFT_EXAMPLES:
        messages += [
            ChatMessage("user", talk(line, words, name)),
            ChatMessage("assistant", noted.format(name=name)),
        ]
    if summary:
        messages += [
            ChatMessage("user", f"(Earlier in this talk: {summary}) Let's go on."),
            ChatMessage("assistant", NOTHING),
        ]
    return [*messages, ChatMessage("user", talk(before, said, name))]


def talk(before: str, said: str, name: str) -> str:
    line = f"Companion: {before}\n" if before else ""
    return f"{line}{name}: {said}"


def draft_grammar(facts: int) -> str:
    """GBNF: `none`, or sentences, with a bound on their number and length."""
    return (
        f'root ::= "none" | line ("\\n" line){{0,{facts - 1}}}\n'
        f"line ::= [A-Z] [^\\n]{{4,{_LINE_CHARACTERS}}}\n"
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


# --- as published: one whole chunk, and one draft against what is known (published) --------------

EXTRACT_INSTRUCTIONS = (
    "You read a talk between a person, the user, and a companion. Pick out what is worth "
    "remembering about the user for later talks: people, things, tastes, plans, what happened. "
    "One sentence for each memory, no two that say the same. Answer with JSON: "
    '{"memories": ["...", "..."]}'
)
EXTRACT_FORM = '{"memories": ["a sentence", "another sentence"]}'
_MOST_EXTRACTED = 24
EXTRACT_TOKENS = 40 * _MOST_EXTRACTED
_JSON_TEXT = r'"\"" ([^"\\\n]){4,160} "\""'
EXTRACT_GRAMMAR = (
    r'root ::= "{\"memories\": [" (text (", " text){0,' + f"{_MOST_EXTRACTED - 1}" + r'})? "]}"'
    f"\ntext ::= {_JSON_TEXT}\n"
)


def extraction_request(transcript: str, before: str | None) -> str:
    """The request for the memories in a part of a talk, with the summary of what came before."""
    known = f"Before that: {before}\n\n" if before else ""
    return f"{known}{transcript}\n\nWhat is worth remembering about the user?"


UPDATE_INSTRUCTIONS = (
    "You keep a list of what is known about a person, the user. You get a new memory, and known "
    "ones that are like it, with numbers. If the new one tells something besides them, add it. If "
    "it tells the same as one of them, or makes one of them untrue, overwrite that one, with the "
    "new memory or with one that says both. Examples:\n"
    'Known: 1. The user likes boats. New: The user once sailed to an island. Answer: {"action": '
    '"add", "to_overwrite": 0, "new_memory": "The user once sailed to an island."}\n'
    "Known: 1. The user sings. 2. The user has a canary. New: The user got a second canary, Pip. "
    'Answer: {"action": "overwrite", "to_overwrite": 2, "new_memory": "The user has two canaries, '
    'one of them Pip."}'
)
UPDATE_FORM = (
    '{"action": "add" or "overwrite", "to_overwrite": a number, "new_memory": "a sentence"}'
)
UPDATE_TOKENS = 90
UPDATE_GRAMMAR = (
    r'root ::= "{\"action\": \"" ("add" | "overwrite") "\", \"to_overwrite\": " [0-9] '
    r'", \"new_memory\": " text "}"'
    f"\ntext ::= {_JSON_TEXT}\n"
)


def update_request(known: list[str], new: str) -> str:
    """The request to add a memory, or to overwrite one of those that are known."""
    numbered = " ".join(f"{number}. {text}" for number, text in enumerate(known, start=1))
    return f"Known: {numbered} New: {new} Answer:"


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
