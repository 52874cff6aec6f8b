"""Checks drafted facts against what was really said (design decision 5).

A draft is kept only with a quote: the sentences of the user's message that it rests on, taken
literally from it. The model may turn "I've" into "has"; it may not add names, numbers, relations or
things of its own, turn a no into a yes, give the child what the brother did, or leave a "she" that
nobody can resolve.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from companion import language
from companion.language.types import Relation

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_MISSING = 0.25
"""Largest share of a draft's content words that nobody has said; and it is one word at most."""

_OWN = 0.5
"""Least share of them in the message itself, where it answers no question."""

_SHORT_MESSAGE = 25
"""Longest message, in words, that is quoted whole."""


@dataclass(frozen=True)
class Grounded:
    """A draft that the message supports."""

    text: str
    quote: str
    """The sentences that it rests on, as they stand in the message."""

    clause: str
    """The clause in them that holds most of its words."""


@dataclass(frozen=True)
class Dropped:
    """A draft that the message does not support, and why, in one word."""

    reason: str


@dataclass(frozen=True)
class Heard:
    """What a draft is held against."""

    said: str
    """The person's message."""

    before: str = ""
    """What the companion had said; it supplies what an answer leaves out."""

    question: str = ""
    """The question in it that the message answers; "" for none."""

    whom: str = ""
    """Whom a message means that begins with "he" or "she"; "" when it does not."""

    known: frozenset[Relation] = frozenset()
    """Who is whose what, as it was said on any day."""

    @property
    def answered(self) -> str:
        """The question, where the message cannot be understood without it."""
        return "" if language.grounding.is_whole(self.said) else self.question


def ground(line: str, heard: Heard, example_words: frozenset[str]) -> Grounded | Dropped:
    """Check one drafted line against the message and the line before it.

    example_words: stems of the prompt's examples, which show up when a model copies them.
    """
    text = language.grounding.tidy(line)
    reason = _form(text) or _unsaid(text, heard, example_words) or _unknown(text, heard)
    if reason is not None:
        return Dropped(reason)
    return _judged(text, heard)


def _form(text: str) -> str | None:
    """Why a tidied draft is dropped whatever the message says; None when it is not."""
    grounding = language.grounding
    plain = _QUOTED.sub(" ", text)
    wanted = language.words.content(text)
    checks = (
        ("person", grounding.in_first_or_second_person(plain)),
        ("question", text.endswith("?")),
        ("assistant", grounding.of_the_assistant(plain)),
        ("talk", grounding.of_the_talk(plain)),
        ("profile", grounding.of_the_profile(plain)),
        ("empty", grounding.empty(wanted)),
        ("vague", grounding.vague(plain, wanted)),
        ("dangling", grounding.dangling(plain)),
        ("trivial", grounding.trivial(plain) and not language.dietary.concerns_health(plain)),
    )
    return next((reason for reason, found in checks if found), None)


def _unsaid(text: str, heard: Heard, example_words: frozenset[str]) -> str | None:
    """Why the words of a draft are not those of the talk; None when they are."""
    words = language.words
    wanted = words.content(text)
    own = words.stems(heard.said)
    both = own | words.stems(f"{heard.before} {heard.whom}")
    missing = [word for word in wanted if not words.occurs(word, both)]
    if example_words.intersection(missing):
        return "example"
    strict = words.names(f"x {text}") | words.numbers(text)
    if strict.intersection(missing) or len(missing) > min(1, _MISSING * len(wanted)):
        return "unsaid"
    of_own = sum(words.occurs(word, own) for word in wanted)
    enough = 1 if heard.answered else _OWN * len(wanted)
    agrees = heard.answered and language.grounding.answers(heard.said)
    return None if of_own >= enough or agrees else "unsaid"


def _unknown(text: str, heard: Heard) -> str | None:
    """Whether a draft states a relation that nobody has stated: a cousin who is a friend, or one's
    own brother who is a friend's."""
    people = language.people
    stated = people.relations(text)
    said = people.relations(heard.said, heard.before)
    if not stated <= said | heard.known:
        return "relation"
    owned = people.owned(heard.said)
    for own, relation in people.owned(text):
        of = {other for other, each in owned if each == relation}
        if (own not in of) if of else not own:
            return "relation"
    return None


def _judged(text: str, heard: Heard) -> Grounded | Dropped:
    """Check what matching words cannot show: the mood, polarity and subject of the words."""
    grounding, negated = language.grounding, language.negation.negated
    said, question = heard.said, heard.answered
    wanted = language.words.content(text)
    clause = _clause(wanted, said) or said
    sentence = next((each for each in language.sentences.split(said) if clause in each), clause)
    asks = sentence.endswith("?") and clause.endswith("?") and not question
    if asks and not grounding.by_the_speaker(clause):
        return Dropped("question")
    denied = {negated(clause), negated(sentence)}
    agrees = question != "" and grounding.answers(said)
    if agrees and language.negation.answers_no(said):
        denied.add(True)  # "Do you like cats?" "No, they scratch."
    if negated(text) not in denied:
        return Dropped("polarity")
    if grounding.liking_unsaid(text, f"{question} {clause} {sentence}"):
        return Dropped("unsaid")
    if grounding.wish_as_fact(text, clause):
        return Dropped("wish")
    people = frozenset(each.name for each in heard.known) | language.words.names(
        f"{said} {heard.before}"
    )
    if agrees:  # it says what was asked, whatever it goes on about
        return Grounded(text, excerpt(wanted, said), clause)
    if grounding.someone_elses(text, clause, people):
        return Dropped("subject")
    introduced = language.people.relations(text)  # which `_unknown` has found to be stated
    if not introduced and grounding.nobodys(text, sentence, f"{said} {heard.whom}"):
        return Dropped("subject")
    return Grounded(text, excerpt(wanted, said), clause)


def excerpt(wanted: Sequence[str], said: str) -> str:
    """The words that a note rests on, as they stand in the message: all of a short one, else the
    sentences from the first to the last that hold some of the note's words, if they are few."""
    words = language.words
    if len(words.words(said)) <= _SHORT_MESSAGE:
        return said.strip()
    spans = language.sentences.spans(said)
    held = [
        sum(words.occurs(word, words.stems(said[start:end])) for word in set(wanted))
        for start, end in spans
    ]
    there = [n for n, count in enumerate(held) if count]
    if not there:
        return said[spans[0][0] : spans[0][1]]
    best = max(there, key=lambda n: held[n])
    first = max(min(there), best - 1)
    last = min(max(there), best + 1)
    return said[spans[first][0] : spans[last][1]]


def _clause(wanted: list[str], said: str) -> str | None:
    """The shortest clause or sentence that has most of the wanted words; None if none has any."""
    words, sentences = language.words, language.sentences
    spans = [
        part
        for start, end in sentences.spans(said)
        for part in [*sentences.clauses(said, start, end), (start, end)]
    ]
    best, most = None, 0
    for start, end in sorted(spans, key=lambda span: span[1] - span[0]):
        there = words.stems(said[start:end])
        covered = sum(words.occurs(word, there) for word in wanted)
        if covered > most:
            best, most = said[start:end], covered
    return best
