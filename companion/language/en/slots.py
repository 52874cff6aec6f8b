"""Slots: of what a person has one value at a time, and what a telling puts into them.

A favourite colour, what somebody will be, the part in a play, the name of a band, a record, a tooth
that is wobbly or out: who tells another value some days later takes the first one's place, without
saying "not any more". A state that ended (the tooth is out, the scarf was found, Ola is better)
takes the place of its beginning, never the other way round.
"""

from __future__ import annotations

import re
from functools import lru_cache

from companion.language.en.kinship import RELATION
from companion.language.en.negation import negated
from companion.language.en.similarity import COLOURS
from companion.language.en.words import content, names, stem, stems
from companion.language.tables import Table
from companion.language.types import Slot

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_STATES = _TABLE.ordered("states")
_BEGUN, _ENDED = frozenset({"begun"}), frozenset({"ended"})
_NOTHING = frozenset[str]()
_COLOUR = frozenset({"colour"})
_SHORT_ANSWER = 5
"""Most words of an answer that is nothing but the value."""


@lru_cache(maxsize=4096)
def told(sentence: str, before: str, around: str = "") -> tuple[Slot, ...]:
    """What a sentence puts into slots.

    before: the sentence or line before it, which it may answer or go on from. around: all that was
    said with it, where it is known; a state's owner may stand there.
    """
    if sentence.endswith("?"):
        return ()
    found = [
        each
        for read in (_becomes, _part, _name, _record)
        if (each := read(sentence, before)) is not None
    ]
    favourite = _favourite(sentence, before, around)
    found += [favourite] if favourite is not None else []
    return (*found, *_states(sentence, f"{before} {around}"))


def takes_place(new: Slot, old: Slot) -> bool:
    """Whether what is told now takes the place of what was told before."""
    if new.kind != old.kind or (new.of and old.of and not new.of & old.of):
        return False
    if old.kind in _STATES:
        return (new.value, old.value) == (_ENDED, _BEGUN)
    return not (new.value <= old.value or old.value <= new.value)


def _favourite(sentence: str, before: str, around: str) -> Slot | None:
    asked = _RE.asks_favourite.search(before)
    for pattern in (_RE.favourite_first, _RE.favourite_last, _RE.favourite_that):
        match = pattern.search(sentence)
        if match is None or negated(match.group()):
            continue
        groups = match.groupdict()
        of = groups.get("of") or groups.get("of_all") or ""
        value = groups.get("value") or ""
        if not value:  # "They're my best crisps": what goes before says which
            value = sentence[: match.start()] or before
        return _of_kind(of or _asked_for(asked), value)
    if (match := _RE.now_is.search(sentence)) is not None:
        said = frozenset({stem(match["first"] or match["then"])})
        speaks = asked or _RE.of_favourites.search(f"{before} {around} {sentence}")
        if said <= COLOURS and (speaks or _RE.i_am.match(match.group())):
            return Slot("favourite", _COLOUR, said)
    short = before.endswith("?") and len(sentence.split()) <= _SHORT_ANSWER
    if asked is not None and short and not (negated(sentence) or _RE.was.search(sentence)):
        return _of_kind(_asked_for(asked), sentence)
    return None


def _asked_for(asked: re.Match[str] | None) -> str:
    return "" if asked is None else asked["of"] or asked["colour"] or ""


def _of_kind(of: str, value: str) -> Slot | None:
    """A favourite; None where nothing says of which kind. A colour tells its kind itself."""
    found = stems(value)
    colours = found & COLOURS
    if stem(of) in {"colour", "color"} or (colours and not of):
        return Slot("favourite", _COLOUR, colours) if colours else None
    kind, held = frozenset(content(of)), frozenset(content(value)) - {stem(of)}
    return Slot("favourite", kind, held) if kind and held else None


def _becomes(sentence: str, before: str) -> Slot | None:
    if negated(sentence) or _RE.of_a_show.search(f"{before} {sentence}"):
        return None
    match = _RE.becomes.search(sentence)
    if match is not None:
        value = match["value"] or match["wish"]
    elif _RE.asks_becomes.search(before) and (match := _RE.will.search(sentence)) is not None:
        value = match["value"]
    else:
        return None
    held = frozenset(content(value))
    return Slot("becomes", _NOTHING, held) if held else None


def _part(sentence: str, before: str) -> Slot | None:
    show = _RE.of_a_show.search(f"{before} {sentence}")
    match = _RE.part.search(sentence)
    if show is None or match is None or negated(sentence):
        return None
    held = frozenset(content(match["value"] or match["as"])) - stems(show["of"])
    return Slot("part", frozenset(content(show["of"].split()[-1])), held) if held else None


def _name(sentence: str, before: str) -> Slot | None:
    if negated(sentence):
        return None
    match, of, value = _RE.named.search(sentence), "", ""
    if match is not None:
        of, value = match["of"], match["value"] or match["name"]
    else:
        match = _RE.called.search(sentence)
        things = [each for each in content(before) if each in _ONE_OF]
        of = things[-1] if things else ""
        value = match["value"] if match is not None else ""
    if not (value and of):
        return None
    held = frozenset(content(value)) - {stem(of)}
    return Slot("name", frozenset({stem(of)}), held) if held else None


def _record(sentence: str, before: str) -> Slot | None:
    match = _RE.record.search(sentence)
    value = (match["value"] or match["first"]) if match is not None else ""
    if not value and _RE.asks_record.search(before):
        value = reached["value"] if (reached := _RE.reached.search(sentence)) else ""
    if not value:
        return None
    of = (
        frozenset(content(f"{before} {sentence}")) - stems(value) - stems(match[0] if match else "")
    )
    return Slot("record", of, stems(value))


def _states(sentence: str, around: str) -> list[Slot]:
    found = []
    for state in _STATES:
        begins, ends = getattr(_RE, f"{state}_begins"), getattr(_RE, f"{state}_ends")
        of_it = getattr(_RE, f"{state}_of", None) if state == "tooth" else None
        if ends.search(sentence) and not negated(sentence):
            value, near = _ENDED, f"{sentence} {around}"
        elif begins.search(f"{sentence} {around}" if of_it else sentence):
            value, near = _BEGUN, sentence
        else:
            continue
        if of_it is not None:
            if of_it.search(f"{sentence} {around}"):
                found.append(Slot(state, _NOTHING, value))
            continue
        of = _owners(sentence) or _owners(near)
        if of:
            found.append(Slot(state, of, value))
    return found


def _owners(text: str) -> frozenset[str]:
    """Whom or what a state is of: names and relations; else nothing."""
    related = {each for each in content(text) if RELATION.fullmatch(each)}
    return names(f"x {text}") | related


_ONE_OF = frozenset(map(stem, _TABLE.ordered("one_of")))
