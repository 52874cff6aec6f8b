"""What people say to small programs: asking for a story, answering a riddle, setting a timer.

Each table of this folder is about one program; `turns` is about all: yes, no, stop, go on. The
patterns read words as `plain` gives them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from companion.language.en.numbers import VALUES, number_in
from companion.language.en.skills.articles import with_article
from companion.language.en.skills.heroes import Hero, hero_of
from companion.language.en.skills.homework import beside, count_to, sum_of, to_spell
from companion.language.en.skills.homework import in_words as sum_in_words
from companion.language.en.skills.subjects import Subject, subject_of
from companion.language.en.skills.times import (
    TimeOfDay,
    count_of_days,
    duration,
    duration_in,
    next_birthday,
    spoken_duration,
    spoken_time,
    time_of_day,
)
from companion.language.tables import Table

_FOLDER = Path(__file__).parent
_WISHES = "wishes"
_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("stories", ("story", "resume")),
    ("jokes", ("joke",)),
    ("jokes", ("riddle",)),
    ("jokes", ("rhyme",)),
    ("games", ("any", "number", "your_number", "animal", "your_animal", "spy")),
    ("games", ("odd", "rather", "chain", "sums", "suitcase")),
    ("timers", ("set_alarm", "set_timer", "remind")),
    ("moments", ("time", "day", "is_it", "near", "until")),
    ("device", ("repeat", "stop", "louder", "quieter", "slower")),
    ("device", ("good_night",)),
    ("device", ("about_me",)),
)
_TURNS = ("yes", "no", "dont_know", "hint", "stop", "go_on", "again", "another")
_LONGEST_WISH = 18
"""Words."""

_NOT_WORDS = re.compile(r"[^\w' ]+")
_BLANKS = re.compile(r"\s+")


@lru_cache(maxsize=64)
def _table(name: str) -> Table:
    return Table(_FOLDER / f"{name}.yaml")


@lru_cache(maxsize=512)
def _pattern(table: str, entry: str) -> re.Pattern[str]:
    return _table(table).pattern(entry)


def plain(words: str, name: str = "") -> str:
    """Words as the tables read them: in lower case, without punctuation, hesitation, politeness,
    and the companion's name at either end.

    >>> plain("Hey Pip, um, could you STOP please?", "Pip")
    'stop'
    """
    text = words.lower().replace("’", "'").replace("-", " ")
    whole = _table("turns").mapping("contractions")
    text = " ".join(whole.get(word, word) for word in _NOT_WORDS.sub(" ", text).split())
    own = rf"(?:{re.escape(name.lower())})" if name else r"(?!)"
    before = re.compile(rf"^(?:{_pattern('turns', 'before').pattern}|{own}\b) ?")
    after = re.compile(rf" ?(?:{_pattern('turns', 'after').pattern}|\b{own})$")
    shorter = text
    while shorter:  # "stop please pip" has several; a message of nothing else stays as it is
        text = shorter
        shorter = after.sub("", before.sub("", shorter)).strip()
        if shorter == text:
            break
    return text


def asks(table: str, entry: str, words: str) -> re.Match[str] | None:
    """What the pattern `entry` of the file `table` finds in plain words. Raises KeyError."""
    return _pattern(table, entry).search(words) or _wished(entry, words)


def _wished(entry: str, words: str) -> re.Match[str] | None:
    """The same where a wish has more words than its pattern knows: "do a spooky story but not too
    spooky cause it's nearly bed". It has to name the thing, and be no talk about one."""
    if entry not in _table(_WISHES).entries or len(words.split()) > _LONGEST_WISH:
        return None
    found = _pattern(_WISHES, entry).search(words)
    if found is None or not _pattern(_WISHES, "wish").search(words):
        return None
    return None if _pattern(_WISHES, "told").search(words) else found


def tells(words: str) -> bool:
    """Whether plain words seem to tell of a story or a game, rather than to ask for one."""
    return _pattern(_WISHES, "told").search(words) is not None


def wished_for(words: str) -> tuple[bool, ...]:
    """Which kinds of skill plain words ask for, always in the same order."""
    return tuple(
        any(asks(table, entry, words) is not None for entry in entries) for table, entries in _KINDS
    )


def commands(words: str) -> bool:
    """Whether plain words are a turn of a game or a story, or ask for a skill: "go on", "stop"."""
    return any(asks("turns", turn, words) for turn in _TURNS) or any(wished_for(words))


def entries(table: str) -> tuple[str, ...]:
    """The names of a table's patterns that stand for themselves, in the order of the file."""
    whole = _table(table).entries.items()
    return tuple(name for name, each in whole if "pattern" in each and "part" not in each)


def without(table: str, entry: str, words: str) -> str:
    """Plain words without what a pattern finds: "is it a cat" without the opening of a guess."""
    return _BLANKS.sub(" ", _pattern(table, entry).sub(" ", words)).strip()


def words_in(table: str, entry: str) -> frozenset[str]:
    """The words of an entry."""
    return _table(table).words(entry)


def content(words: str) -> tuple[str, ...]:
    """The words that tell something, in their singular form: for choosing a story by its theme."""
    empty = words_in("turns", "empty")
    return tuple(singular(word) for word in words.split() if word not in empty)


def singular(word: str) -> str:
    """A plain guess at the singular: "ponies" is "pony", "cats" is "cat"."""
    for ending, instead in _table("turns").mapping("plurals").items():
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    return word


def number(words: str) -> int | None:
    """The one number, up to 999, in plain words; None for none, or for several different ones.

    >>> number("is it seventy three")
    73
    """
    found: list[int] = []
    tokens = words.split()
    at = 0
    while at < len(tokens):
        for width in (2, 1):
            value = number_in(" ".join(tokens[at : at + width]))
            if value is not None and _one_number(tokens[at : at + width]):
                found.append(value)
                at += width
                break
        else:
            at += 1
    return found[0] if len(set(found)) == 1 else None


def _one_number(tokens: list[str]) -> bool:
    """Whether two words are one number: "twenty one", not "one two"."""
    if len(tokens) == 1:
        return True
    tens, ones = (VALUES.get(token, 0) for token in tokens)
    return tens >= 20 and tens % 10 == 0 and 1 <= ones <= 9


__all__ = [
    "Hero",
    "Subject",
    "TimeOfDay",
    "asks",
    "beside",
    "commands",
    "content",
    "count_of_days",
    "count_to",
    "duration",
    "duration_in",
    "entries",
    "hero_of",
    "next_birthday",
    "number",
    "plain",
    "singular",
    "spoken_duration",
    "spoken_time",
    "subject_of",
    "sum_in_words",
    "sum_of",
    "tells",
    "time_of_day",
    "to_spell",
    "wished_for",
    "with_article",
    "without",
    "words_in",
]
