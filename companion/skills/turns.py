"""What every game understands: yes, no, stop, go on, a hint, a guess."""

from __future__ import annotations

from companion import language

LONGEST_GUESS = 4
"""Words of a guess, without what stands before it."""


def is_said(entry: str, words: str) -> bool:
    """Whether plain words are an entry of the table of turns: "yes", "no", "stop", "go_on",
    "again", "another", "hint", "dont_know"."""
    return language.skills.asks("turns", entry, words) is not None


def yes_or_no(words: str) -> bool | None:
    """What plain words answer; None for neither."""
    if is_said("yes", words):
        return True
    return False if is_said("no", words) else None


def guess(words: str) -> str | None:
    """The thing that is guessed, without "is it a"; None when the words are no guess."""
    bare = language.skills.without("jokes", "guess_opening", words)
    bare = language.skills.without("jokes", "guess_opening", bare)
    if not bare or len(bare.split()) > LONGEST_GUESS:
        return None
    return None if language.skills.asks("jokes", "not_a_guess", bare) else bare


def names(words: str, things: tuple[str, ...]) -> str | None:
    """The first of the things that plain words name as whole words, be it in the plural."""
    padded = f" {words} "
    single = " ".join(["", *map(language.skills.singular, words.split()), ""])
    for thing in things:
        low = thing.lower()
        bare = " ".join(map(language.skills.singular, low.split()))
        if f" {low} " in padded or f" {bare} " in single:
            return thing
    return None
