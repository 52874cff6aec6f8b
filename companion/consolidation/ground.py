"""Checks drafted facts against what was really said (design decision 5).

A draft is kept only with a quote: the shortest clause or sentence of the user's message that
supports it, taken literally from that message. The model may turn "I've" into "has"; it may not
add names, numbers or things of its own, turn a no into a yes, or attribute the brother's dog to
the child.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion import language

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_LEAST_COVERED = 0.7
"""Least share of a draft's content words that the user must have said."""


@dataclass(frozen=True)
class Grounded:
    """A draft that the message supports."""

    text: str
    quote: str


@dataclass(frozen=True)
class Dropped:
    """A draft that the message does not support, and why, in one word."""

    reason: str


def ground(
    line: str, said: str, question: str, example_words: frozenset[str]
) -> Grounded | Dropped:
    """Check one drafted line against the user's message and the question it answers, if any.

    question: supplies what an answer leaves unsaid ("Do you have a pet?" "Yes, a cat").
    example_words: stems of the prompt's examples, which show up when a model copies them.
    """
    grounding, words = language.grounding, language.words
    text = grounding.tidy(line)
    if (reason := _form(text)) is not None:
        return Dropped(reason)
    wanted = words.content(text)
    if grounding.is_whole(said):
        question = ""
    quote = _quote(wanted, said)
    heard = words.stems(said) | (words.stems(question) if question else frozenset())
    missing = [word for word in wanted if not words.occurs(word, heard)]
    if missing:
        if example_words.intersection(missing):
            return Dropped("example")
        strict = words.names(text) | words.numbers(text)
        too_many = len(missing) > (1 - _LEAST_COVERED) * len(wanted)
        if strict.intersection(missing) or too_many:
            return Dropped("unsaid")
    if quote is None:
        if not (question and said.strip()):
            return Dropped("unsaid")
        quote = language.sentences.split(said)[0]
    return _judged(text, quote, said, question)


def _form(text: str) -> str | None:
    """Why a tidied draft is dropped whatever the message says; None when it is not."""
    grounding = language.grounding
    plain = _QUOTED.sub(" ", text)
    wanted = language.words.content(text)
    checks = (
        ("person", not grounding.of_the_user(plain)),
        ("question", text.endswith("?")),
        ("assistant", grounding.of_the_assistant(plain)),
        ("talk", grounding.of_the_talk(plain)),
        ("profile", grounding.of_the_profile(plain)),
        ("empty", grounding.empty(wanted)),
        ("vague", grounding.vague(plain, wanted)),
    )
    return next((reason for reason, found in checks if found), None)


def _judged(text: str, quote: str, said: str, question: str) -> Grounded | Dropped:
    """Check what matching words cannot show: the mood, polarity and subject of the quote."""
    grounding, negated = language.grounding, language.negation.negated
    sentence = next((each for each in language.sentences.split(said) if quote in each), quote)
    asks = sentence.endswith("?") and quote.endswith("?")
    if asks and not grounding.by_the_speaker(quote):
        return Dropped("question")
    context = f"{question} {quote}" if question else quote
    denied = {negated(quote), negated(sentence)}
    if question and language.negation.answers_no(said):
        denied.add(True)  # "Do you like cats?" "No, they scratch."
    if negated(text) not in denied:
        return Dropped("polarity")
    if grounding.liking_unsaid(text, f"{context} {sentence}"):
        return Dropped("unsaid")
    if grounding.wish_as_fact(text, quote):
        return Dropped("wish")
    if grounding.someone_elses(text, quote):
        return Dropped("subject")
    return Grounded(text, quote)


def _quote(wanted: list[str], said: str) -> str | None:
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
