"""Finds the user's sentences that can hold a fact at all; the others cost no model call.

Much of what is said to a companion is greeting, thanking, asking and agreeing. These rules drop a
sentence only when its form shows that it says nothing about the speaker; in doubt it is kept.
"""

from __future__ import annotations

from companion.language.en import sentences
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
    about_self = False
    for sentence in sentences.split(text):
        opening = _RE.opening.match(sentence)
        rest = sentence[opening.end() :] if opening else sentence
        if not rest:
            if not kept and _RE.polar.search(question) and _RE.yes_or_no.match(sentence):
                kept.append(sentence)
                about_self = True
        elif not (_only_asks(rest) or _is_chatter(rest) or _is_chatter(sentence)):
            kept.append(sentence if question else rest)
            about_self = about_self or question != "" or _RE.self.search(rest) is not None
    return " ".join(kept) if about_self else ""


def _only_asks(sentence: str) -> bool:
    """Whether a sentence is a question that tells nothing besides ("I love jazz, do you?" does)."""
    if not sentence.endswith("?") or _RE.telling.search(sentence):
        return False
    first = sentence.partition(",")[0]
    return _RE.asking.match(sentence) is not None or _RE.self.search(first) is None


def _is_chatter(sentence: str) -> bool:
    """Whether a sentence is small talk that says nothing about the speaker."""
    return _RE.chatter.match(sentence) is not None and _RE.own.search(sentence) is None
