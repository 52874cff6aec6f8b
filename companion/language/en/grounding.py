"""What the wording of a drafted note shows: whom it is about, and whether it can be true.

The order in which a draft is checked against a message is in `consolidation/ground.py`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from companion.language.en import introduction
from companion.language.en.kinship import RELATION
from companion.language.en.words import content, names, stem, stems
from companion.language.tables import Table

_RE = Table.beside(__file__).patterns()

_ANTECEDENT = 2
"""Fewest content words among which "it" or "the other one" can find what it stands for."""

_VAGUE_WORDS = 2
"""A draft with at most this many words that refers to something else says nothing by itself."""


def tidy(line: str) -> str:
    """A drafted line as a sentence: no bullet, one space, a full stop and no exclamation mark."""
    text = re.sub(r"^[\s\-*•\d.)]+", "", line).strip()
    text = " ".join(text.split()).rstrip(" ,;:!")
    text = _RE.loose_subject.sub("The user", text)
    return text if not text or text[-1] in '.!?"”' else f"{text}."


def renamed(line: str, names: Collection[str], name: str) -> str:
    """A line with another name in place of each of these."""
    for each in names:
        line = re.sub(rf"\b{re.escape(each)}\b", name, line)
    return line


def with_user(line: str, speaker: str, said: str) -> str:
    """A drafted line with "the user" in place of the name under which it was drafted.

    "His knee" is the user's where the message has "my knee" and the line names nobody else.
    """
    text = re.sub(rf"\b{re.escape(speaker)}\b", "the user", line)
    mine = frozenset(each.lower() for each in _RE.mine.findall(said))
    own = _RE.his.sub(lambda m: f"the user's {m[1]}" if m[1].lower() in mine else m[0], text)
    return own[:1].upper() + own[1:]


def smooth(text: str) -> str:
    """A checked note that reads well: "The user broke their arm", not "the user's arm"."""
    if not text.startswith("The user"):
        return text
    return text[:8] + text[8:].replace(" the user's ", " their ")


def of_the_user(text: str) -> bool:
    """Whether the user is the subject of a note."""
    return _RE.subject.match(text) is not None


def in_first_or_second_person(text: str) -> bool:
    """Whether a note uses "I" or "you", and so leaves open whom it is about."""
    return _RE.other_person.search(text) is not None


def dangling(text: str) -> bool:
    """Whether a note needs what was said before it: "He sings.", "The user likes it." """
    if _RE.dangling_start.match(text) or _RE.bare_one.search(text):
        return True
    for pronoun in _RE.person_pronoun.finditer(text):
        if not _RE.somebody.search(text[: pronoun.start()]):
            return True
    thing = _RE.thing_pronoun.search(text)
    return thing is not None and len(content(text[: thing.start()])) < _ANTECEDENT


def names_twice(text: str) -> bool:
    """Whether a note has one name for two: "Ola took Ola off the list." """
    found = [stem(each) for each in _RE.a_name.findall(text)]
    return len(found) != len(set(found))


def leaves_subject_out(sentence: str) -> bool:
    """Whether a sentence has only a word for its subject, or none: "She's cold", "Cold, too." """
    return (
        _RE.person_word.search(sentence) is not None
        or _RE.thing_subject.match(sentence) is not None
    )


def trivial(text: str) -> bool:
    """Whether a note holds a mood or a state of the moment, of no use tomorrow."""
    return _RE.trivial.search(text) is not None


def of_the_assistant(text: str) -> bool:
    """Whether a note mentions the assistant that the user talks to."""
    return _RE.assistant.search(text) is not None


def of_the_talk(text: str) -> bool:
    """Whether a note is about the talk itself: that the user asks, thanks, agrees."""
    return _RE.about_the_talk.match(text) is not None


def of_the_profile(text: str) -> bool:
    """Whether a note says name, age or gender and nothing else: the profile holds them, and keeps
    up with a birthday; a memory would not."""
    if _RE.core.match(text):
        return True
    rest = own = _RE.being.sub("I am ", text)
    for told in introduction.said(own, asked=(), companion=""):
        rest = rest.replace(told.quote, "")
    return own != text and rest.strip(" .!") == ""


def empty(wanted: list[str]) -> bool:
    """Whether a note only names people and says nothing about them."""
    return all(RELATION.fullmatch(word) for word in wanted)


def vague(text: str, wanted: list[str]) -> bool:
    """Whether a note can only be understood with what was said before. wanted: its content
    words."""
    return len(wanted) <= _VAGUE_WORDS and _RE.points_elsewhere.search(text) is not None


def is_whole(said: str) -> bool:
    """Whether a message can be understood without the question that it answers."""
    return by_the_speaker(said) and _RE.yes_or_no.match(said) is None


def answers(said: str) -> bool:
    """Whether a message begins with yes or no, and so says what was asked."""
    return _RE.yes_or_no.match(said) is not None


def asks_the_user(question: str) -> bool:
    """Whether a question has the person it is put to for its subject."""
    return _RE.you_do.search(question) is not None


def by_the_speaker(said: str) -> bool:
    """Whether the speaker is the subject of a clause."""
    return _RE.first_person.search(said) is not None


def liking_unsaid(text: str, said: str) -> bool:
    """Whether a note says that the user likes something, though their words show no liking."""
    return _RE.liking.search(text) is not None and _RE.liking_said.search(said) is None


def wish_as_fact(text: str, quote: str) -> bool:
    """Whether a note states as a fact what is only wished or planned."""
    return _RE.wish.search(quote) is not None and _RE.wish.search(text) is None


def mistaken_owner(text: str, said: str, before: str) -> bool:
    """Whether a note gives a thing to another than the message does: "my Spanish" to Lita, or a dog
    that was only seen to the user. before: the line that the message answers."""
    mine = {stem(each) for each in _RE.mine.findall(said)} | {
        stem(each) for each in _RE.yours.findall(before)
    }
    has = {stem(each) for pair in _RE.has.findall(said) for each in pair if each}
    for owner, *things in _RE.things.findall(text):
        what = {stem(each) for thing in things for each in thing.split()}
        if owner.lower() == "the user":
            if not what & (mine | has) and RELATION.search(" ".join(things)) is None:
                return True
        elif what & mine:
            theirs = re.findall(rf"{re.escape(owner)}['’]s (?:\w+ )?(\w+)", said)
            if not what & {stem(each) for each in theirs}:
                return True
    return False


def someone_elses(text: str, quote: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether a note says of the user what the quote says of somebody else.

    known: stems of the names of people.
    """
    if _RE.user_again.search(text):
        return True
    verb = _RE.doing.match(text)
    if verb is not None:
        doers = _RE.doing_of_another.finditer(quote)
        if any(stem(doer[1]) == stem(verb[1]) for doer in doers):
            return True
    if _RE.self_subject.match(text) and not (by_the_speaker(quote) or _has(text, quote)):
        other = _RE.third_person_start.match(quote)
        first = re.match(r"\W*([^\W_]+)", quote)
        if other is not None or (
            first is not None and stem(first[1]) in names(f"x {quote}") & known
        ):
            return True
    relation = RELATION.search(quote)
    if relation is None or by_the_speaker(quote):
        return False
    return stem(relation.group()) not in stems(text)


def _has(text: str, quote: str) -> bool:
    """Whether a note says that the user has what the quote calls "my" ("My hamster is ...")."""
    having = _RE.having.match(text)
    return having is not None and bool(_RE.mine.search(quote)) and stem(having[1]) in stems(quote)


def nobodys(text: str, sentence: str, said: str) -> bool:
    """Whether a note gives somebody who is named what the sentence says of nobody but the speaker.

    said: the whole message.
    """
    subject = _RE.named_subject.match(text)
    if subject is None or not by_the_speaker_or_own(said):
        return False
    named = stem(subject[1].split()[-1]) in stems(said)
    return not named and _RE.person_word.search(sentence) is None


def by_the_speaker_or_own(said: str) -> bool:
    """Whether the speaker, or something of the speaker's own, is spoken of."""
    return by_the_speaker(said) or _RE.mine.search(said) is not None


def of_character(text: str) -> bool:
    """Whether a sentence is only about a person's character: it neither guesses at age or gender
    nor says how to treat the person."""
    return _RE.guess.search(text) is None and _RE.bids.search(text) is None
