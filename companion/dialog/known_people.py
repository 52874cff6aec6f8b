"""Whom a reply may name: nobody who was never named.

A small model takes a name out of the examples in its prompt ("your cousin Theo's beans"), or gives
the person a friend. So a sentence is not said that names somebody of the examples, or somebody of
the person's, whose name stands neither in this talk nor in what was recalled for it. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from companion import language
from companion.dialog import notes_prompt, persona
from companion.dialog.window import Window
from companion.records import Profile


class KnownPeople:
    """Of one reply."""

    def __init__(
        self,
        told: Callable[[], str],
        *,
        pretends: bool = False,
        read_apart: Callable[[], bool] = bool,
    ) -> None:
        """told: all that names may come from (`told`); asked when one is to be judged. pretends: it
        is pretend play, in which the person may be given a crew, but nobody of the examples.
        read_apart: whether the prompt is that of the notes, which has other examples; elsewhere
        "Big Ben" is a clock."""
        self._told = told
        self._pretends = pretends
        self._read_apart = read_apart

    def misnames(self, sentence: str) -> bool:
        """Whether a sentence, or a clause, names somebody whom nobody has spoken of."""
        said = language.words.words(sentence.replace("’", "'"))
        words = {word.removesuffix("'s") for word in said}
        prompt = notes_prompt if self._read_apart() else persona
        named = {language.words.stem(name) for name in words.intersection(prompt.EXAMPLE_NAMES)}
        if not self._pretends:
            named |= language.people.of_listener(sentence)
        return bool(named) and not named <= language.words.stems(self._told())


def told(words: str, window: Window, profile: Profile, recalled: str) -> str:
    """What a reply to `words` may take names from. recalled: the notes."""
    talk = (each or "" for turn in window for each in (turn.user, turn.reply, turn.block))
    return " ".join((words, *talk, profile.name or "", recalled))
