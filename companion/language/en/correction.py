"""What takes back or changes something said before: "it's Sunday now", "forget that"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.language.en import counted, sentences, slots
from companion.language.en.calendar_names import MONTHS, WEEKDAYS
from companion.language.en.introduction.plain_words import COMMON_WORDS
from companion.language.en.kinship import RELATION
from companion.language.en.numbers import number_in
from companion.language.en.ordinals import in_figures
from companion.language.en.words import content, names, stem, stems, words
from companion.language.tables import Table
from companion.language.types import Correction, Slot

_TABLE = Table.beside(__file__)
_RE = _TABLE.patterns()
_DAYS = frozenset(map(stem, WEEKDAYS + MONTHS + ("today", "tomorrow", "yesterday", "tonight")))
_EVERYDAY = frozenset(map(stem, _TABLE.ordered("everyday")))
_NO_THING = frozenset(map(stem, _TABLE.ordered("no_thing")))
_CALLED = frozenset(map(stem, _TABLE.ordered("called")))
_ENOUGH = 3
"""A message with so many content words before it asks to forget takes back itself alone."""

_SHARED = 2
"""Words for things that two texts must share to speak of the same."""


def withdraws(said: str) -> bool:
    """Whether a message asks that something said be forgotten."""
    return _RE.withdraws.search(said) is not None


def takes_back_the_turn_before(said: str) -> bool:
    """Whether a message that withdraws something means what was said before it, too: it holds
    hardly anything itself before it says so."""
    held = []
    for each in sentences.split(said):
        if _RE.withdraws.search(each):
            break
        if not _RE.put_away.search(each):
            held.append(each)
    return len(content(" ".join(held))) < _ENOUGH


def withdrawn_name(said: str) -> str:
    """The word that names what is to be forgotten; "" when none does. Somebody of whom a sentence
    tells that asks for nothing is not meant by it."""
    for each in sentences.split(said):
        found = _RE.named_thing.search(each)
        if found is not None and (found[1] or _RE.withdraws.search(each)):
            return found[1] or found[2] or found[3] or ""
    return ""


def withdraws_all_about(said: str) -> bool:
    """Whether just what was said about one thing is to be forgotten: "what i said about peas"."""
    found = (_RE.named_thing.search(each) for each in sentences.split(said))
    return any(each is not None and each[3] for each in found)


def withdrawn_clause(said: str) -> frozenset[str]:
    """Stems of the clause that says what is to be forgotten; empty when none does."""
    found = _RE.named_clause.search(said)
    return frozenset() if found is None else frozenset(content(found[1]))


def corrects(said: str) -> bool:
    """Whether somebody puts right or changes what was said before."""
    return _RE.corrects.search(said) is not None


def read(said: str, before: str) -> Correction | None:
    """What a message takes back or changes of what was told on another day, or earlier in the talk;
    None when nothing. A slip that is put right in the same breath changes nothing that was told.

    before: what the other one had said.
    """
    parts = sentences.split(said)
    told = _slots(parts, before)
    doubted = _RE.doubts.search(before) is not None and _RE.takes_back.search(said) is not None
    found = {
        number
        for number, each in enumerate(parts)
        if _RE.corrects.search(each)
        and not (_RE.told_wrong.search(each) and content(" ".join(parts[: number + 1])))
    }
    if doubted:
        found.add(0)
    ended = _RE.says_over.search(before) if not _RE.still.search(said) else None
    renamed = _RE.renamed.search(said)
    if not found and ended is None and renamed is None:
        return _told_anew(said, before, told)
    if not found:
        found = {0}
    saying = " ".join(parts[number] for number in sorted(found))
    first = min(found)
    line = before if doubted or before.endswith("?") else ""
    around = " ".join([line, *parts[max(0, first - 1) : first + 2]]).strip()
    denied = set(_denied(saying))
    guessed = not denied and ended is None and renamed is None
    if ended is not None or (not denied and _RE.not_any_more.search(saying)):
        denied |= _topic(before) | _names(before) if ended is None else _over(ended)
    if renamed is not None:
        denied.add(stem(renamed[1]))
    taste = _RE.taste.search(saying) is not None
    if taste and not denied:  # "I like it now."
        denied = set(_topic(" ".join(parts[: first + 1])))
    told_next = sorted(found | {number + 1 for number in found})
    days = [each for n in told_next for each in parts[n : n + 1] if _RE.to_a_day.search(each)]
    denied -= {
        day
        for each in days
        if (named := _RE.to_a_day.search(each)) is not None
        and (day := stem(named[0].split()[-1])) not in _denied(each)
    }  # "It's Sunday now. Not this Sunday, the other."
    alone = len(_topic(saying) - denied) >= _SHARED and not doubted and not days
    near = saying if alone else around
    by_day = not denied.isdisjoint(_DAYS)  # what it is of may be said further on: "... at Mali's"
    return Correction(
        frozenset(denied),
        _topic(near),
        _named_anywhere(parts) if by_day else _names(near),
        _names(_RE.vocative.sub("", saying)) - denied,
        near,
        taste=taste,
        guessed=guessed and bool(denied),
        doubted=doubted,
        counted=frozenset(counted.things(said, before)).union(
            content(" ".join(parts[: first + 1])) if counted.now(saying) else ()
        ),
        moved=_topic(" ".join([*days, *sentences.split(line)[-1:]])),
        was=stems(before) & _DAYS,
        moves=bool(days) and not denied & (_DAYS | _digits(frozenset(denied))),
        slots=told,
    )


def _told_anew(said: str, before: str, told: tuple[Slot, ...]) -> Correction | None:
    """A number of things that one has, or a favourite, which may be another than was told."""
    things = frozenset(counted.things(said, before))
    if not (things or told):
        return None
    none = frozenset[str]()
    of = {each for slot in told for each in slot.of}
    words = " ".join(filter(None, (said, " ".join(sorted(of)), *(slot.kind for slot in told))))
    return Correction(none, none, none, none, words, counted=things, slots=told)


def _slots(parts: list[str], before: str) -> tuple[Slot, ...]:
    found: list[Slot] = []
    line = before
    for sentence in parts:
        found += slots.told(sentence, line, " ".join([before, *parts]))
        line = sentence if content(sentence) else line  # "No! Forty-one!" answers as one
    return tuple(found)


def moves_away(correction: Correction, told: str, days: frozenset[str]) -> bool:
    """Whether a correction says another day for something that was told, of which the line that it
    answers names the day and the person: "Friday Hetty comes, right?" "It's Sunday now." """
    same = correction.names & _names(told) or correction.about & _topic(told)
    return bool(correction.moves and same and days & correction.was & _DAYS)


def _over(line: re.Match[str]) -> frozenset[str]:
    """What the other one says is over: "So the Wet Hens are gone?"."""
    what = next(filter(None, line.groups()), "")
    return frozenset(content(what)) - _EVERYDAY


def outdates(correction: Correction, told: str, line: str, days: frozenset[str]) -> bool:
    """Whether a correction takes the place of a sentence that was told before it.

    line: what the sentence answered. days: stems of the weekday, and of the day of the month, that
    it is about.
    """
    text = f"{told} {line}"
    before = counted.things(told, line)
    if any(
        before[each] not in counted.numbers(correction.words)
        for each in correction.counted & before.keys()
    ):
        return True
    for slot in slots.told(told, line) if correction.slots else ():
        if any(slots.takes_place(each, slot) for each in correction.slots):
            return True
    topic, by_name = _topic(text), correction.names & _names(text)
    shared = correction.about & topic
    same = correction.moved & topic or (shared if len(shared | by_name) >= _SHARED else None)
    other_day = (days | stems(told) & _DAYS) - stems(in_figures(correction.words))
    if bool(_RE.weekly.search(told)) != bool(_RE.weekly.search(correction.words)):
        other_day = frozenset()  # "on Thursdays" stays where one Thursday is moved
    if correction.moves and same and other_day and _RE.to_a_day.search(told):
        return True
    if correction.doubted and by_name and shared:
        return True
    if not correction.denied:
        return len(shared) >= _SHARED
    denied = correction.denied & (stems(in_figures(text)) | _figures(text) | days)
    if not denied or correction.denied & frozenset(_denied(text)):
        return False  # what it takes back is taken back already
    if denied <= _DAYS and not denied & (stems(told) | days) and len(content(told)) >= _ENOUGH:
        return False  # only the other one named the day, and what was said of something else stays
    if correction.taste and not (_RE.taste.search(text) or _RE.habit.search(text)):
        return False
    some = min(_SHARED, len(correction.denied - _EVERYDAY))
    if correction.guessed and not correction.taste and len(denied) < some:
        return False  # "Not any more" of one thing says nothing of all that shares a word with it
    if denied - _DAYS - _EVERYDAY - _digits(denied):
        return not correction.whose or bool(correction.whose & _names(text))
    return bool(shared - denied or by_name or denied & days & _digits(days))


def _denied(said: str) -> list[str]:
    matches = _RE.denied.finditer(in_figures(said))
    found = [each for match in matches for each in match.groups() if each]
    held = [each for each in found if content(each) or stem(each) in _DAYS]
    figures = [each for each in held if _figures(each)]
    things = [stem(each) for each in held if each not in figures]
    return [each for each in things if each not in _NO_THING] + [*_figures(" ".join(figures))]


def _figures(text: str) -> frozenset[str]:
    """The numbers that a text tells in words, in figures: "the thirty of May"."""
    found = (number_in(each.lower()) for each in words(in_figures(text)))
    return frozenset(str(each) for each in found if each is not None)


def _digits(found: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in found if each[:1].isdigit())


def _names(text: str) -> frozenset[str]:
    return names(f"x {text}") - _DAYS - _EVERYDAY - _CALLED


def _named_anywhere(parts: list[str]) -> frozenset[str]:
    """The names in sentences, their first words among them: "It's not Friday. Barry." """
    plain = {stem(each) for each in COMMON_WORDS}
    return frozenset[str]().union(*(_names(each) for each in parts)) - plain


def again(told: str, gone: Sequence[str], correction: Correction) -> bool:
    """Whether a sentence says again what is so no longer in others beside it: "I hate olives." ...
    "And no olives." """
    held = stems(" ".join(gone))
    values = {
        word
        for sentence in gone
        for slot in (slots.told(sentence, "") if correction.slots else ())
        for word in slot.value
    }
    return bool((correction.denied & held | values) & stems(told) - _EVERYDAY)


def goes_on(told: str) -> bool:
    """Whether a sentence says more of what the one before it said, and means nothing without."""
    return _RE.goes_on.search(told) is not None


def only_a_day(told: str) -> bool:
    """Whether a sentence holds nothing besides a day: "Saturday!"."""
    return not set(content(told)) - _DAYS - _EVERYDAY


def _topic(text: str) -> frozenset[str]:
    found = frozenset(each for each in content(text) if len(each) > 2 and "'" not in each)
    people = names(f"x {text}") | {each for each in found if RELATION.fullmatch(each)}
    return found - people - _DAYS - _EVERYDAY
