"""Repair in the third turn: "we go on Saturday", "Oh, lovely!", "no I mean Sunday" means Sunday.

Somebody says something, hears the answer, and puts a single word of it right. The message that does
so says nothing by itself, and the one before it is no longer so: only together they tell what was
meant. (Schegloff 1992 calls what comes after the other's answer third-turn and third-position
repair.) A slip that is put right in the same breath is for `self_repair`.
"""

from __future__ import annotations

import re

from companion.language.en import sentences
from companion.language.en.calendar_names import WEEKDAYS
from companion.language.en.excerpt import GAP
from companion.language.en.words import content
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_KINDS = (
    (_RE.puts_right_day, _RE.old_day),
    (_RE.puts_right_month, _RE.old_month),
    (_RE.puts_right_number, _RE.old_number),
)
_NO_NOUN = _TABLE.words("no_noun")
_WEEKDAYS = frozenset(each.lower() for each in WEEKDAYS)


def repaired(earlier: str, line: str, said: str) -> str | None:
    """An earlier message as it was meant, where the next one only puts a word of it right; None
    where it does not.

    line: the other one's answer in between. Where that asks for a day or a number, a plain "no,
    Sunday" answers it, and only words that say that it was a slip put the earlier message right.
    """
    plain = " ".join(said.split())
    for puts_right, old in _KINDS:
        if found := puts_right.match(plain):
            if not _RE.is_slip.search(plain) and _asks_for_one(line, old):
                return None
            return _replaced(earlier, old, found["meant"] or found["last"], plain)
    found = _RE.puts_right_other.match(plain)
    if found is None or not content(earlier) or not content(found["meant"]):
        return None
    if _NO_NOUN & set(found["meant"].lower().split()):
        return None
    return f"{earlier.strip()}{GAP}{plain}"


def read_as_one(said: str) -> str:
    """Both messages in one text, as a memory shows them, as they were meant."""
    earlier, gap, later = said.partition(GAP)
    return (repaired(earlier, "", later) if gap else None) or said


def _asks_for_one(line: str, old: re.Pattern[str]) -> bool:
    asked = [each for each in sentences.split(line) if each.endswith("?")]
    return any(_RE.asks_for_one.search(each) or old.search(each) for each in asked)


def _replaced(earlier: str, old: re.Pattern[str], meant: str, said: str) -> str | None:
    """The message with the value that was meant. None where it holds several others and none of
    them is named as wrong: nobody knows which is meant."""
    there = list(old.finditer(earlier))
    was = {each["was"].lower() for each in there} - {meant.lower()}
    named = {each["was"].lower() for each in old.finditer(said)} & was
    [wrong] = (named or was) if len(named or was) == 1 else ("",)
    if not wrong:
        return None
    text = earlier
    for found in reversed(there):
        if found["was"].lower() == wrong:
            start, end = found.span("was")
            start, new = _fitted(found, start, meant)
            text = f"{text[:start]}{new}{text[end:]}"
    return text


def _fitted(found: re.Match[str], start: int, meant: str) -> tuple[int, str]:
    """Where the words begin that are replaced, and by what: "on Saturday" by "tomorrow", and
    "tomorrow" by "on Sunday"."""
    if "on" not in found.re.groupindex:
        return start, meant
    was_named, is_named = (each.lower() in _WEEKDAYS for each in (found["was"], meant))
    if was_named and not is_named:
        return found.start(), meant
    return start, meant if was_named == is_named else f"on {meant}"
