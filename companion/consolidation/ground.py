"""Drafted facts against what was really said (design decision 5).

A draft is kept only with a quote: the shortest clause or sentence of the user's message that
bears it out, literally a part of that message. The model may turn "I've" into "has"; it may not
bring names, numbers or things of its own, turn no into yes, or give the brother's dog to the
child.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.consolidation.words import (
    clauses,
    content,
    names,
    negated,
    numbers,
    occurs,
    sentences,
    stem,
    stems,
)
from companion.consolidation.worth import FAMILY
from companion.introduction import said as introduction

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_OTHER_PERSON = re.compile(r"\b(?:i|i['’]\w+|me|my|mine|myself|you|your|yours|we|our|us)\b", re.I)
_ASSISTANT = re.compile(r"\b(?:assistant|companion|chat ?bot|language model|AI)\b")
_ABOUT_THE_TALK = re.compile(
    r"""
    The\ user\ (?:\w+ly\ )?
    (?: asks?|asked|is\ asking|thanks?|thanked|is\ (?:thankful|grateful)|greets?|greeted
      | says?\ (?:hello|hi|goodbye|thank) | agrees?|agreed|appreciates?|appreciated
      | (?:wants?|would\ like|hopes?|plans?|is\ (?:happy|glad|looking))\ (?:to\ )?
        (?:know|chat|talk|meet|hear|share|ask|try\ th|try\ it)
      | is\ (?:chatting|talking) | will\ (?:try|check|consider|give|keep|take)
      | (?:is\ )?look(?:s|ing)\ for\ (?:a\ |some\ )?(?:\w+\ )?(?:advice|suggestion|recommend|tips)
      | needs?\ (?:some\ )?(?:advice|help|suggestion) | finds?\ (?:the|this|that|these|those)\b
    )""",
    re.I | re.X,
)
_CORE = re.compile(r"The user(?:['’]s name is|['’]s age is| is (?:called|named)) ", re.I)
_BE = re.compile(r"^The user is ")
_LIKING = re.compile(r"\b(?:likes?|loves?|enjoys?|adores?|prefers?|favou?rite|fond|fan)\b", re.I)
_LIKING_SAID = re.compile(
    r"\b(?:like[sd]?|lov(?:e|es|ed|ing)|enjoy\w*|ador\w+|prefer\w*|favou?rites?|fond|fan|fun|"
    r"obsessed|into|best|great|amazing|wonderful|beautiful|delicious|interesting|interested|"
    r"happy|joy|pleasure|lovely|cool|awesome|yummy|nice|passion\w*|hobb\w+)\b",
    re.I,
)
_WISH = re.compile(
    r"\b(?:want(?:s|ed)? to|want(?:s|ed)?|wish(?:es)?|would (?:like|love)|['’]d (?:like|love)|"
    r"hop(?:e|es|ing)|dream(?:s|ing)? of|if (?:i|we) (?:had|could|were|was)|might|thinking of|"
    r"thinking about|considering|plan(?:s|ning)?|will|going to|gonna)\b|['’]ll\b",
    re.I,
)
RELATION = re.compile(
    rf"\b(?:{FAMILY}|friends?|teacher|neighbou?r|baby|boss|colleagues?|classmates?|husband|wife|"
    r"girlfriend|boyfriend|partner|son|daughter|parents|family|trainer|coach)\b",
    re.I,
)
_FIRST_PERSON_SUBJECT = re.compile(r"\b(?:i|i['’]\w+|we|we['’]\w+)\b", re.I)
_YES_OR_NO = re.compile(r"\W*(?:yes|yeah|yep|no|nope|sure|of course|definitely)\b", re.I)
_POINTS_ELSEWHERE = re.compile(
    r"\b(?:it|this|that|these|those|him|them|there|one)\b"
    r"|\bher\b(?=[.,!]|$| (?:often|every|on|at|in|with|and|very)\b)",
    re.I,
)
_VAGUE_WORDS = 2
"""A draft of so few words that points at something else says nothing by itself."""

_LEAST_COVERED = 0.7
"""Share of a draft's content words that must have been said."""


@dataclass(frozen=True)
class Grounded:
    """A draft that was borne out."""

    text: str
    quote: str


@dataclass(frozen=True)
class Dropped:
    """A draft that was not, and why, in one word."""

    reason: str


def _is_profile(line: str) -> bool:
    """Whether a line says name, age or gender and nothing else: the profile holds them, and keeps
    up with a birthday; a memory would not."""
    rest = own = _BE.sub("I am ", line)
    for told in introduction.said(own, asked=(), companion=""):
        rest = rest.replace(told.quote, "")
    return own != line and rest.strip(" .!") == ""


def ground(
    line: str, said: str, question: str, example_words: frozenset[str]
) -> Grounded | Dropped:
    """One drafted line against the user's message and the question it answered, if any.

    question: bears out what an answer leaves unsaid ("Do you have a pet?" "Yes, a cat").
    example_words: stems of the prompt's examples, which come back when a model copies.
    """
    text = tidy(line)
    plain = _QUOTED.sub(" ", text)
    if _OTHER_PERSON.search(plain) or not plain.startswith("The user"):
        return Dropped("person")
    if text.endswith("?"):
        return Dropped("question")
    if _ASSISTANT.search(plain):
        return Dropped("assistant")
    if _ABOUT_THE_TALK.match(plain):
        return Dropped("talk")
    if _CORE.match(plain) or _is_profile(plain):
        return Dropped("profile")
    wanted = content(text)
    if all(RELATION.fullmatch(word) for word in wanted):
        return Dropped("empty")
    if len(wanted) <= _VAGUE_WORDS and _POINTS_ELSEWHERE.search(plain):
        return Dropped("vague")
    if _FIRST_PERSON_SUBJECT.search(said) and not _YES_OR_NO.match(said):
        question = ""  # the answer is a whole sentence
    quote = _quote(wanted, said)
    heard = stems(said) | (stems(question) if question else frozenset())
    missing = [word for word in wanted if not occurs(word, heard)]
    if missing:
        if example_words.intersection(missing):
            return Dropped("example")
        strict = names(text) | numbers(text)
        too_many = len(missing) > (1 - _LEAST_COVERED) * len(wanted)
        if strict.intersection(missing) or too_many:
            return Dropped("unsaid")
    if quote is None:
        if not (question and said.strip()):
            return Dropped("unsaid")
        quote = said[slice(*sentences(said)[0])]
    return _judged(text, quote, said, question)


def tidy(line: str) -> str:
    """A drafted line as a sentence: no bullet, one space, a full stop and no exclamation mark."""
    text = re.sub(r"^[\s\-*•\d.)]+", "", line).strip()
    text = " ".join(text.split()).rstrip(" ,;:!")
    text = re.sub(r"^(?:the )?user\b", "The user", text, flags=re.I)
    return text if not text or text[-1] in '.!?"”' else f"{text}."


def _judged(text: str, quote: str, said: str, question: str) -> Grounded | Dropped:
    """What the words alone do not show: the quote's mood, polarity and subject."""
    sentence = next((said[a:b] for a, b in sentences(said) if quote in said[a:b]), quote)
    if sentence.endswith("?") and quote.endswith("?") and not _FIRST_PERSON_SUBJECT.search(quote):
        return Dropped("question")
    context = f"{question} {quote}" if question else quote
    if negated(text) != negated(quote) and negated(text) != negated(sentence):
        return Dropped("polarity")
    if _LIKING.search(text) and not _LIKING_SAID.search(f"{context} {sentence}"):
        return Dropped("unsaid")
    if _WISH.search(quote) and not _WISH.search(text):
        return Dropped("wish")
    if _someone_elses(text, quote):
        return Dropped("subject")
    return Grounded(text, quote)


def _someone_elses(text: str, quote: str) -> bool:
    """Whether the user is said to do, or to have, what the quote says of somebody else."""
    verb = re.match(r"The user (?:has |is |was )?(\w+)", text)
    if verb is not None:
        doers = re.finditer(
            r"\b(?:he|she|they)(?:['’]s|['’]ve| has| is| was| have)? (\w+)", quote, re.I
        )
        if any(stem(doer[1]) == stem(verb[1]) for doer in doers):
            return True
    relation = RELATION.search(quote)
    if relation is None or _FIRST_PERSON_SUBJECT.search(quote):
        return False
    return stem(relation.group()) not in stems(text)


def _quote(wanted: list[str], said: str) -> str | None:
    """The shortest clause or sentence with the most of the wanted words; None without any."""
    spans = [
        part
        for start, end in sentences(said)
        for part in [*clauses(said, start, end), (start, end)]
    ]
    best, most = None, 0
    for start, end in sorted(spans, key=lambda span: span[1] - span[0]):
        there = stems(said[start:end])
        covered = sum(occurs(word, there) for word in wanted)
        if covered > most:
            best, most = said[start:end], covered
    return best
