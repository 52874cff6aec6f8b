"""One line of the recalled block: a past turn, or a memory, with its day.

Days are written out and relative dates inside a turn are resolved beside the words, because a
small model cannot do either (paper appendix C.2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from companion.clock import unsure
from companion.date_words import spoken
from companion.dates import DateSpan, in_statement
from companion.dialog.question import Side, content_words, sentences
from companion.records import Memory, Recalled, Role, Turn
from companion.safety.neutral import without_orders
from companion.slips import without_slips

ASKED_WORDS = 70
"""Words shown of the side that was asked for."""

OTHER_WORDS = 20
"""Words shown of the other side, as its context."""


READ = 4_000
"""Characters of a message that are read for its note: of a pasted book, the beginning."""

NOTHING_FITS = "(nothing about this)"
"""Shown when the past was asked about and nothing was found: a small model that is shown nothing
makes something up, and most easily from its own examples."""


@dataclass(frozen=True)
class Note:
    """A line and what it was made from."""

    id: str
    kind: Literal["memory", "turn"]
    line: str

    @property
    def talk(self) -> str:
        """The session of a turn; a memory is one by itself."""
        return self.id.rpartition("#")[0] or self.id

    @property
    def number(self) -> int:
        """A turn's place in its session."""
        return int(self.id.rpartition("#")[2]) if self.kind == "turn" else 0

    def recalled(self, score: float) -> Recalled:
        """The note as it is told to whoever asks what was recalled."""
        return Recalled(id=self.id, kind=self.kind, text=self.line, score=round(score, 4))


def turn_note(turn: Turn, side: Side, *, questions: bool = False) -> Note | None:
    """A past turn, shown by the side that was asked for; None when that side told nothing.

    questions: show what was asked, too. Otherwise it goes: a question tells nothing.
    """
    whole = without_slips(without_orders(turn.user.text[:READ])) if turn.user else ""
    said = whole
    reply = turn.reply.text[:READ] if turn.reply else ""
    if not questions:
        said, reply = _told(said), _told(reply)
    asked = {"person": said, "companion": reply, "both": f"{said} {reply}"}[side]
    if not content_words(asked):  # "Hello!", "Bye bye!"
        return None
    parts = []
    if turn.user is not None:
        room = OTHER_WORDS if side == "companion" else ASKED_WORDS
        words = said if side == "person" else whole
        parts.append(f"They: {_clip(dated(words, turn.user.time), room)}")
    if reply and side != "person":
        parts.append(f"You: {_clip(reply, ASKED_WORDS if side == 'companion' else OTHER_WORDS)}")
    line = f"{_day(turn.time)}: {' '.join(parts)}"
    return Note(f"{turn.session}#{turn.number}", "turn", line)


def message_note(turn: Turn, role: Role) -> Note:
    """One message of a past turn, which must be there."""
    message = turn.user if role == "user" else turn.reply
    assert message is not None, "the turn has no such message"
    who = "They" if role == "user" else "You"
    text = message.text[:READ]
    said = without_slips(without_orders(text)) or "..." if role == "user" else text
    line = f"{_day(turn.time)}: {who}: {_clip(dated(said, message.time), ASKED_WORDS)}"
    return Note(f"{turn.session}#{turn.number}", "turn", line)


def clipped(text: str) -> str:
    """As much of a text as a note of it shows."""
    return _clip(text, ASKED_WORDS)


def memory_note(memory: Memory, now: datetime) -> Note:
    """A memory whose turns are gone, or say little by themselves."""
    when = ""
    if memory.event_time:
        when = f" ({spoken(memory.event_time, now.date())})"
    line = f"{_day(memory.created)}: {memory.text}{when}"
    return Note(f"m{memory.id}", "memory", line)


def silent_days(span: DateSpan) -> str:
    """The line for days of which nothing is known."""
    days = f"{span.start:%A} {span.start.day} {span.start:%B %Y}"
    if span.end != span.start:
        days += f" to {span.end:%A} {span.end.day} {span.end:%B %Y}"
    return f"{days}: (they told you nothing about this day)"


def dated(text: str, said: datetime) -> str:
    """The words, each relative date followed by the days it means: "last night (27 April)"."""
    if unsure(said):
        return text
    for span in reversed(in_statement(text, said)):
        if re.search(r"\d", span.text) or span.start == said.date():
            continue  # it names a date already, or the day of the note
        end = span.at + len(span.text)
        text = f"{text[:end]} ({_days(span.start, span.end)}){text[end:]}"
    return text


def _told(text: str) -> str:
    return " ".join(each for each in sentences(text) if not each.endswith("?"))


def _days(start: date, end: date) -> str:
    if start == end:
        return f"{start.day} {start:%B}"
    return f"{start.day} {start:%B} to {end.day} {end:%B}"


def _day(moment: datetime) -> str:
    if unsure(moment):
        return "On some day"
    return f"{moment:%A} {moment.day} {moment:%B %Y}"


def _clip(text: str, words: int) -> str:
    """The first words, on one line."""
    split = text.split()
    if len(split) <= words:
        return " ".join(split)
    return " ".join(split[:words]) + " ..."
