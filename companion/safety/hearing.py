"""What was meant, from what was typed or transcribed: one plain spelling for the patterns.

A child types "kil my slef", a transcriber writes "sue a side" and "kill my self", a teenager
"k1ll mys3lf" or "k i l l". All of it becomes lower-case words in the spelling that
`said` and `model_patterns` are written in. Ordinary words stay what they are: only what
is no word, or is listed here as a mishearing, is changed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from companion.safety.mending import mended
from companion.safety.word_lists import (
    CRITICAL,
    JOINABLE,
    MISHEARD,
    ORDINARY,
    PAIRED,
    SAME_AS,
)

_LOOKALIKES = str.maketrans("аеіїоорсухѕјκοιανтмнвкг", "aeiioopcyxsjkoiavtmhbkr")
_LEET = str.maketrans("013457@$!|€+", "oieastasilet")
_TOKEN = re.compile(r"[a-z0-9@$!|€+*']+|[.?!;]")
_AN = re.compile(r"(?<= )an(?= (?:[b-df-gj-np-tv-z]|h(?!our)|i |it ))")
"""Where no vowel follows it was "and"."""
_ENDS = ".?!;"
_MOST = 16_000
"""Characters that are read; the dialog takes no longer message."""


def plain(text: str) -> str:
    """The words, one blank between them; a sentence's end is a full stop of its own.

    >>> plain("I wanna KILL my self!!")
    'i want to kill myself .'
    """
    folded = unicodedata.normalize("NFKD", text[:_MOST]).casefold().translate(_LOOKALIKES)
    folded = (
        "".join(c for c in folded if unicodedata.category(c) not in ("Mn", "Cf", "Cc", "Cs"))
        if not folded.isascii() or not folded.isprintable()
        else folded
    )
    folded = folded.replace("’", "'").replace("‘", "'").replace("`", "'")
    words: list[str] = []
    for word in _with_letters_joined(_tokens(folded)):
        words += _spelled(word)
    return _misheard(" ".join(words))


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
    if any(c.isalpha() for c in word) and not re.fullmatch(r"\d+(?:st|nd|rd|th|s|am|pm)", word):
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
    found = _BY_SOUND.get(_sound(apart)) or _nearly(apart)
    if found:
        return (found,)
    parts = (len(apart) >= 4 and _split(apart)) or mended(apart)
    return tuple(word for part in parts for word in SAME_AS.get(part, part).split())


def _sound(word: str) -> str:
    """A rough key: words that sound alike share it."""
    for old, new in (("ph", "f"), ("ck", "k"), ("gh", "g"), ("wh", "w"), ("kn", "n")):
        word = word.replace(old, new)
    word = re.sub(r"c(?=[eiy])", "s", word).replace("c", "k").replace("q", "k").replace("z", "s")
    word = word.replace("y", "i").replace("x", "ks")
    word = re.sub(r"(.)\1+", r"\1", word)
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _nearly(word: str) -> str | None:
    """The long critical word that differs by one letter, or by two that changed places."""
    if len(word) < 5:
        return None
    for form in (word, *(word[:i] + word[i + 1 :] for i in range(len(word)))):
        found = _BY_DELETION.get(form)
        if found and found[0] == word[0]:
            return found
    return None


def _split(word: str) -> list[str]:
    """Words that were written as one: "killmyself"; [] when it is not made of known ones, of
    which one matters. Without a critical one it must be two: "hitsme"."""
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
    return _AN.sub("and", padded).strip()


_JOINABLE = JOINABLE | PAIRED | {word for word in ORDINARY if len(word) > 2}
_CENSORED = sorted(word for word in CRITICAL if len(word) <= 8)
_BY_SOUND = {_sound(word): word for word in sorted(CRITICAL) if len(word) >= 4}
_BY_DELETION = {
    form: word
    for word in sorted(CRITICAL)
    if len(word) >= 6
    for form in (word, *(word[:i] + word[i + 1 :] for i in range(len(word))))
}
