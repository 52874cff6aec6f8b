"""Finds the name that people give when they introduce themselves."""

from __future__ import annotations

import re

from companion.introduction.plain_words import COMMON_WORDS, NATIONS, OTHERS

WORD = r"[^\W\d_][\w'’-]*"
NAME = rf"(?P<name>{WORD})(?:\s+(?P<second>{WORD}))?"
I_AM = r"\b(?:i\s+am|i['’]?m)\s+"

NAMING = re.compile(
    r"(?:\bmy\s+(?:full\s+|first\s+|real\s+)?name(?:\s+is|['’]?s)|\b(?:you\s+can|please|just)\s+call\s+me|"
    r"\b(?:they|people|friends|everyone|everybody|mum|mom|mummy|mommy|dad|daddy)\s+calls?\s+me|"
    rf"\bi\s+go\s+by|^\W*call\s+me|{I_AM}(?:called|named))\s+(?:just\s+)?{NAME}",
    re.IGNORECASE,
)
"""Words that bring a name and nothing else."""

I_AM_NAME = re.compile(rf"{I_AM}{NAME}(?=(?P<end>\s*(?:$|[,.!?;]|and\b))?)", re.IGNORECASE)
IT_IS_NAME = re.compile(rf"\b(?:this\s+is|it\s+is|it['’]?s|i\s+am|i['’]?m)\s+{NAME}", re.IGNORECASE)
GREETS = re.compile(r"^\W*(?:hi|hello|hey)\b", re.IGNORECASE)
FILLER = re.compile(
    r"^\W*(?:(?:um+|uh+|er+|hm+|well|oh|so|ok|okay|hi|hello|hey|just)\b[\s,.!]*)*", re.IGNORECASE
)
CLAUSE_END = re.compile(r"[,.!?;:]|\band\b", re.IGNORECASE)
NAMING_CUE = re.compile(
    r"\b(?:name|calls?|called|named|i\s+am|i['’]?m|i\s+go\s+by)\b", re.IGNORECASE
)
CALLED_BY = re.compile(r"\w+\s+calls?\b", re.IGNORECASE)
"""What others say is a name if it is written as one: dad calls his children champ and sweetie."""

NAMED = re.compile(r"\b(?:named|called)\s+$", re.IGNORECASE)
I_AM_NAMED = re.compile(rf"{I_AM}(?:just\s+)?(?:named|called)\s+$", re.IGNORECASE)
NO_NAME_ENDING = re.compile(r"(?:ing|ed|['’]s)$", re.IGNORECASE)


def find(words: str, *, asked: bool, companion: str) -> tuple[str, str] | None:
    """Name and quote, or None. asked: the companion had just asked for it."""
    for match in NAMING.finditer(words):
        if CALLED_BY.match(match.group()) and not _capital(match["name"], words):
            continue
        if name := _name(match, words, companion, sure=True):
            return name, match.group().strip()
    for match in I_AM_NAME.finditer(words):
        typed_low = bool(words.islower() and match["end"] is not None and GREETS.match(words))
        if (_capital(match["name"], words) or typed_low) and (
            name := _name(match, words, companion)
        ):
            return name, match.group().strip()
    return _answer(words, companion) if asked else None


def claims(name: str, sentence: str, *, answer: bool, companion: str) -> bool:
    """Whether a sentence gives `name` as its speaker's. answer: it answers the question."""
    found = re.search(rf"(?<![\w'’-]){re.escape(name)}(?![\w'’-])", sentence, re.IGNORECASE)
    if found is None or name.casefold() == companion.casefold() or not re.match(WORD, name):
        return False
    capital = _capital(found.group(), sentence)
    if name.lower() in COMMON_WORDS | NATIONS and not (capital and NAMING.search(sentence)):
        return False
    before = sentence[: found.start()]
    if OTHERS.search(sentence) or (NAMED.search(before) and not I_AM_NAMED.search(before)):
        return False
    if answer and FILLER.sub("", sentence, count=1).casefold().startswith(name.casefold()):
        return True
    return (answer or capital) and NAMING_CUE.search(sentence) is not None


def written(name: str) -> str:
    """As a name is written: "mia" and "MIA" are Mia, "McKay" stays."""
    if name.islower() or (name.isupper() and len(name) > 2):
        return re.sub(r"[^\W\d_]+", lambda part: part.group().capitalize(), name, count=0)
    return name


def _answer(words: str, companion: str) -> tuple[str, str] | None:
    """A name from the answer to "what is your name?"."""
    match = IT_IS_NAME.search(words)
    if match is not None and (name := _name(match, words, companion)):
        return name, match.group().strip()
    bare = CLAUSE_END.split(FILLER.sub("", words, count=1), maxsplit=1)[0].strip()
    match = re.fullmatch(NAME, bare)
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
    if first.casefold() == companion.casefold() or NO_NAME_ENDING.search(first.lower()):
        return None
    if len(first) > 40 or (len(first) == 1 and first.islower()):
        return None
    both = second and _capital(second, words) and second.lower() not in COMMON_WORDS
    return written(f"{first} {second}" if both else first)


def _capital(word: str, words: str) -> bool:
    """Whether a capital letter tells something: in a shout it does not."""
    return word[:1].isupper() and not words.isupper()
