"""Reflective listening: whether a model's sentence only says back what somebody told.

A small model says back well, and now and then makes something up, turns who did what round, or
speaks as if it were the child. So its sentence is held against the message, word by word: it may
leave out, and turn "my" into "your"; it may add nothing.
"""

from __future__ import annotations

from companion.language.en import saying_back
from companion.language.en.negation import negated
from companion.language.en.words import content, occurs, stem, stems, words
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()

FEWEST_WORDS, MOST_WORDS = 2, 13
"""Of a sentence that says something back. Two readers graded longer ones worse than none
(docs/experiments.md, "Said back by the model")."""

_MANY = 6
"""Content words of a sentence in which one may stand out of order."""

_BEFORE = 3
"""Words before the first that is taken up, among which a "not" or a "said" counts for it."""

_AFTER = 2
"""Words after the last that is taken up, among which an "except" counts for it."""

_REACH = 4
"""Most words from the speaker to what the speaker does."""

_SPEAKER = frozenset(map(stem, _TABLE.words("speaker")))


def said_back(sentence: str, told: str) -> str | None:
    """The sentence as it may be said, in the second person; None where it may not.

    told: the message.
    """
    told = saying_back.written_out(told)  # "dont" is a "don't"
    if saying_back.speaks_to_listener(_RE.to_toy.sub(" ", told)):
        return None
    body = _short(_RE.calls.sub("", sentence.strip().rstrip(" .!")))
    if _RE.of_its_own.search(body) or body.endswith("?"):
        return None
    said = saying_back.second_person(body)
    if _RE.twice_yours.search(said):
        return None
    if not FEWEST_WORDS <= len(said.split()) <= MOST_WORDS:
        return None
    wanted = content(_RE.you_are.sub("you", body))
    order = [stem(word) for word in words(told)]
    at = _places(wanted, order)
    if not at or not _own_deeds(said, order):
        return None
    around = " ".join(words(told)[max(0, min(at) - _BEFORE) : max(at) + 1 + _AFTER])
    if negated(around) != negated(body) or _hedge_left_out(around, body):
        return None
    return f"{said[:1].upper()}{said[1:]}{'!' if sentence.strip().endswith('!') else '.'}"


def _short(body: str) -> str:
    """As much as is short enough, up to a comma; the whole where that is nothing."""
    parts = body.split(", ")
    while len(parts) > 1 and len(" ".join(parts).split()) > MOST_WORDS:
        parts.pop()
    return ", ".join(parts)


def _places(wanted: list[str], order: list[str]) -> list[int]:
    """Where the words stand in the message, one after the other: who did what is seldom turned
    round then. Empty where one was not said, or too many stand elsewhere."""
    found: list[int] = []
    turned = 0
    for word in wanted:
        at = [place for place, each in enumerate(order) if occurs(word, frozenset({each}))]
        if not at:
            return []
        after = [place for place in at if place >= (found[-1] if found else 0)]
        turned += not after
        found.append(min(after or at))
    return found if turned <= (len(wanted) >= _MANY) else []


def _own_deeds(said: str, order: list[str]) -> bool:
    """Whether what is said to be the listener's doing is told as the speaker's own: "everybody got
    picked except me" does not make "you got picked"."""
    for found in _RE.you_do.finditer(said):
        deeds = content(found["does"])[:1]
        for deed in deeds:
            at = [place for place, each in enumerate(order) if occurs(deed, frozenset({each}))]
            if not any(_SPEAKER.intersection(order[max(0, n - _REACH) : n]) for n in at):
                return False
    return True


def _hedge_left_out(around: str, body: str) -> bool:
    """Whether something is told as so that was only said, thought or nearly so."""
    kept = stems(body)
    return any(not occurs(stem(found[0].split()[0]), kept) for found in _RE.hedge.finditer(around))
