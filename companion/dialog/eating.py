"""Answers "May I eat that?" in code when the person has said that they cannot eat something.

Even with "I can't drink milk" in its prompt, a 1.5B model still said yes to a milkshake, however
the note was worded. So the reply repeats what the person said and leaves the decision to a
grown-up.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion import language
from companion.dialog import replies
from companion.records import Memory, Turn


def told(known: Sequence[Memory], turns: Sequence[Turn]) -> list[str]:
    """What the person cannot eat or drink, in their own words, newest first.

    known: memories, newest first. turns: those not yet consolidated, in order.
    """
    said = [
        sentence
        for turn in reversed(turns)
        if turn.user is not None and turn.stopped is None
        for sentence in language.sentences.split(turn.user.text)
        if language.dietary.says_cannot_eat(sentence)
    ]
    cited = [
        each.sources[0].quote
        for each in known
        if each.sources and language.dietary.user_cannot_eat(each.text)
    ]
    return said + cited


def answer(words: str, told: Sequence[str]) -> list[str]:
    """The sentences of the reply; none when the person has told of no such restriction.

    A statement that shares a word with the question is preferred to a newer one.
    """
    if not told:
        return []
    asked = [word.lower() for word in language.question.content_words(words)]
    nearest = max(told, key=lambda said: language.dietary.shared_words(asked, said))
    best = language.second_person.in_second_person(nearest.strip(" .,;:!?"))
    return [replies.you_told_me(best), replies.ASK_A_GROWN_UP]
