"""Anaphora: whom "she" stands for, where words are kept without the talk around them.

"It's her birthday two weeks today" says nothing by itself. The sentence further above that names
somebody whom "her" may mean ("Ify's got a purple phone") makes it understandable; which of several
people is meant is left to whoever reads both. "They" is as often anybody at all, and left alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from companion.language.en import people, sentences, words
from companion.language.en.kinship import RELATION
from companion.language.tables import Table
from companion.language.types import Relation

_RE = Table.beside(__file__).patterns()
_MESSAGES = 4
"""How many messages back somebody is looked for."""

_SHORT = 4
"""A sentence of fewer words is shown with the one after it."""


def open_pronoun(text: str) -> str:
    """The first "he" or "she" of a text, in this form, if nobody is named before it whom it may
    mean; else ""."""
    found = _RE.pronoun.search(text)
    if found is None or _names_somebody(text[: found.start()]):
        return ""
    return next(form for form, word in found.groupdict().items() if word)


def naming(
    pronoun: str,
    before: Sequence[str],
    known: Collection[Relation],
    *,
    but: Collection[str] = (),
) -> str:
    """The latest sentence that names somebody whom a pronoun may mean; "" when none does.

    before: the person's own messages, the latest first. known: who is whose what. but: names of
    those who are only addressed, such as the companion.
    """
    talk = " ".join(before)
    no_names = {words.stem(each) for each in but}
    names = ({each.name for each in known} | words.names(talk)) - no_names
    for message in before[:_MESSAGES]:
        parts = [each for each in sentences.split(message) if not each.endswith("?")]
        for number in range(len(parts) - 1, -1, -1):
            for who in people.mentioned(parts[number]):
                if not people.may_be(who, pronoun, known) or not _is_one(who, parts[number], names):
                    continue
                if _called_otherwise(who, pronoun, talk) or _is_late(who, pronoun, parts[number]):
                    continue
                short = len(parts[number].split()) < _SHORT
                return " ".join(parts[number : number + 1 + short])
    return ""


def names_another(pronoun: str, sentence: str, known: Collection[Relation]) -> bool:
    """Whether a sentence names only somebody whom a pronoun cannot mean."""
    return _names_somebody(sentence) and not naming(pronoun, (sentence,), known)


def _is_one(who: str, sentence: str, names: Collection[str]) -> bool:
    """Whether what is written with a capital, or named as a relation, is somebody: no place, and
    no other word that a sentence begins with."""
    if who.islower():
        return _RE.of_nobody.search(sentence) is None
    at = sentence.find(who)
    if _RE.of_a_place.search(sentence[:at]):
        return False
    follows = sentence[at + len(who) :]
    return words.stem(who.split()[-1]) in names or _RE.has_or_is.match(follows) is not None


def _is_late(who: str, pronoun: str, sentence: str) -> bool:
    """Whether a sentence says "she" of somebody before it names this one."""
    found = _RE.pronoun.search(sentence)
    return bool(found and found[pronoun] and found.start() < sentence.find(who))


def _called_otherwise(who: str, pronoun: str, talk: str) -> bool:
    """Whether a talk goes on with "he" about whom a pronoun calls "she"."""
    if who.islower():
        return False
    forms = {
        form
        for sentence in sentences.split(talk)
        if (at := sentence.find(who)) >= 0 and (found := _RE.pronoun.search(sentence, at))
        for form, word in found.groupdict().items()
        if word
    }
    return bool(forms) and pronoun not in forms


def _names_somebody(text: str) -> bool:
    named = people.mentioned(text) or RELATION.search(text) or _RE.somebody.search(text)
    return bool(named)
