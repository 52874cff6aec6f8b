"""Who is whose what: people, pets and toys as they are introduced in talk and in notes.

"My cousin Bea", "Lita's my grandma", "Ola's reindeer is called Blix", "Who's Yusuf?" "My little
brother." A small model makes a cousin of a friend, and a wife of the father's wife; what nobody has
introduced it may not note.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.introduction.plain_words import COMMON_WORDS
from companion.language.en.words import QUERY_WORDS, stem
from companion.language.tables import Table
from companion.language.types import Relation

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_OWN = re.compile(rf"(?:{_TABLE.source('own')})$")
_STATED = (_RE.relation_first, _RE.called, _RE.name_first)
_NO_NAMES = QUERY_WORDS | COMMON_WORDS | {word.lower() for word in WEEKDAYS + MONTHS}


def relations(text: str, question: str = "") -> frozenset[Relation]:
    """Every relation that a text states, of people who are named.

    question: what it answers, which may hold the name: "Who's Yusuf?".
    """
    found = {_relation(m) for p in _STATED for m in p.finditer(text)}
    asked, answer = _RE.whose_name.search(question), _RE.answer.match(text)
    if asked is not None and answer is not None:
        own = _OWN.match(answer["owner"]) is not None
        found.add(Relation(own, stem(answer["relation"]), stem(asked["name"].split()[-1])))
    return frozenset(each for each in found if each is not None)


def owned(text: str) -> frozenset[tuple[bool, str]]:
    """Whom somebody has, as (whether the speaker has them, stem of the relation)."""
    found = _RE.owned.finditer(text)
    return frozenset((_OWN.match(m["owner"]) is not None, stem(m["relation"])) for m in found)


def of_listener(said: str) -> frozenset[str]:
    """Stems of the names that a sentence gives to people and pets of whom it is said to."""
    turned = _RE.listener.sub("my", said)
    return frozenset(each.name for each in relations(turned) if each.own)


def addressed(line: str) -> frozenset[str]:
    """The names by which a line addresses whom it is said to."""
    found = (m["first"] or m["last"] for m in _RE.addressed.finditer(line))
    return frozenset(name for name in found if name.lower() not in _NO_NAMES)


def mentioned(text: str) -> list[str]:
    """Whom a text mentions, by name or by relation, in order, with repetitions."""
    return [who for match in _RE.mentioned.finditer(text) if (who := _mentioned(match))]


def is_no_name(word: str) -> bool:
    """Whether a word is none although it has a capital: "What", "Monday"."""
    return word.lower() in _NO_NAMES


def is_relation(who: str) -> bool:
    """Whether it is what somebody is to somebody: "uncle"."""
    return _RE.of_women.match(who) is not None or _RE.of_men.match(who) is not None


def head_of(who: str) -> str:
    """The word that two ways to call one have in common: "Vasquez" of "Mr Vasquez"."""
    return who.split()[-1].lower()


def may_be(who: str, pronoun: str, known: Collection[Relation]) -> bool:
    """Whether "he" or "she" may mean somebody, by name or by relation."""
    other = _RE.of_men if pronoun == "she" else _RE.of_women
    of_them = {each.relation for each in known if each.name == stem(who)}
    return not any(map(other.match, {who, *of_them}))


def with_name(said: str, who: str) -> str:
    """A message that begins with "he" or "she", with whom it means in place of the word."""
    begins = _RE.pronoun_first.match(said)
    if begins is None or not who:
        return said
    return f"{said[: begins.start('pronoun')]}{who}{said[begins.end('pronoun') :]}"


def _mentioned(match: re.Match[str]) -> str:
    if match["relation"]:
        return match["relation"].lower()
    parts = [part for part in match["name"].split() if part.lower() not in _NO_NAMES]
    return " ".join(parts)


def _relation(match: re.Match[str]) -> Relation | None:
    name = match["name"].split()[-1]
    if name.lower() in _NO_NAMES:
        return None
    return Relation(_OWN.match(match["owner"]) is not None, stem(match["relation"]), stem(name))
