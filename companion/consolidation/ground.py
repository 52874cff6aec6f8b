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
from datetime import datetime, timezone

from companion import language
from companion.language.types import Relation

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_OWN = 0.5
"""Least share of them in the message itself, where it answers no question."""

_SUBJECT = 3
"""Most content words that a subject has which stands outside of its sentence."""

_ANY_DAY = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""Which words say when does not depend on the day."""

_LONG = 5
"""Content words of a note in which one may stand in another place."""

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

    earlier: str = ""
    """What the person had said before that line."""

    talk: tuple[str, ...] = ()
    """The person's messages before this one, the latest first."""

    addressed: frozenset[str] = frozenset()
    """Names by which the two address each other."""

    whom: str = ""
    """Whom a message surely means by "he" or "she"; "" when it says neither, or is not sure."""

    may_mean: str = ""
    """Whom it likely means, as `language.antecedents.Mention.key`; "" for nobody."""

    known: frozenset[Relation] = frozenset()
    """Who is whose what, as it was said on any day."""

    put_right: str = ""
    """The person's next message, where that only puts a word of this one right."""

    meant: str = ""
    """The message with that word; "" where nothing is put right."""

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
        ("twice", grounding.names_twice(plain)),
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
    if missing:
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
    mistaken = language.grounding.mistaken_owner(text, heard.said, heard.before)
    return "relation" if mistaken else None


def _judged(text: str, heard: Heard) -> Grounded | Dropped:
    """Check what matching words cannot show: the mood, polarity and subject of the words."""
    grounding, negated = language.grounding, language.negation.negated
    said, question = heard.said, heard.answered
    wanted = language.words.content(text)
    clause = _clause(wanted, said) or said
    sentences = language.sentences.split(said)
    at = next((n for n, each in enumerate(sentences) if clause in each), -1)
    sentence = sentences[at] if at >= 0 else clause
    if 0 <= at < len(sentences) - 1 and language.negation.takes_back(sentences[at + 1]):
        return Dropped("taken back")
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
    if agrees and set(wanted) <= language.words.stems(heard.before):
        return Grounded(text, excerpt(wanted, said), clause)  # it says what was asked
    if grounding.someone_elses(text, clause, people):
        return Dropped("subject")
    if _answered_by_another(text, wanted, heard):
        return Dropped("subject")
    introduced = language.people.relations(text)  # which `_unknown` has found to be stated
    if not introduced and grounding.nobodys(text, sentence, f"{said} {heard.whom}"):
        return Dropped("subject")
    if not _in_order(text, wanted, heard):
        return Dropped("loose")
    return Grounded(text, excerpt(wanted, said), clause)


def _answered_by_another(text: str, wanted: Sequence[str], heard: Heard) -> bool:
    """Whether a note lets somebody else do what the person was asked about ("What are you
    drawing?" "Auntie Gravity.")."""
    grounding, words = language.grounding, language.words
    if grounding.of_the_user(text) or not grounding.asks_the_user(heard.answered):
        return False
    own = words.stems(heard.said)
    left = [word for word in wanted if not words.occurs(word, own)]
    return any(words.occurs(word, words.stems(heard.answered)) for word in left)


def _in_order(text: str, wanted: Sequence[str], heard: Heard) -> bool:
    """Whether a note follows one sentence of the message, word by word.

    A small model that gathers the words of several sentences, or turns them round, has mostly
    mistaken who did what. Only its subject may stand elsewhere, where the sentence has a word for
    it ("she"), and what an answer leaves out may stand in the question. A day may stand anywhere.
    """
    when = _words_of_days(text)
    words, sentences = language.words, language.sentences
    elsewhere = words.stems(f"{heard.said} {heard.before} {heard.whom}")
    named = {each for each in wanted if each in words.stems(f"{heard.before} {heard.whom}")}
    named |= words.names(f"x {text}") | {
        each for each in wanted if language.grounding.empty([each])
    }
    question = sentences.split(heard.before)[-1:] if heard.answered else []
    for sentence in sentences.split(language.self_repair.repaired(heard.said)):
        said = [words.stem(word) for word in words.words(sentence)]
        spoken = [words.stem(word) for line in question for word in words.words(line)]
        subject = 0
        if language.grounding.leaves_subject_out(sentence):
            while subject < min(_SUBJECT, len(wanted)) and wanted[subject] in named - set(said):
                subject += 1
        rest = wanted[subject:]
        if not all(words.occurs(word, elsewhere) for word in wanted[:subject]):
            continue
        for order in ([*spoken, *said], [*said, *spoken]):
            at = [
                {n for n, word in enumerate(order) if words.occurs(each, frozenset({word}))}
                for each in rest
            ]
            ordered = [places for each, places in zip(rest, at, strict=True) if each not in when]
            if rest and all(at) and _turned(ordered) <= (len(rest) >= _LONG):
                return True
    return False


def _words_of_days(text: str) -> frozenset[str]:
    """Stems of the words that say when: "tomorrow", "on Friday"."""
    days = language.dates.in_statement(text, _ANY_DAY)
    return language.words.stems(" ".join(each.text for each in days))


def _turned(at: Sequence[set[int]]) -> int:
    """How many words stand before the one that they should follow. at: where each one stands."""
    last, turned = -1, 0
    for places in at:
        after = [place for place in places if place >= last]
        turned += not after
        last = min(after) if after else last
    return turned


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
