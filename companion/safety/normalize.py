"""Normalizes what was typed or transcribed into the one plain spelling that the patterns use.

A child types "kil my slef", a transcriber writes "sue a side" and "kill my self", a teenager
"k1ll mys3lf" or "k i l l". All of it becomes lower-case words in the spelling that
`patterns` are written in. Ordinary words stay as they are: only what is not a word, or is listed
as a mishearing, is changed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from companion import language
from companion.language.tables import Table
from companion.safety.spelling import corrected
from companion.safety.word_lists import CRITICAL, JOINABLE, MISHEARD, ORDINARY, PAIRED, SAME_AS

_LOOKALIKES = str.maketrans("аеіїоорсухѕјκοιανтмнвкг", "aeiioopcyxsjkoiavtmhbkr")
_LEET = str.maketrans("013457@$!|€+", "oieastasilet")
_TOKEN = re.compile(r"[a-z0-9@$!|€+*']+|[.?!;]")
_TABLE = Table.beside(__file__)
_AND_HEARD_AS_AN = _TABLE.pattern("and_heard_as_an")
_NUMERAL_WITH_ENDING = _TABLE.pattern("numeral_with_ending")
_ENDS = ".?!;"
_UNSEEN = ("Mn", "Cf", "Cc", "Cs")
_MOST = 16_000
"""Characters that are read; the dialog accepts no longer message."""


def plain(text: str) -> str:
    """The words, one blank between them; a sentence's end is a full stop of its own.

    >>> plain("I wanna KILL my self!!")
    'i want to kill myself .'
    """
    folded = unicodedata.normalize("NFKD", text[:_MOST]).casefold().translate(_LOOKALIKES)
    if not folded.isascii() or not folded.isprintable():
        folded = "".join(c for c in folded if unicodedata.category(c) not in _UNSEEN)
    folded = folded.replace("’", "'").replace("‘", "'").replace("`", "'")
    words: list[str] = []
    for word in _with_letters_joined(_tokens(folded)):
        words += _spelled(word)
    return _misheard(" ".join(words))


def sentences(text: str) -> list[str]:
    """The sentences of a text that `plain` has spelled."""
    return [found for each in text.split(" .") if (found := each.strip())]


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    for token in _TOKEN.findall(text):
        body = token.rstrip("!|+*'").lstrip("+*'|")
        if body.strip(_ENDS):
            tokens.append(body)
        if token[-1] in _ENDS and (not tokens or tokens[-1] != "."):
            tokens.append(".")
    return tokens


def _with_letters_joined(tokens: list[str]) -> list[str]:
    """ "k i l l" is "kill"; a lone "a" or "i" among words stays."""
    joined: list[str] = []
    run: list[str] = []
    for token in [*tokens, ""]:
        if len(token) == 1 and token.isalpha():
            run.append(token)
            continue
        joined += ["".join(run)] if len(run) >= 3 else run
        run = []
        joined.append(token)
    return joined[:-1]


@lru_cache(maxsize=4096)
def _spelled(word: str) -> tuple[str, ...]:
    if word == "." or not word:
        return (word,) if word else ()
    if any(c.isalpha() for c in word) and not _NUMERAL_WITH_ENDING.search(word):
        word = word.translate(_LEET)
    starred = word
    word = word.replace("*", "")
    apart = word.replace("'", "")
    for form in (word, apart):
        if form in SAME_AS:
            return tuple(SAME_AS[form].split())
    if apart in CRITICAL or apart in ORDINARY:
        return (apart,)
    if "*" in starred.strip("*"):
        censored = re.compile(re.escape(starred.strip("*")).replace(r"\*", "[a-z]{1,2}"))
        for critical in _CENSORED:
            if censored.fullmatch(critical):
                return (critical,)
    for form in (re.sub(r"(.)\1{2,}", r"\1\1", apart), re.sub(r"(.)\1+", r"\1", apart)):
        if form in SAME_AS:
            return tuple(SAME_AS[form].split())
        if form in CRITICAL or (form != apart and form in ORDINARY):
            return (form,)
    found = _by_sound().get(language.phonetics.key(apart)) or _nearly(apart)
    if found:
        return (found,)
    parts = (len(apart) >= 4 and _split(apart)) or corrected(apart)
    return tuple(word for part in parts for word in SAME_AS.get(part, part).split())


@cache
def _by_sound() -> dict[str, str]:
    """The critical words by their phonetic key."""
    return {language.phonetics.key(word): word for word in sorted(CRITICAL) if len(word) >= 4}


def _nearly(word: str) -> str | None:
    """The long critical word that differs by one letter, or by two swapped ones."""
    if len(word) < 5:
        return None
    for form in (word, *(word[:i] + word[i + 1 :] for i in range(len(word)))):
        found = _BY_DELETION.get(form)
        if found and found[0] == word[0]:
            return found
    return None


def _split(word: str) -> list[str]:
    """The words that were written as one: "killmyself". [] unless all of them are known and one of
    them matters; without a critical word there must be exactly two: "hitsme"."""
    best: list[list[str] | None] = [[]] + [None] * len(word)
    for end in range(1, len(word) + 1):
        for start in range(max(0, end - 12), end):
            head = best[start]
            if head is not None and word[start:end] in _JOINABLE:
                candidate = [*head, word[start:end]]
                held = best[end]
                if held is None or len(candidate) < len(held):
                    best[end] = candidate
    found = best[-1]
    if not found or len(found) < 2:
        return []
    plain_pair = len(found) == 2 and not PAIRED.isdisjoint(found)
    return found if plain_pair or not CRITICAL.isdisjoint(found) else []


def _misheard(text: str) -> str:
    padded = f" {text} "
    for wrong, right in MISHEARD:
        if wrong in padded:
            padded = padded.replace(wrong, right)
    return _AND_HEARD_AS_AN.sub("and", padded).strip()


_JOINABLE = JOINABLE | PAIRED | {word for word in ORDINARY if len(word) > 2}
_CENSORED = sorted(word for word in CRITICAL if len(word) <= 8)
_BY_DELETION = {
    form: word
    for word in sorted(CRITICAL)
    if len(word) >= 6
    for form in (word, *(word[:i] + word[i + 1 :] for i in range(len(word))))
}
