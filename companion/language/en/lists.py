"""Lists as people say them: "milk, a box of eggs and Ticket to Ride", and the things in them.

By commas and "and" alone: no grammar tells a list from two clauses, so that whoever reads one asks
for what stands in it (`covers`, `is_clause`).
"""

from __future__ import annotations

import re

from companion.language.en import sentences
from companion.language.en.words import content, stems
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_NAME = re.compile(_TABLE.composed("(?&gaps.a_name)"))

MOST_ITEMS = 12
"""Of a list: what is longer is no list that somebody says."""

MOST_WORDS = 6
"""Of one thing of a list, and of what fills a gap."""


def items(sentence: str) -> list[str]:
    """The things of a list that a sentence tells, as they were said; [] where it tells none. The
    first may have words before it that could not be told from it."""
    body = _RE.announced.sub("", sentence.strip().rstrip(".!?…"))
    marks = [each for each in _RE.item_mark.finditer(body) if _RE.joining.search(each[0])]
    if marks and (after := _RE.item_mark.search(body, marks[-1].end())) is not None:
        body = body[: after.start()]  # its last thing has an "and" before it
    parts = [_RE.item_start.sub("", each.strip()) for each in _RE.item_mark.split(body)]
    parts = [each for each in parts if each]
    if not 2 <= len(parts) <= MOST_ITEMS:
        return []
    return [without_lead(parts[0]), *parts[1:-1], to_end(parts[-1])]


def things(listed: str) -> list[str]:
    """The things of a bare list, as they were said: "milk and a box of eggs"."""
    parts = _RE.item_mark.split(listed.strip().rstrip(".!?…"))
    return [each for part in parts if (each := _RE.item_start.sub("", part.strip()))]


def in_text(text: str) -> list[tuple[str, list[str]]]:
    """The lists of a text, each with the words that stand before it in its sentence."""
    found = []
    for sentence in sentences.split(text):
        told = items(sentence)
        if told and all(told):  # of one whose end is unclear, not the rest either
            found.append((sentence[: max(sentence.find(told[0]), 0)].strip(), told))
    return found


def covers(item: str, wanted: str, *, last: bool = False) -> bool:
    """Whether a thing of one list is what was said in another. last: more may stand behind it."""
    there, said = stems(item), content(wanted)
    return bool(said) and (set(said) <= there or (last and said[0] in there))


def is_clause(item: str) -> bool:
    """Whether a part of a sentence is no thing of a list: somebody does something in it."""
    return _RE.clause.search(item) is not None


def name_in(item: str) -> str:
    """The name in a thing of a list of names: "Franca" of "cousin Franca from Asti"; "" where there
    is none."""
    match = _NAME.search(item)
    return match[0] if match else ""


def without_lead(part: str) -> str:
    """The first thing of a list without the words before it, as far as they can be told."""
    return _RE.item_start.sub("", _RE.listing.sub("", part).strip()) or part


def to_end(text: str) -> str:
    """Up to the end of the clause, at most so many words. "Mr." ends none."""
    kept = text.strip(" ,:;\"'“”")
    for end in _RE.ends.finditer(kept):
        before = kept[: end.start()].rsplit(" ", 1)[-1]
        following = kept[end.end() :].lstrip()
        if end[0].strip().startswith(".") and sentences.belongs_to_word(before, following or "x"):
            continue
        kept = kept[: end.start()]
        break
    words = kept.strip(" .").split()
    return " ".join(words) if len(words) <= MOST_WORDS else ""
