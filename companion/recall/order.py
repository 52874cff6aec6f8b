"""In which order notes stand in the block: a small model looks first at what stands last.

"I have a problem" fits many questions best, but says nothing without what followed it. So notes
stay together by session, and the session with the best note comes last: of 56 questions a 1.5B
answered 44 with the best note last, and 50 with this order.

A question to memory is often about what has changed since. There the two best sessions stand last
in the order of time, so that of "eleven hubcaps" and "thirteen now" the newer is read; and where a
day is asked for, which moves most of all, so do all (docs/experiments.md, "The newer note last").
"""

from __future__ import annotations

from collections.abc import Iterable

from companion import language
from companion.recall.candidates import Candidate
from companion.recall.notes import Note
from companion.recall.protocol import Query

BY_TIME = 2
"""How many of the best sessions stand in the order of time, for a question to memory."""

Chosen = tuple[Note, Candidate]


def in_order(chosen: Iterable[Chosen], query: Query) -> list[Chosen]:
    """The notes as the block shows them. chosen: the best first."""
    notes = list(chosen)
    began: dict[str, int] = {}
    for note, each in notes:
        began[note.talk] = min(began.get(note.talk, each.seq), each.seq)
    best_last = list(reversed(began))
    if query.of_memory:
        asks_day = "day" in language.sought.asked(query.text)
        at = 0 if asks_day else max(0, len(best_last) - BY_TIME)
        best_last[at:] = sorted(best_last[at:], key=began.__getitem__)
    places = {talk: place for place, talk in enumerate(best_last)}
    return sorted(notes, key=lambda each: (places[each[0].talk], each[0].place))
