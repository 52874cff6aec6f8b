"""Finds the user's sentences that can hold a fact at all; the others cost no model call.

Much of what is said to a companion is greeting, thanking, asking and agreeing. These rules drop a
sentence only when its form shows that it tells nothing; in doubt it is kept. What it tells may be
of somebody else ("he likes trains"), or no more than a new day ("it's Wednesday now").
"""

from __future__ import annotations

from companion.language.en import sentences, words
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()


def question_to_user(reply: str) -> str:
    """The question about the user that a reply ends with; "" when it ends with none.

    Offers ("Would you like a story?") are not questions about the user: a yes to one is a wish
    of the moment.
    """
    last = (sentences.split(reply) or [""])[-1]
    asks = last.endswith("?") and _RE.about_user.match(last)
    return last if asks and not _RE.offer.search(last) else ""


def telling(text: str, question: str) -> str:
    """The sentences of a user's message that can tell something; "" when none can.

    question: what the companion had just asked, from `question_to_user`. An answer to it may
    be as short as "blue", and a bare yes or no counts when the question was a polar one.
    """
    kept: list[str] = []
    about_somebody = False
    for sentence in sentences.split(text):
        opening = _RE.opening.match(sentence)
        rest = sentence[opening.end() :] if opening else sentence
        if not rest:
            if not kept and _RE.polar.search(question) and _RE.yes_or_no.match(sentence):
                kept.append(sentence)
                about_somebody = True
        elif not (_only_asks(rest, question) or _is_chatter(rest) or _is_chatter(sentence)):
            kept.append(sentence if question else rest)
            about_somebody = about_somebody or question != "" or _of_somebody(rest)
    return " ".join(kept) if about_somebody else ""


def _of_somebody(sentence: str) -> bool:
    """Whether a sentence speaks of the speaker, of somebody by name or relation, or of a day."""
    if _RE.self.search(sentence) or _RE.others.search(sentence):
        return True
    return bool(words.names(sentence))


def _only_asks(sentence: str, question: str) -> bool:
    """Whether a sentence is a question that tells nothing besides ("I love jazz, do you?" does,
    and "Erm, in July?" where it answers one)."""
    if not sentence.endswith("?") or _RE.telling.search(sentence):
        return False
    first = sentence.partition(",")[0]
    if _RE.asking.match(sentence):
        return True
    return question == "" and _RE.self.search(first) is None


def _is_chatter(sentence: str) -> bool:
    """Whether a sentence is small talk that says nothing about the speaker."""
    return _RE.chatter.match(sentence) is not None and _RE.own.search(sentence) is None
