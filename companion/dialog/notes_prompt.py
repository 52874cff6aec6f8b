"""A prompt of its own for questions about earlier days: notes, question, one sentence.

In the dialog's prompt a small model goes on talking; here all it is shown is how notes are read.
The examples are of people nobody has. A model with an adapter reads them better too.
"""

from __future__ import annotations

from itertools import pairwise

from companion import language
from companion.dialog.window import Window
from companion.engines.protocols import ChatMessage
from companion.recall.notes import THEY, YOU
from companion.safety.sanitize import sanitized

SYSTEM = (
    "You answer questions of a person out of notes of what they told you on earlier days. "
    '"They" in the notes is the person who asks, "You" is you. Answer with one short sentence to '
    "the person, in which everything comes from the notes. What was told later counts, where notes "
    "differ. Take care who did something: they, or somebody else. If the notes do not tell it, say "
    "only: I don't remember."
)

MOST_TOKENS = 60

LAST, FITTING, CHARACTERS = 6, 4, 160
"""Exchanges of the running talk that are shown: the last, those before that have most of the
question's words, with those that go on with them, and how much of each message."""

JUST_NOW = "Just now:"
"""Begins the line of an exchange of the running talk."""

_EXAMPLES = (
    (
        (
            "Monday 4 May (six days ago): They: my brother Sam has a snake its called Noodle. "
            "i have a fish, Bob",
            "Friday 8 May (two days ago): They: Noodle got out and it was in the laundry",
        ),
        "What's my pet called?",
        "Your fish is called Bob.",
    ),
    (
        (
            "Tuesday 5 May (five days ago): They: the swimming thing is on Thursday (14 May)",
            "Saturday 9 May (yesterday): They: no they moved it, its Friday (15 May) now. Mum "
            "wrote it down",
        ),
        "When's my swimming thing?",
        "It's on Friday 15 May.",
    ),
    (
        (
            "Sunday 3 May (a week ago): They: Aunt Ruth makes the best soup, leek. I don't like "
            "leek",
            "Thursday 7 May (three days ago): You: Who came? They: Ruth. She brought her dog and "
            "he ate my sock",
        ),
        "What's the name of Aunt Ruth's dog?",
        "I don't remember.",
    ),
    (
        (
            "Wednesday 6 May (four days ago): They: Ben fell off the wall and broke his arm. I "
            "only had a scratch",
        ),
        "Did I break my arm?",
        "No, that was Ben. You only had a scratch.",
    ),
    (
        (
            "Monday 4 May (six days ago): They: can't have kiwi, my lips swell up",
            "Friday 8 May (two days ago): They: we had kiwi colored paint",
        ),
        "Which fruit am I not allowed?",
        "Kiwi: it makes your lips swell up.",
    ),
    (
        (
            "Saturday 9 May (yesterday): You: What did you build? They: a den behind the shed, out "
            "of pallets",
            "Saturday 9 May (yesterday): They: Dad's got a new saw",
        ),
        "What street do I live in?",
        "I don't remember.",
    ),
)

EXAMPLE_NAMES = ("Sam", "Noodle", "Bob", "Ruth", "Ben")
"""Whom the examples name."""


def head() -> tuple[ChatMessage, ...]:
    """The beginning of every such prompt."""
    found = [ChatMessage("system", SYSTEM)]
    for notes, question, answer in _EXAMPLES:
        asked = ChatMessage("user", _message("\n".join(notes), question))
        found += [asked, ChatMessage("assistant", answer)]
    return tuple(found)


def message(block: str, window: Window, words: str) -> str:
    """Notes, the last of the running talk, and the question. block: a note a line."""
    lines = [*block.split("\n"), *_just_now(window, words)]
    return _message("\n".join(map(sanitized, filter(None, lines))), sanitized(words))


def continues(one: str, other: str) -> bool:
    """Whether a line goes on with the one before it: both are of one day, or of the running talk,
    and the later begins with somebody named before."""
    day, _, said = other.partition(": ")
    theirs = said.rpartition(f"{THEY}: ")[2]
    return one.startswith(f"{day}: ") and language.recollection.goes_on(theirs)


def _just_now(window: Window, words: str) -> list[str]:
    """What they said, each with the question that it answers, as notes of earlier days have it;
    with the whole replies where it is these that are asked for."""
    shared = language.recollection.shared
    fit = [(shared(words, each.user or ""), each.number) for each in window[:-LAST]]
    best = sorted((one for one in fit if one[0] > 0), reverse=True)[:FITTING]
    shown = {number for _, number in best} | {each.number for each in window[-LAST:]}
    for one, other in pairwise(window):  # "he's called Biscuit" is of the puppy before it
        both = {one.number, other.number}
        if both & shown and language.recollection.goes_on(other.user or ""):
            shown |= both
    whole = language.recollection.of_companion(words)
    said, before = [], ""
    for each, theirs in zip(window, _meant(window), strict=True):
        asked = "" if whole else _question(before)
        before = each.reply or ""
        if each.number in shown:
            question = f" {YOU}: {asked[:CHARACTERS]}" if asked else ""
            theirs = f" {THEY}: {theirs[:CHARACTERS]}" if theirs else ""
            ours = f" {YOU}: {before[:CHARACTERS]}" if before and whole else ""
            said.append(f"{JUST_NOW}{question}{theirs}{ours}")
    return said


def _meant(window: Window) -> list[str]:
    """Their messages with what they put right of them, at once or in the next one."""
    later = [each.user or "" for each in window[1:]]
    found = []
    for each, after in zip(window, [*later, ""], strict=False):
        said = each.user or ""
        right = language.third_turn_repair.repaired(said, each.reply or "", after)
        found.append(language.self_repair.repaired(right or said))
    return found


def _question(reply: str) -> str:
    """That with which a reply ends; "" for none."""
    last = (language.sentences.split(reply) or [""])[-1]
    return last if last.endswith("?") else ""


def _message(notes: str, question: str) -> str:
    return f"{notes}\n\n{question}"
