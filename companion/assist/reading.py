"""What of the pieces that were found may be the answer, best first: no model.

Extractive: an hour, a day, a number, a name or another thing, as it stands there. It is the
likelier the nearer to it the question's words stand (late interaction: for each token of the
question the nearest token of the piece, which counts the less the farther it is from the
candidate), and the better piece and kind fit. Of two values of one thing the later counts. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion import language
from companion.assist.finding import Found, Looked
from companion.engines.protocols import TextVectors
from companion.language.types import Sought

NEAR = 6.0
"""Tokens after which a word of the question counts half."""

SENTENCE = 6
"""Tokens that the end of a sentence is as far as."""

# Weights, relative to the nearness of the question's words.
FIT = 0.3
OF_KIND = 0.35
SPOKEN_OF = 0.2
UNBOUND = 0.15
EVERYWHERE = 0.1
NEWER = 0.1
OLD = 0.2

CLOSE = 0.3
"""A later value counts for one at most so much better."""

SAME_MATTER = 2
"""Words that two pieces of one matter share."""

_SMALL: dict[Sought, float] = {"name": 0.05, "thing": 0.03}


@dataclass(frozen=True)
class Candidate:
    """Something that may be the answer."""

    text: str
    kind: Sought
    at: int
    """Where in the piece it stands."""

    source: Found
    score: float
    of_kind: bool
    """Whether it is of the kind that is asked for, and one is."""

    bound: bool
    """Whether the piece speaks of whom is asked, and the sentence of nobody else."""

    newer: bool = False
    """Whether it takes the place of an earlier value."""

    outdated: bool = False
    """Whether a later one takes its place."""


def candidates(
    looked: Looked, pieces: Sequence[TextVectors], kinds: Sequence[Sought], context: str
) -> list[Candidate]:
    """Best first. pieces: the texts of `looked.found`, as the embedder reads them. kinds: what is
    asked for."""
    question = looked.asked.text[looked.begins :]
    said = language.words.stems(looked.asked.text)
    about = _about(looked)
    whom = language.gaps.owners(question)
    if not whom and language.gaps.points_back(question):
        whom = language.gaps.owners(context)
    found: list[Candidate] = []
    stems = [language.words.stems(each.text) for each in looked.found]
    for piece, read, there in zip(looked.found, pieces, stems, strict=True):
        spoken = _spoken_of(about, looked, read, there)
        for span in language.sought.spans(piece.text):
            text = piece.text[span.start : span.end]
            own = language.words.says(text)
            inside = (read.spans[:, 0] >= span.start) & (read.spans[:, 1] <= span.end)
            inside &= read.spans[:, 1] > read.spans[:, 0]
            if own <= said or not inside.any():
                continue
            of_kind = span.kind in kinds and tuple(kinds) != ("thing",)
            of_kind = of_kind and language.sought.counts(text, question)
            bound = not whom or not (whom.isdisjoint(there) or _of_another(piece, span.start, whom))
            score = _nearness(looked, piece, read, inside) + FIT * piece.fit + SPOKEN_OF * spoken
            score += OF_KIND if of_kind else _SMALL.get(span.kind, 0.0) * (kinds[0] == "thing")
            score -= UNBOUND * (not bound)
            if span.kind == "name":
                score -= EVERYWHERE * (sum(own <= each for each in stems) - 1)
            found.append(Candidate(text, span.kind, span.start, piece, score, of_kind, bound))
    own = frozenset(language.words.stem(looked.asked.text[a:b]) for a, b in about)
    return sorted(_of_time(found, own), key=lambda each: -each.score)


def fits(one: str, other: str) -> bool:
    """Whether two answers say the same, one of them perhaps more."""
    a, b = language.words.says(one), language.words.says(other)
    return bool(a & b) and (a <= b or b <= a)


def means(candidate: Candidate, said: str) -> bool:
    """Whether the day that a candidate means ("tomorrow") is what was said."""
    if candidate.kind != "day" or all(each.isdigit() for each in language.words.says(said)):
        return False
    spans = language.dates.in_statement(candidate.text, candidate.source.time)
    days = {f"{day:%A} {day.day} {day:%B} {day.year}" for e in spans for day in (e.start, e.end)}
    return any(language.words.says(said) <= language.words.says(day) for day in days)


def parts(one: str, other: str) -> bool:
    """Whether an answer has more parts than another, which cannot take its place alone: three days
    of which one was changed."""
    return (
        len(language.words.says(one)) > len(language.words.says(other))
        and len(language.words.says(one)) > 2
    )


def margin(ranked: Sequence[Candidate]) -> float:
    """How far the best is above the next that says something else."""
    if not ranked:
        return 0.0
    best = ranked[0]
    return best.score - next((e.score for e in ranked if not fits(e.text, best.text)), 0.0)


def whole(ranked: Sequence[Candidate], best: Candidate) -> str:
    """A candidate with what belongs to it: the hour of a day, the others of an enumeration."""
    text = best.source.text
    start, end = best.at, best.at + len(best.text)
    beside = [each for each in ranked if each.source is best.source and each.kind != "thing"]
    for _ in beside:
        for each in beside:
            a, b = each.at, each.at + len(each.text)
            joins = best.kind == each.kind == "name"
            joins = joins or (each.of_kind and {best.kind, each.kind} == {"day", "hour"})
            if joins and a >= end and language.sought.goes_with(text[end:a]):
                end = b
            if joins and b <= start and language.sought.goes_with(text[b:start]):
                start = a
    return text[start:end]


def _about(looked: Looked) -> list[tuple[int, int]]:
    """The words that say of what is asked, of the question where it has any."""
    own = [(a, b) for a, b in looked.asked.content if a >= looked.begins]
    own = [(a, b) for a, b in own if language.gaps.asked_of(looked.asked.text[a:b])]
    return own or list(looked.asked.content)


def _spoken_of(
    about: Sequence[tuple[int, int]], looked: Looked, read: TextVectors, there: frozenset[str]
) -> float:
    """How much of that a piece speaks of, 0 to 1."""
    if not about:
        return 0.5
    cosines = looked.read.tokens @ read.tokens.T
    shares = []
    for a, b in about:
        tokens = (looked.read.spans[:, 0] >= a) & (looked.read.spans[:, 1] <= b)
        if language.words.occurs(language.words.stem(looked.asked.text[a:b]), there):
            shares.append(1.0)
        else:
            shares.append(float(cosines[tokens].max()) if tokens.any() else 0.0)
    return sum(shares) / len(shares)


def _nearness(
    looked: Looked,
    piece: Found,
    read: TextVectors,
    inside: NDArray[np.bool_],
) -> float:
    ends = [end for _, end in language.sentences.spans(piece.text)]
    place = np.array(
        [
            at + SENTENCE * sum(end <= begin for end in ends)
            for at, begin in enumerate(read.spans[:, 0])
        ]
    )
    away = np.abs(place[:, None] - place[inside][None, :]).min(axis=1)
    cosines = np.where(inside[None, :], 0.0, np.clip(looked.read.tokens @ read.tokens.T, 0.0, 1.0))
    best = (cosines / (1 + away / NEAR)[None, :]).max(axis=1)
    return float(best @ looked.weights / looked.weights.sum())


def _of_another(piece: Found, at: int, whom: frozenset[str]) -> bool:
    """Whether its sentence names somebody, and not whom is asked."""
    sentence = next(
        (piece.text[a:b] for a, b in language.sentences.spans(piece.text) if a <= at < b), ""
    )
    named = language.gaps.named_of(sentence)
    return bool(named) and whom.isdisjoint(language.words.stems(sentence))


def _of_time(found: list[Candidate], about: frozenset[str]) -> list[Candidate]:
    """With what is newer raised, and what it takes the place of lowered. A later piece of the same
    matter has a newer value where it names or denies the old one, or says of the same thing."""
    pieces = {id(each.source): each.source for each in found}
    words = {key: language.words.says(piece.text) for key, piece in pieces.items()}
    stems = {key: language.words.stems(piece.text) for key, piece in pieces.items()}
    denied = {key: language.sought.denied(piece.text) for key, piece in pieces.items()}
    outdated: set[int] = set()
    newer: set[int] = set()
    for i, old in enumerate(found):
        here = id(old.source)
        for there, later in pieces.items():
            if old.kind == "thing" or later.time <= old.source.time:
                continue
            if len(words[here] & words[there]) < SAME_MATTER:
                continue
            others = [
                j
                for j, new in enumerate(found)
                if id(new.source) == there
                and new.kind == old.kind
                and new.score > old.score - CLOSE
                and not fits(old.text, new.text)
            ]
            named = language.words.says(old.text) <= stems[there]
            of_it = not about.isdisjoint(stems[here] & stems[there])
            if not denied[there].isdisjoint(language.words.says(old.text)) or (named and others):
                outdated.add(i)
            if named or (of_it and old.kind != "name"):
                newer.update(others)
    values = [(found[i].kind, language.words.says(found[i].text)) for i in outdated]
    changed = []
    for j, each in enumerate(found):
        past = (each.kind, language.words.says(each.text)) in values
        score = each.score + NEWER * (j in newer and not past) - OLD * past
        changed.append(replace(each, score=score, newer=j in newer, outdated=past))
    return changed
