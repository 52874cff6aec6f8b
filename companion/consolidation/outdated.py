"""What a correction takes the place of: sentences of excerpts, not whole excerpts.

An excerpt often tells several things. Where somebody takes back one of them, its sentence goes, and
what is left is a memory of its own; the whole excerpt is superseded by the correction, so that it
can be restored. What concerns health stays, whatever is said later: only a parent takes that away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import apsw

from companion import language
from companion.clock import unsure
from companion.language.types import Correction
from companion.records import Memory, Source
from companion.store import history, memories, order
from companion.store.intermediate import Draft
from companion.store.vectors import Vector

NEAR = 12
"""Memories among which a correction looks for what it corrects, by meaning and by words each."""

_LEAST_WORTH = 2
"""Points that what is left of an excerpt needs to be kept (`language.excerpt.worth`)."""


@dataclass(frozen=True)
class Outdated:
    """A memory that holds what is so no longer."""

    memory: int
    rest: Draft | None
    """What is left of it; None when that is nothing."""


def correction(draft: Draft) -> Correction | None:
    """What a draft takes back or changes of what was told before."""
    parts = language.excerpt.parts(draft.text)
    return language.correction.read(draft.source.quote, parts.before if parts else "")


def outdated(
    c: apsw.Connection, draft: Draft, corrects: Correction, vector: Vector, *, embedder: str
) -> tuple[Outdated, ...]:
    """What a draft corrects of what was told before it, nearest first. vector: of the words that
    correct it (`Correction.words`)."""
    corrects = _with_weekdays(c, draft, corrects)
    near = [id for id, _ in memories.nearest(c, vector, NEAR, embedder=embedder)]
    near += [id for id, _ in memories.search(c, corrects.words, NEAR)]
    held = memories.get_all(c, near)
    found = []
    for id in dict.fromkeys(near):
        memory = held.get(id)
        if memory is None or memory.kind == "health":
            continue
        if order.latest(c, memory.sources) >= order.latest(c, [draft.source]):
            continue
        same_day = memory.event_time is not None and memory.event_time == draft.event_time
        if not same_day and (what := _of(memory, corrects)) is not None:
            found.append(what)
    return tuple(found)


def _with_weekdays(c: apsw.Connection, draft: Draft, correction: Correction) -> Correction:
    """With the weekday that a denied "tomorrow" is, as the memory of it may call it."""
    turn = history.turn(c, draft.source.session, draft.source.turn)
    if turn is None or turn.user is None or unsure(turn.user.time):
        return correction
    said = turn.user.time
    days = {
        language.words.stem(f"{span.start:%A}")
        for word in correction.denied
        for span in language.dates.in_statement(word, said)
        if span.start == span.end
    }
    return replace(correction, denied=correction.denied | days) if days else correction


def _of(memory: Memory, correction: Correction) -> Outdated | None:
    excerpt, days = language.excerpt, _days(memory.event_time)
    parts = excerpt.parts(memory.text)
    if parts is None or len({source.quote for source in memory.sources}) != 1:
        text = " ".join(source.quote for source in memory.sources) if parts else memory.text
        whole = language.correction.outdates(correction, text, "", days)
        return Outdated(memory.id, None) if whole and not _of_health(text) else None
    [source] = memory.sources[:1]
    told = language.sentences.split(source.quote)
    gone = _gone(told, parts.before, days, correction)
    around = " ".join((parts.earlier, parts.before, parts.whom, source.quote))
    if not gone and language.correction.moves_away(correction, around, days):
        return None if _of_health(source.quote) else Outdated(memory.id, None)
    earlier_gone = _gone(language.sentences.split(parts.earlier), "", frozenset(), correction)
    if not (gone or earlier_gone) or any(_of_health(told[number]) for number in gone):
        return None
    if earlier_gone:
        numbers = language.words.numbers
        if numbers(parts.earlier) & numbers(parts.before) and not _of_health(source.quote):
            return Outdated(memory.id, None)  # "Fourteen! Where did you find them?"
        parts = replace(parts, earlier="")
    if not gone:
        text = excerpt.framed(parts.said, parts.before, whom=parts.whom)
        return Outdated(memory.id, Draft(0, text, memory.kind, source, memory.event_time))
    left = [number for number in range(len(told)) if number not in gone]
    runs = excerpt.GAP.join(" ".join(told[number] for number in run) for run in _runs(left))
    answers = 0 in left
    before, earlier = (parts.before, parts.earlier) if answers else ("", "")
    if not runs or excerpt.worth(runs, before if before.endswith("?") else "") < _LEAST_WORTH:
        return Outdated(memory.id, None)
    if not answers and excerpt.needs_line_before(runs):
        return Outdated(memory.id, None)
    dated = any(language.dates.in_statement(told[number], memory.created) for number in gone)
    event_time = None if dated else memory.event_time
    text = excerpt.framed(runs, before, whom=parts.whom if answers else "", earlier=earlier)
    quoted = Source(source.session, source.turn, runs)
    return Outdated(memory.id, Draft(0, text, memory.kind, quoted, event_time))


def _gone(
    told: Sequence[str], line: str, days: frozenset[str], correction: Correction
) -> frozenset[int]:
    """The sentences that are so no longer, with those that only go on about them."""
    gone = _contradicted(told, line, frozenset(), correction)
    gone = gone or _contradicted(told, line, days, correction)
    said_so = [told[number] for number in gone]
    gone |= {
        n for n, each in enumerate(told) if language.correction.again(each, said_so, correction)
    }
    for number in range(len(told) - 1, -1, -1):  # "Oh! Saturday! We go bowling."
        if number + 1 in gone and days and language.correction.only_a_day(told[number]):
            gone.add(number)
    return frozenset(gone)


def _contradicted(
    told: Sequence[str], line: str, days: frozenset[str], correction: Correction
) -> set[int]:
    gone: set[int] = set()
    for number, sentence in enumerate(told):
        goes_on = number and language.correction.goes_on(sentence)
        before = line if number == 0 else told[number - 1] if goes_on else ""
        follows = number - 1 in gone and language.correction.goes_on(sentence)
        if follows or language.correction.outdates(correction, sentence, before, days):
            gone.add(number)
    return gone


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Numbers in runs of neighbours."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _days(event_time: str | None) -> frozenset[str]:
    """Stems of weekday and day of the month of a memory's day."""
    if event_time is None or "/" in event_time:
        return frozenset()
    day = date.fromisoformat(event_time)
    return frozenset(map(language.words.stem, (f"{day:%A}", str(day.day))))


def _of_health(text: str) -> bool:
    return language.dietary.concerns_health(text)
