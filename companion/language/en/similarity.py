"""When two facts say the same, as far as code can tell without a model."""

from __future__ import annotations

from functools import lru_cache

from companion.language.en.kinship import RELATION
from companion.language.en.negation import DENIAL_STEMS, negated
from companion.language.en.question import asking
from companion.language.en.words import ARTICLES, content, names, numbers, stem, words
from companion.language.tables import Table

SAME_COSINE = 0.9
"""From here on two facts with equal numbers, names and polarity are one. On MiniLM: "likes
painting" and "enjoys painting pictures" 0.90, "went for a run" and "goes running" 0.89."""

RELATED_COSINE = 0.45
"""Below this two facts have nothing to do with each other. On MiniLM: "lives in Leeds" and "is
moving to York" 0.48, "likes jazz" and "likes dogs" 0.36."""

_TABLE = Table.beside(__file__)
_ONE_ONLY = tuple(map(_TABLE.pattern, _TABLE.ordered("one_only")))
"""What a person has one of at a time."""

_CHANGE = _TABLE.pattern("change")
_ONE_MORE = _TABLE.pattern("one_more")
_OF_ONE = _TABLE.pattern("of_one")
COLOURS = frozenset(map(stem, _TABLE.words("colours")))
"""Stems of the words for colours."""

_OF_SPEAKER = _TABLE.pattern("of_speaker")
_OF_LISTENER = _TABLE.pattern("of_listener")


def same(a: str, b: str, cosine: float) -> bool:
    """Whether b says nothing that a does not: equal words, or near duplicates."""
    if _plain(a) == _plain(b):
        return True
    if _marks(a) != _marks(b):
        return False
    return cosine >= SAME_COSINE or sorted(content(a)) == sorted(content(b))


def same_but_for_numbers(a: str, b: str) -> bool:
    """ "has 2 bicycles" and "has 3 bicycles"."""
    return (
        numbers(a) != numbers(b)
        and bool(numbers(a)) == bool(numbers(b))
        and _without_numbers(a) == _without_numbers(b)
        and negated(a) == negated(b)
    )


def same_but_denied(a: str, b: str) -> bool:
    """ "likes football" and "does not like football any more"."""
    return negated(a) != negated(b) and _without_numbers(a) == _without_numbers(b)


def same_but_for_names(a: str, b: str) -> bool:
    """ "The dog is called Bruno" and "The dog is called Bella"."""
    mine, theirs = names(a), names(b)
    if not (mine and theirs) or mine == theirs or negated(a) != negated(b):
        return False
    return set(content(a)) - mine == set(content(b)) - theirs


def tells_colour(text: str) -> bool:
    """Whether a text holds a colour."""
    return not COLOURS.isdisjoint(content(text))


def same_but_for_one_value(a: str, b: str) -> bool:
    """ "My coat is yellow" and "No, my coat is orange": one has another colour than the other, and
    b speaks of all that a speaks of."""
    if not (_OF_ONE.search(a) and _OF_ONE.search(b)) or negated(a) != negated(b):
        return False
    mine, theirs = set(content(a)), set(content(b))
    lost, new = (mine - theirs, (theirs - mine) & COLOURS)
    return bool(new) and bool(lost) and lost <= COLOURS and bool(mine - COLOURS)


def brings_back(before: str, told: str, new: str) -> bool:
    """Whether `new` holds a word that was in `before` until it was put right as `told`, and speaks
    of the same."""
    now = set(content(new))
    return bool(set(content(before)) - set(content(told)) & now and now & set(content(told)))


def takes_over(before: str, told: str, new: str) -> bool:
    """Whether `new` holds all the words with which `before` was put right as `told`."""
    brought = set(content(told)) - set(content(before))
    return bool(brought) and brought <= set(content(new)) and negated(told) == negated(new)


def covers(a: str, b: str) -> bool:
    """Whether a says all that b says, and more, of the same person."""
    mine, theirs = set(content(a)), set(content(b))
    if any(RELATION.fullmatch(word) for word in mine - theirs):
        return False
    return theirs < mine and negated(a) == negated(b) and numbers(b) <= numbers(a)


def may_replace(old: str, new: str) -> bool:
    """Whether a new fact can make an old one untrue: it tells of a change, or both are about
    something that a person has one of. Facts of other forms stand side by side."""
    if _CHANGE.search(new):
        return True
    for pattern in _ONE_ONLY:
        before, after = pattern.search(old), pattern.search(new)
        if before and after:
            return [stem(g) for g in before.groups()] == [stem(g) for g in after.groups()]
    return False


def one_more(text: str) -> bool:
    """Whether a fact comes on top of what there was, and replaces nothing."""
    return _ONE_MORE.search(text) is not None


@lru_cache(maxsize=4096)
def stance(text: str) -> tuple[bool, bool, bool, bool]:
    """What near wordings may differ in and then mean another thing: whether a text denies, asks,
    speaks of its speaker, and of who listens."""
    speaker, listener = _OF_SPEAKER.search(text), _OF_LISTENER.search(text)
    return negated(text), asking(text) != "", speaker is not None, listener is not None


def _plain(text: str) -> list[str]:
    return [word.lower() for word in words(text) if word.lower() not in ARTICLES]


def _marks(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    return numbers(text), names(text), negated(text)


def _without_numbers(text: str) -> list[str]:
    return sorted(stem for stem in content(text) if not (stem.isdigit() or stem in DENIAL_STEMS))
