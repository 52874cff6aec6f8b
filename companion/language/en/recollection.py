"""Questions about a person's own life, and whether what was said bears an answer out.

Answer-sentence grounding by words: the small model answers never-told questions from notes of
something else ("Your teacher's name is Bernadette", which is a boat). So what an answer adds must
stand in one text, and that text must speak of what was asked. Nothing here knows what is true.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.language.en import (
    kinds_asked,
    not_knowing,
    people,
    question,
    second_person,
    sentences,
)
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.kinship import RELATION
from companion.language.en.ordinals import in_figures
from companion.language.en.words import (
    QUERY_WORDS,
    content,
    names,
    numbers,
    occurs,
    stem,
    stems,
)
from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_PHRASES = frozenset(map(stem, _TABLE.words("phrases")))
_ATTRIBUTES = _TABLE.words("attribute_words")
_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS))

LEAST_SHARED = 0.3
"""Share of the question's words that a text must hold to be about what was asked."""

_LEAST_ADDED = 0.66
"""Share of the words that an answer adds which one text must hold. Names and numbers: all."""

_LEAST_OF_ONE = 0.5
"""The same of one text, where all of them stand in the lines shown of its talk."""

_LEAST_STATED = 0.75
"""The same of all its words, where it adds none to the question: "Yes, you have a hamster." """

_MOST_WORDS = 28
"""Of an excerpt that is said back."""

_FEWEST_WORDS = 2
"""Words of content without which an excerpt is not said back, and a question is of no certain
message."""


def asks(words: str, told: str) -> bool:
    """Whether a message asks about the person's life, or for what was said in earlier talk.

    told: what is known; in the third person it has to speak of whom is asked about, or the question
    may be one of the world ("How old is Neil Armstrong?").
    """
    asking = question.asking(words)
    if not asking or _RE.requests.search(words) or _RE.of_the_world.search(words):
        return False
    if _RE.said_by_companion.search(asking):
        return True
    if _RE.of_the_companion.search(asking) or _RE.of_the_moment.search(asking):
        return False
    if _RE.reason.search(asking):
        return False
    if not (asked_about(words) or kinds_asked.asked_for(words) or kinds_asked.asks_name(asking)):
        return False  # "And me?"
    asking = _RE.by_the_way.sub(" ", asking)
    if _RE.own.search(asking) or _RE.their_own.search(asking):
        return True
    if _RE.ours.search(asking) and (_RE.past.search(asking) or shared(words, told) >= LEAST_SHARED):
        return True
    named = _named(asking) or {stem(each) for each in RELATION.findall(asking)}
    return not named.isdisjoint(stems(told))


def of_the_talk(words: str, said: Iterable[str]) -> bool:
    """Whether a question is about what was just told: all that it asks about stands in one of these
    messages, and it is of the person, or of a certain thing. "Why" is left to what knows why."""
    asking = question.asking(words)
    elsewhere = (_RE.requests, _RE.of_the_world, _RE.of_the_companion, _RE.of_the_moment)
    if not asking or _RE.reason.search(asking) or any(each.search(words) for each in elsewhere):
        return False
    certain = (_RE.own, _RE.ours, _RE.their_own, _RE.a_certain_one)
    if len(asked_about(words)) < _FEWEST_WORDS or not any(each.search(asking) for each in certain):
        return False
    return any(shared(words, each) == 1.0 for each in said)


def asked_about(words: str) -> list[str]:
    """The words of a question that say of whom or what something is asked; the day is none of
    them, since notes are chosen by it."""
    found = question.content_words(question.asking(words) or words)
    found = [each for each in found if content(each) and not _names_day(each)]
    return [each for each in found if each.lower() not in _ATTRIBUTES] or found


def shared(words: str, text: str) -> float:
    """The share of what a question asks about that a text speaks of, 0 to 1."""
    wanted, there = [stem(each) for each in asked_about(words)], stems(text)
    return sum(occurs(each, there) for each in wanted) / len(wanted) if wanted else 1.0


def states(sentence: str) -> bool:
    """Whether a sentence of an answer states something: it is no question, wish, comment or bare
    interjection, and does not say that nothing is known."""
    asks = sentence.rstrip("\"'”’ ").endswith("?") and not _RE.echo.match(sentence)
    if asks or not_knowing.admits(sentence):
        return False
    return _RE.comments.search(sentence) is None and bool(_wanted(sentence))


def borne_out(
    sentence: str,
    words: str,
    text: str,
    around: str | None = None,
    *,
    nearest: bool = False,
    before: bool = False,
    talk: bool = False,
) -> bool:
    """Whether one text bears out a sentence that answers a question: what the sentence adds to the
    question stands there, and it speaks of what was asked.

    around: where it is enough that what was asked is spoken of; None: in the text itself.
    nearest: it is the nearest text by meaning, and may speak of it in other words. before:
    `around` is the text with what was said just before it, so that "he" may be of there. talk: both
    are of the running talk, which need not say again what it is about.
    """
    if not _added(sentence, words):
        return _says_so(words) and _part(_wanted(sentence), _stems(text)) >= _LEAST_STATED
    if not (holds(sentence, words, text) or _together(sentence, words, text, around)):
        return False
    asking = question.asking(words) or words
    of = _named(asking) | {stem(each) for each in _RE.of_relation.findall(asking)}
    if of and of.isdisjoint(stems(around or text)):
        return False
    own = around if around and before and goes_on(text) else text
    if not kinds_asked.may_answer(words, own):
        beside = around or "" if talk else ""
        if _names_somebody_else(stems(sentence), words, text):
            return False  # of a goat told before it, the name of a cousin
        if not kinds_asked.may_answer(words, own, beside):
            return False
    kinds = kinds_asked.asked_for(words)
    if "age" in kinds:
        told = numbers(in_figures(sentence))
        if not kinds_asked.age_is_told_of(told, words, in_figures(own)):
            return False
    near = own if kinds and not talk else around or text
    if shared(words, near) >= LEAST_SHARED:
        return True
    return nearest and not _names_somebody_else(_exact(sentence, words), words, text)


def of_companion(words: str) -> bool:
    """Whether a question is about the companion or what it said."""
    asking = question.asking(words) or words
    return bool(_RE.said_by_companion.search(asking) or _RE.of_the_companion.search(asking))


def goes_on(text: str) -> bool:
    """Whether a text begins with somebody or something that was named before it."""
    return _RE.goes_on.search(text) is not None


def holds(sentence: str, words: str, text: str) -> bool:
    """Whether a text holds what a sentence adds to the question, be it of something else."""
    there, added = _stems(text), _added(sentence, words)
    if not all(occurs(each, there) for each in _exact(sentence, words)):
        return False
    return bool(added) and _part(added, there) >= _LEAST_ADDED


def _together(sentence: str, words: str, text: str, around: str | None) -> bool:
    """Whether the lines of a talk together hold what a sentence adds, and one of them half."""
    added = _added(sentence, words)
    if around is None or not all(occurs(each, _stems(text)) for each in _exact(sentence, words)):
        return False
    of_one = _part(added, _stems(text))
    return of_one >= _LEAST_OF_ONE and _part(added, _stems(around)) == 1.0


def names_nothing_new(sentence: str, words: str, text: str) -> bool:
    """Whether every name and number of a sentence stands in the question or in a text."""
    exact = numbers(in_figures(sentence)) | names(sentence)
    return exact <= _stems(words) | _stems(text)


def said_back(said: str, words: str) -> str:
    """A person's words as they are said back: the sentences that fit a question best, turned to the
    second person; "" when there are none. "me brother's Wilf" becomes "Your brother's Wilf." """
    said = _RE.lead_in.sub("", said)
    told = [each for each in sentences.split(said) if not each.endswith("?")]
    told = [each for each in told if not _RE.said_to_companion.search(each)]
    if not told:
        return ""
    best = max(range(len(told)), key=lambda at: (shared(words, told[at]), -at))
    first = last = best
    while True:  # what stands after it belongs to it rather than what stands before
        if last + 1 < len(told) and _length(told[first : last + 2]) <= _MOST_WORDS:
            last += 1
        elif first and _length(told[first - 1 : last + 1]) <= _MOST_WORDS:
            first -= 1
        else:
            break
    turned = []
    for each in told[first : last + 1]:
        own = _RE.possessive_me.sub(r"\1your ", each)
        turned.append(second_person.in_second_person(own))
    text = " ".join(turned)
    if len(content(text)) < _FEWEST_WORDS:  # "Ya.", "Never."
        return ""
    if text.split()[0].lower() in QUERY_WORDS:  # no name
        text = text[:1].lower() + text[1:]
    cut = text.split()
    return text if len(cut) <= 2 * _MOST_WORDS else " ".join(cut[: 2 * _MOST_WORDS]) + " …"


def _names_somebody_else(exact: frozenset[str], words: str, text: str) -> bool:
    """Whether a name is that of somebody whom the question does not ask for: "Your rabbit is called
    Yusuf", where Yusuf is a brother."""
    asked = stems(words)
    return any(
        each.name in exact and not occurs(each.relation, asked) for each in people.relations(text)
    )


def _named(asking: str) -> set[str]:
    """Stems of whom a question names."""
    found = {*names(f"x {asking}"), *(stem(each) for each in _RE.possessor.findall(asking))}
    return {each for each in found if each.isalpha() and each not in _DAYS}  # "When've"


def _names_day(word: str) -> bool:
    return stem(word) in _DAYS or _RE.day_of_month.fullmatch(word) is not None


def _added(sentence: str, words: str) -> list[str]:
    """What a sentence adds to the question, as stems."""
    asked = _stems(words)
    return [each for each in _wanted(sentence) if not occurs(each, asked)]


def _exact(sentence: str, words: str) -> frozenset[str]:
    """The names and numbers among that, each of which has to have been said."""
    return (numbers(in_figures(sentence)) | names(sentence)) - _stems(words)


def _wanted(sentence: str) -> list[str]:
    """What a sentence of an answer says, as stems."""
    return [each for each in content(in_figures(sentence)) if each not in _PHRASES]


def _stems(text: str) -> frozenset[str]:
    return stems(in_figures(text))


def _length(each: list[str]) -> int:
    return sum(len(one.split()) for one in each)


def _says_so(words: str) -> bool:
    """Whether yes or no answers a question."""
    asking = question.asking(words) or words
    if _RE.asked_if_known.search(asking):
        return False
    return _RE.yes_or_no_question.search(asking) is not None


def _part(wanted: list[str], there: frozenset[str]) -> float:
    return sum(occurs(each, there) for each in wanted) / len(wanted) if wanted else 0.0
