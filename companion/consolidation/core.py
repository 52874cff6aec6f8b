"""What people say of themselves, name, age and gender, and what of it the profile takes."""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from companion import language
from companion.consolidation.report import Entry
from companion.language.types import CoreStatement
from companion.records import Source, Turn
from companion.store import history, order, profile
from companion.store.pending import Unit

_CHARACTERS = 1200
"""Characters of a message that are read."""


def is_somebody_else(
    c: apsw.Connection, session: str, told_of: Sequence[CoreStatement], said: str
) -> bool:
    """Whether somebody whose name has been known since another talk says to be called otherwise:
    that is a game, or somebody else, and so is what the message tells, but for health."""
    known, source = profile.current(c).name, profile.source(c, "name")
    if known is None or language.dietary.concerns_health(said):
        return False
    if source is not None and source.session == session:
        return False  # several children who introduce themselves
    quote = source.quote if source is not None else ""
    names = [each.value for each in told_of if each.item == "name"]
    others = [each for each in names if known.casefold().split()[0] not in each.casefold().split()]
    stands = language.introduction.name_stands
    return any(stands(known, quote, each, said) for each in others)


def _stands(
    c: apsw.Connection, said: CoreStatement, known: str, source: Source | None, turn: Turn
) -> bool:
    """Whether what is known of somebody stays, since the new words may be of a game."""
    assert turn.user is not None
    words = turn.user.text[:_CHARACTERS]
    if said.item == "name":
        quote = source.quote if source is not None else ""
        return language.introduction.name_stands(known, quote, said.value, words)
    told = history.turn(c, source.session, source.turn) if source is not None else None
    if said.item != "age" or told is None:
        return False
    before = history.turn(c, turn.session, turn.number - 1)
    question = before.reply.text if before is not None and before.reply is not None else ""
    days = (turn.time - told.time).total_seconds() / 86_400
    asked = "age" in language.introduction.asks_for(question)
    return language.introduction.age_stands(int(known), int(said.value), days, words, asked=asked)


def learn_core(
    c: apsw.Connection, unit: Unit, told_of: Sequence[CoreStatement]
) -> tuple[Entry, ...]:
    """Put name, age and gender into the profile, and return what changed."""
    turn = history.turn(c, *unit)
    if turn is None or turn.user is None:
        return ()
    entries = []
    for said in told_of:
        known = getattr(profile.current(c), said.item)
        source = profile.source(c, said.item)
        later = source is not None and order.place(c, *unit) < order.latest(c, [source])
        if said.value == str(known) or later:  # outdated if the unit was parked meanwhile
            continue
        if known is not None and _stands(c, said, str(known), source, turn):
            continue
        profile.note(c, said.item, said.value, Source(*unit, said.quote), turn.user.time)
        if profile.told_by_parent(c, said.item):  # whose word stands
            continue
        text = f"{said.item}: {said.value}"
        if known is None:
            entries.append(Entry("learnt", "profile", text, sources=(unit,)))
        else:
            entries.append(Entry("changed", "profile", text, str(known), sources=(unit,)))
    return tuple(entries)
