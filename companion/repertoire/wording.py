"""The one spelling in which wordings and messages are compared."""

from __future__ import annotations

from companion.safety.normalize import plain


def wording(text: str, name: str = "") -> str:
    """The plain words of a text, without marks, and without the companion's name where it only
    calls it: at the beginning or the end. For a message of one sentence without the name, this is
    what the guard embeds.

    >>> wording("Night night, Pip!", "Pip")
    'night night'
    """
    words = [word for word in plain(text).split() if word != "."]
    called = plain(name)
    while len(words) > 1 and called in (words[0], words[-1]):
        words = words[1:] if words[0] == called else words[:-1]
    return " ".join(words)
