"""What a person's words ask of memory: which words to look for, whose side, and how much.

Cheap rules, no model: they decide how much is recalled, never what is true.
"""

from __future__ import annotations

import re

from companion.language.en import sentences
from companion.language.en.words import QUERY_WORDS
from companion.language.tables import Table
from companion.language.types import Question, Side

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_HOW_COME = _TABLE.words("how_come")

FEWEST_OF_CLAUSE = 3
"""Words of a clause that asks."""

_COMMA = re.compile(",")
_QUOTES = " \"'“”"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def read(query: str, previous: str | None) -> Question:
    """Read a person's words. `previous` is what they said before, if anything."""
    text = query
    if not content_words(query) and previous and _RE.asks.search(query):
        text = f"{previous} {query}"  # "And what did I say about it?"
    asked = asking(query)
    by_companion = _RE.companion_said.search(query)
    by_both = _RE.both_said.search(query)
    # "What was its name?"
    points_back = _RE.points_back.search(asked) and not _RE.of_you.search(asked)
    of_me = _RE.mine.search(query if points_back else asked) and not _RE.wants_advice.search(asked)
    about_past = _RE.remembering.search(query) or (asked and (by_companion or by_both)) or of_me
    asks = bool(asked or about_past)
    # In the third person ("What is the hamster called?") either may have said it.
    of_either = by_both or (asks and not of_me and not _RE.mine.search(query))
    side: Side = "companion" if by_companion else "both" if of_either else "person"
    return Question(
        text=text,
        content=tuple(_content(text)),
        side=side,
        of_asking=bool(_RE.asked.search(query)),
        asks=asks,
        about_past=bool(about_past),
    )


def asking(text: str) -> str:
    """Those of the sentences that ask something; "" when none does."""
    return " ".join(each for each in sentences.split(text) if _RE.asks.search(each.strip(_QUOTES)))


def opens_with(text: str) -> str:
    """What a question asks for, by the first words that say so: "how many", "why"; "" where none
    does, as in one that is answered with yes or no."""
    found = _RE.opens_with.search(text)
    if found is None:
        return ""
    opens = found.group().lower()
    return "why" if opens in _HOW_COME else opens


def last_clause(text: str) -> str:
    """What begins with the last word that opens a question: "we saw a shark so why do they sleep"
    asks "why do they sleep". All of it where there is none, or only a word or two after it."""
    begins = [each.start() for each in _RE.clause.finditer(text)]
    long = [at for at in begins if len(text[at:].split()) >= FEWEST_OF_CLAUSE]
    return text[long[-1] :] if long else text


def first_clause(text: str) -> str:
    """What stands before a comma, where a question opens there: what comes after it mostly says why
    somebody asks. A name before it ("Pip, why ...") is part of it. All of it where none does."""
    for comma in _COMMA.finditer(text):
        first = text[: comma.start()]
        if len(first.split()) > FEWEST_OF_CLAUSE:
            return first if _RE.opens_first.search(first) else text
    return text


def about(text: str, topic: str) -> str:
    """A question with what it is about in place of the first word that stands for it: "do they
    sleep" asks "do hedgehogs sleep"; "" where there is no such word."""
    found = _RE.points_at.search(text)
    return f"{text[: found.start()]}{topic}{text[found.end() :]}" if found else ""


def of_what_was(text: str) -> bool:
    """Whether words ask how something was before it changed."""
    return _RE.before.search(text) is not None


def for_a_fact(text: str) -> bool:
    """Whether words are a short, plain question for one fact of the person's life."""
    return _RE.of_a_fact.match(text) is not None


def of_a_life(text: str) -> bool:
    """Whether words ask for something in the person's life, or of somebody of theirs, that only
    what was told can answer, in one of their sentences."""
    return any(_RE.of_a_life.search(each) for each in (text, *sentences.split(text)))


def content_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in order. "teacher's" becomes "teacher":
    otherwise the search would match every "'s" in the log."""
    return [text[start:end] for start, end in _content(text)]


def _content(text: str) -> list[tuple[int, int]]:
    """Where the content words stand."""
    found = []
    for each in _WORD.finditer(text):
        word = each[0].replace("’", "'").lower()
        if word not in QUERY_WORDS:
            found.append((each.start(), each.start() + len(word.removesuffix("'s"))))
    return found
