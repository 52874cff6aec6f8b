"""Finds the name that people give when they introduce themselves."""

from __future__ import annotations

import re

from companion.language.en import skills
from companion.language.en.introduction.plain_words import COMMON_WORDS, NATIONS
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_FILLER = _TABLE.pattern("filler")
_NAME = _TABLE.pattern("name")


def find(words: str, *, asked: bool, companion: str) -> tuple[str, str] | None:
    """Name and quote, or None. asked: the companion had just asked for it."""
    for match in _RE.naming.finditer(words):
        if _RE.called_by.match(match.group()) and not _capital(match["name"], words):
            continue
        if name := _name(match, words, companion, sure=True):
            return name, match.group().strip()
    for match in _RE.i_am_name.finditer(words):
        introduces = _RE.comes_before.match(words[: match.start()])
        introduces = introduces or _RE.age_follows.match(words[match.end() :])
        if not (asked or introduces):
            continue  # "All aboard! I'm Captain Flint"
        typed_low = bool(words.islower() and match["end"] is not None and _RE.greets.match(words))
        if (_capital(match["name"], words) or typed_low) and (
            name := _name(match, words, companion)
        ):
            return name, match.group().strip()
    if asked:
        return _answer(words, companion)
    if (found := _RE.greets_with_name.search(words)) is not None and (
        name := _name(found, words, companion)
    ):
        return name, found["quote"].strip()
    return None


def written(name: str) -> str:
    """As a name is written: "mia" and "MIA" are Mia, "McKay" stays."""
    if name.islower() or (name.isupper() and len(name) > 2):
        return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), name, count=0)
    return name


def _answer(words: str, companion: str) -> tuple[str, str] | None:
    """A name from the answer to "what is your name?"."""
    match = _RE.it_is_name.search(words)
    if match is not None and (name := _name(match, words, companion)):
        return name, match.group().strip()
    if _RE.one_word_asked.match(words):
        return None  # "Kip?" asks whether it was heard well
    if skills.commands(skills.plain(words, companion)):
        return None  # "Go on" wants the rest of the story
    bare = _RE.clause_end.split(_FILLER.sub("", words, count=1), maxsplit=1)[0].strip()
    bare = _RE.hedge.sub("", _RE.said_twice.sub(r"\1", bare))
    match = _NAME.fullmatch(bare)
    if match is None:
        return None
    second = match["second"]
    if second and second.lower() not in COMMON_WORDS and not _capital(second, words):
        return None
    name = _name(match, words, companion)
    return (name, bare) if name else None


def _name(match: re.Match[str], words: str, companion: str, *, sure: bool = False) -> str | None:
    first, second = match["name"], match["second"]
    plain = first.lower() in COMMON_WORDS or (not sure and first.lower() in NATIONS)
    if plain and not (sure and _capital(first, words)):
        return None
    if first.casefold() == companion.casefold() or _RE.no_name_ending.search(first.lower()):
        return None
    if any(each.isdigit() for each in first):
        return None  # "I'm K5" is in a class
    if match["second"] and _RE.title.match(first.lower()):
        return None  # "Sir Pippa" is somebody in a game
    if len(first) > 40 or (len(first) == 1 and first.islower()):
        return None
    both = second and _capital(second, words) and second.lower() not in COMMON_WORDS
    return written(f"{first} {second}" if both else first)


def _capital(word: str, words: str) -> bool:
    """Whether a capital letter tells something: in a shout, be it of one word, it does not."""
    shouted = words.isupper() or (word.isupper() and len(word) > 2)
    return word[:1].isupper() and not shouted
