"""Damages text as a transcriber or a typing child would, for training and for tests.

This is cheaper than speaking and transcribing every sentence, and gives the same kinds of damage:
homophones, words left out, words run together, letters dropped, doubled or swapped.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HOMOPHONES = {
    "to": "too",
    "too": "two",
    "for": "four",
    "myself": "my self",
    "their": "there",
    "there": "their",
    "your": "you're",
    "want": "wont",
    "hear": "here",
    "know": "no",
    "no": "know",
    "won't": "wont",
    "can't": "cant",
    "don't": "dont",
    "I'm": "im",
    "him": "hem",
    "hurt": "hert",
    "kill": "kil",
    "die": "dye",
    "eat": "eet",
    "not": "knot",
    "be": "bee",
    "would": "wood",
    "wait": "weight",
    "hole": "whole",
    "breathe": "breath",
    "somebody": "some body",
    "everybody": "every body",
    "nobody": "no body",
    "anymore": "any more",
    "bleeding": "bleedin",
    "because": "cuz",
    "and": "an",
    "mum": "mom",
    "really": "rilly",
    "night": "nite",
    "scared": "skared",
    "school": "skool",
    "secret": "sea crit",
    "suicide": "sue a side",
    "private": "privet",
    "touches": "tuches",
    "knife": "nife",
    "picture": "pitcher",
}
SMALL_WORDS = frozenset("a an the is am are was to of that my and it so me just in on".split())


def mangled(text: str, seed: int, copies: int) -> list[str]:
    """Copies of `text`, each with one or two kinds of damage; the same for the same seed."""
    chance = random.Random(f"{seed} {text}")
    return [_damaged(text, chance) for _ in range(copies)]


def _damaged(text: str, chance: random.Random) -> str:
    words = text.rstrip(".?!").split()
    for damage in chance.sample(_KINDS, k=chance.choice((1, 2))):
        words = damage(words, chance)
    joined = " ".join(words)
    return joined.lower() if chance.random() < 0.7 else joined


def _homophones(words: list[str], chance: random.Random) -> list[str]:
    return [HOMOPHONES[w] if w in HOMOPHONES and chance.random() < 0.5 else w for w in words]


def _dropped(words: list[str], chance: random.Random) -> list[str]:
    small = [i for i, word in enumerate(words) if word.lower() in SMALL_WORDS]
    if not small or len(words) < 4:
        return words
    gone = chance.choice(small)
    return words[:gone] + words[gone + 1 :]


def _run_together(words: list[str], chance: random.Random) -> list[str]:
    if len(words) < 3:
        return words
    at = chance.randrange(len(words) - 1)
    return [*words[:at], words[at] + words[at + 1].lower(), *words[at + 2 :]]


def _misspelt(words: list[str], chance: random.Random) -> list[str]:
    long = [i for i, word in enumerate(words) if len(word) >= 5 and word.isalpha()]
    if not long:
        return words
    at = chance.choice(long)
    word = words[at]
    i = chance.randrange(1, len(word) - 1)
    changed = chance.choice(
        (word[:i] + word[i + 1 :], word[:i] + word[i] + word[i:], _swapped(word, i))
    )
    return [*words[:at], changed, *words[at + 1 :]]


def _swapped(word: str, i: int) -> str:
    return word[:i] + word[i + 1] + word[i] + word[i + 2 :]


_KINDS: tuple[Callable[[list[str], random.Random], list[str]], ...] = (
    _homophones,
    _dropped,
    _run_together,
    _misspelt,
)
