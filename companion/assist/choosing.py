"""Whether the model's word is said, a newer one in its place, what rules have read, or nothing.

The small model writes fluently what stands in the wrong piece, and takes the value that a later day
put right. So its word counts where a piece bears it out that speaks of what was asked and said.
Without a model, what rules find counts if nothing else comes near. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion import language
from companion.assist.concise import concise, grounded
from companion.assist.finding import Found
from companion.assist.reading import Candidate, fits, margin, means, parts, whole
from companion.language.types import Sought

ALONE = 1.0
"""Score from which rules answer by themselves,"""

AHEAD = 0.1
"""and how far above the next. Both chosen on development people, leaving one out at a time."""

BEST_FOUND = 2
"""An answer stands in one of so many of the best pieces,"""

SPOKEN_OF = 3
"""which has so many words of the question and of what was just said, if it does not speak of what
was asked in the question's own words."""


@dataclass(frozen=True)
class Chosen:
    """What is whispered, and where it stands."""

    answer: str
    """"" where nothing is said."""

    sources: tuple[Found, ...]
    by_rules: bool


NOTHING = Chosen("", (), by_rules=False)


def by_rules(
    ranked: Sequence[Candidate],
    found: Sequence[Found],
    context: str,
    question: str,
    most: int,
) -> Chosen:
    """What rules alone have read. ranked, found: the best first."""
    best = ranked[0] if ranked else None
    if best is None or not (best.of_kind and best.bound) or best.outdated:
        return NOTHING
    if best.score < ALONE or margin(ranked) < AHEAD or not _tells(best, question):
        return NOTHING
    if not speaks_of_it(best.source, found, context, question):
        return NOTHING
    return _read(ranked, best, context, question, most)


def with_model(
    line: str,
    ranked: Sequence[Candidate],
    found: Sequence[Found],
    context: str,
    question: str,
    most: int,
    kinds: Sequence[Sought],
    *,
    inferred: bool = False,
) -> Chosen:
    """What is said where a model has answered. line: its answer; "" where it knows none. inferred:
    nobody asked, and the question holds all that was just said."""
    said = _without_amounts(line, context, question, most) if line else ""
    agrees = bool(ranked) and fits(ranked[0].text, said)
    least = 2 if inferred and not agrees else 1
    sources = _sources(said, found, context, question, least, agrees=agrees) if said else []
    if not sources or not language.sought.may_be(said, kinds, question):
        return NOTHING
    if language.gaps.says_little(said):
        return NOTHING
    mine = [
        each for each in ranked if each.of_kind and (fits(each.text, said) or means(each, said))
    ]
    if mine and not any(each.bound for each in mine):
        return NOTHING
    if mine and not any(each.newer and not each.outdated for each in mine):
        kind = {each.kind for each in mine}
        own = max(each.score for each in mine)
        as_told = said if any(fits(each.text, said) for each in mine) else mine[0].text
        newer = [each for each in ranked if each.newer and not each.outdated and each.kind in kind]
        if (
            newer
            and newer[0].of_kind
            and newer[0].score > own
            and not parts(as_told, newer[0].text)
        ):
            of_it = _words_of(newer[0].source, context, question)
            return _read(ranked, newer[0], context, question, most) if of_it else NOTHING
        if any(each.outdated for each in mine):
            return NOTHING
    return Chosen(said, tuple(sources), by_rules=False)


def by_date(chosen: Chosen) -> Chosen:
    """With the day that was meant in place of "tomorrow"; nothing where that is not one day."""
    if not language.sought.depends_on_today(chosen.answer):
        return chosen
    for source in chosen.sources:
        for span in language.dates.in_statement(source.text, source.time):
            if span.start == span.end and span.text.lower() in chosen.answer.lower():
                day = f"{span.start:%A} {span.start.day} {span.start:%B}"
                return replace(chosen, answer=day)
    return NOTHING


def denied_later(chosen: Chosen, found: Sequence[Found]) -> bool:
    """Whether a later piece of the same matter says that the answer is not so any more. found: by
    the answer's own words."""
    said = set(language.words.content(chosen.answer))
    for source in chosen.sources:
        matter = set(language.words.content(source.text)) - said
        for each in found:
            there = language.words.stems(each.text)
            if each.time <= source.time or not (said <= there and matter & there):
                continue
            if said <= language.sought.denied(each.text):
                return True
    return False


def speaks_of_it(
    piece: Found, found: Sequence[Found], context: str, question: str, least: int = SPOKEN_OF
) -> bool:
    """Whether a piece is among the best, and has so many words of what was asked and just said."""
    if piece not in found[:BEST_FOUND]:
        return False
    return _words_of(piece, context, question) >= least


def _words_of(piece: Found, context: str, question: str) -> int:
    """How many words of what was asked and just said a piece has."""
    there = language.words.stems(piece.text)
    spoken = language.gaps.asked_of(f"{context} {question}")
    return sum(language.words.occurs(each, there) for each in spoken)


def _sources(
    said: str, found: Sequence[Found], context: str, question: str, least: int, *, agrees: bool
) -> list[Found]:
    """The pieces that bear an answer out. least: words that one has to have which speaks of what
    was asked. agrees: rules read the same, so that one word less does,
    where everybody who was just named is named there too."""
    if borne := grounded(said, found, question, context):
        fitting = [e for e in borne if speaks_of_it(e, found, context, question, least)]
        if fitting:
            return fitting
    stands = grounded(said, found)
    named = language.gaps.owners(context)
    fitting = []
    for each in stands:
        fewer = agrees and named <= language.words.stems(each.text)
        words = 1 if language.gaps.goes_on_with(context, said, each.text) else SPOKEN_OF - fewer
        if speaks_of_it(each, found, context, question, words):
            fitting.append(each)
    return fitting


def _read(
    ranked: Sequence[Candidate], best: Candidate, context: str, question: str, most: int
) -> Chosen:
    said = concise(whole(ranked, best), context, question, most)
    return Chosen(said, (best.source,), by_rules=True) if said else NOTHING


def _tells(candidate: Candidate, question: str) -> bool:
    """Whether its piece tells a colour, an age, a surname where one is asked for."""
    kinds = language.kinds_asked.asked_for(question)
    text = candidate.source.text
    return all(language.kinds_asked.tells(kind, text, question) for kind in kinds)


def _without_amounts(line: str, context: str, question: str, most: int) -> str:
    """Concise; of the rest of a list each thing without how much of it there is."""
    if not language.sought.rest(question):
        return concise(line, context, question, most)
    things = [language.sought.thing(each) for each in language.lists.things(line)]
    return concise(", ".join(things), context, question, most)
