"""Antecedents: who in a talk may be meant by "he" or "she", and what speaks for each.

What is found here are signs; which of them count, a regression says
(`companion.consolidation.whom`), fitted to weeks in which readers said who was meant.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.language.en import people, sentences, words
from companion.language.tables import Table
from companion.language.types import Line, Relation

_RE = Table.beside(__file__).patterns()
_ANAPHORA = Table(Path(__file__).with_name("anaphora.yaml")).patterns()

SHORT = 4
"""A sentence of fewer words is shown with the one after it."""

LINES = 16
"""Lines back in which somebody is looked for."""


@dataclass(frozen=True)
class Mention:
    """Of somebody in a line."""

    who: str
    """As it stands there."""

    called: str
    """As they may be called where nobody knows the talk: "my uncle", "the dentist"."""

    key: str
    """The same for all mentions of one."""

    back: int
    """Lines from the end; 0 is the last one."""

    start: int
    end: int
    begins: bool
    """Whether it is the first word of a sentence."""


@dataclass(frozen=True)
class Candidate:
    """Somebody, by all mentions, the latest first."""

    mentions: tuple[Mention, ...]

    @property
    def best(self) -> Mention:
        """How they are called best: by name."""
        return max(self.mentions, key=lambda each: each.who[0].isupper())


def first_pronoun(said: str) -> tuple[str, int] | None:
    """The first "he" or "she" (in this form) of a message, and where it stands."""
    found = _ANAPHORA.pronoun.search(said)
    if found is None:
        return None
    form = next(form for form, word in found.groupdict().items() if word)
    return form, found.start()


def candidates(
    lines: Sequence[Line], known: Collection[Relation], but: Collection[str]
) -> list[Candidate]:
    """Who is mentioned before, the latest first. lines: oldest first. known: who is whose what: "my
    cousin" and "Otto" may be one. but: names of those who are only addressed, such as the
    companion."""
    away = {words.stem(each) for each in but}
    names: dict[str, set[str]] = {}
    for relation in known:
        if relation.own:
            names.setdefault(relation.relation, set()).add(relation.name)
    found: dict[str, list[Mention]] = {}
    for back, line in enumerate(reversed(lines[-LINES:])):
        here = [each for each in _mentions(line.text, back) if each.key not in away]
        for each in reversed(here):
            called = names.get(each.key, set())
            key = next(iter(called)) if len(called) == 1 else each.key
            found.setdefault(key, []).append(each)
    return [Candidate(tuple(each)) for each in found.values()]


def signs(
    one: Candidate,
    among: Sequence[Candidate],
    lines: Sequence[Line],
    said: str,
    known: Collection[Relation],
) -> dict[str, float]:
    """What speaks for one of the candidates being meant by the first pronoun of a message, and what
    against it."""
    pronoun = first_pronoun(said)
    form, at = pronoun if pronoun else ("he", 0)
    other = "she" if form == "he" else "he"
    recent = list(reversed(lines[-LINES:]))
    last = one.mentions[0]
    line = recent[last.back].text
    rest = line[last.end :]
    after = [rest, *(recent[back].text for back in range(last.back - 1, -1, -1))]
    rivals = [each for each in among if each is not one and not _other_gender(each, form, known)]
    between = sum(_latest(each) > _latest(one) for each in rivals)
    follow = " ".join(after)
    same, opposite = _first(form, follow), _first(other, follow)
    here = [each for each in rivals if each.mentions[0].back == last.back]
    gender = _gender(one, known)
    named = one.best.who[0].isupper()
    starts = named and all(each.begins for each in one.mentions)
    own = [each for each in one.mentions if recent[each.back].own]
    return {
        "back": math.log1p(last.back),
        "in the reply": float(any(each.back == 0 for each in one.mentions)),
        "in the message before": float(any(each.back == 1 for each in one.mentions)),
        "of the person's": float(bool(own)),
        "mentions": math.log(len(one.mentions)),
        "first of its line": float(all(each.mentions[0].start > last.start for each in here)),
        "last of its line": float(all(each.mentions[0].start < last.start for each in here)),
        "name": float(named),
        "only begins sentences": float(starts),
        "has or is": float(
            any(_ANAPHORA.has_or_is.match(_rest(each, recent)) for each in one.mentions)
        ),
        "whose": float(_RE.possessive.match(rest) is not None),
        "of a place": float(_ANAPHORA.of_a_place.search(line[: last.start]) is not None),
        "with or to": float(_RE.beside.search(line[: last.start]) is not None),
        "kin": float(people.is_relation(one.best.who.lower())),
        "gender fits": float(gender == form),
        "gender is another": float(gender == other),
        "between": math.log1p(between),
        "rivals": math.log1p(len(rivals)),
        "goes on": float(same is not None and (opposite is None or same < opposite)),
        "goes on otherwise": float(opposite is not None and (same is None or opposite < same)),
        "goes on and none between": float(same is not None and between == 0),
        "in the words": float(last.key in {each.key for each in _mentions(said, 0)}),
        "begins with it, in the reply": float(at < 12 and last.back == 0),
        "begins with it, before": float(at < 12 and last.back == 1),
        "reply says it": float(bool(recent) and _first(form, recent[0].text) is not None),
        "asked about": float(last.back == 0 and line.rstrip().endswith("?")),
    }


def sentence_with(key: str, messages: Sequence[str]) -> str:
    """The latest sentence that mentions somebody, with the next one where it is short; "" for none.
    key: of a `Mention`; messages: the latest first."""
    for message in messages:
        parts = [each for each in sentences.split(message) if not each.endswith("?")]
        for at in range(len(parts) - 1, -1, -1):
            if key in {each.key for each in _mentions(parts[at], 0)}:
                return " ".join(parts[at : at + 1 + (len(parts[at].split()) < SHORT)])
    return ""


def _rest(mention: Mention, recent: Sequence[Line]) -> str:
    return recent[mention.back].text[mention.end :]


def _latest(one: Candidate) -> tuple[int, int]:
    return -one.mentions[0].back, one.mentions[0].start


def _first(form: str, text: str) -> int | None:
    found = (each for each in _ANAPHORA.pronoun.finditer(text) if each[form])
    return next((each.start() for each in found), None)


def _gender(one: Candidate, known: Collection[Relation]) -> str:
    """ "he", "she", or "" where it is not known."""
    texts = {each.key for each in one.mentions} | {each.who.lower() for each in one.mentions}
    texts |= {each.relation for each in known if each.name in texts}
    if any(_RE.man.search(each) for each in texts):
        return "he"
    return "she" if any(_RE.woman.search(each) for each in texts) else ""


def _other_gender(one: Candidate, form: str, known: Collection[Relation]) -> bool:
    return _gender(one, known) not in ("", form)


def _names(word: str) -> bool:
    return people.is_relation(word.lower()) or not people.is_no_name(word)


def _mentions(text: str, back: int) -> list[Mention]:
    begins = {start for start, _ in sentences.spans(text)}
    found = []
    for match in _RE.mentioned.finditer(text):
        who = match["name"] or match["relation"] or match["thing"]
        start = match.start("name") if match["name"] else match.start()
        if match["name"]:
            parts = [each for each in who.split() if _names(each)]
            if not parts:
                continue
            start += who.index(parts[0])
            who = " ".join(parts)
        key = words.stem(people.head_of(who))
        called = who if match["name"] else _called(who, match[0])
        found.append(Mention(who, called, key, back, start, match.end(), start in begins))
    return found


def _called(who: str, text: str) -> str:
    own = text.lower().startswith(("my ", "our ", "mine ")) or text == who
    return f"my {who}" if own else f"the {who}"
