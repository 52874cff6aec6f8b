"""One line of the recalled block: a past turn, or a memory, with its day and how far back it is.

Days are written out, relative dates inside a turn are resolved next to the words, and what was
planned and is over is said to be over, because a small model can do none of these (paper appendix
C.2).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from companion import language
from companion.clock import unsure
from companion.language.types import DateSpan, parse_iso
from companion.recall.passages import passage
from companion.records import Memory, Message, Recalled, Role, Turn
from companion.safety.sanitize import sanitized, without_instructions

THEY, YOU = "They", "You"
"""The person and the companion, before what they said."""

SHOWN_WORDS = 70
"""Words shown of a message."""

BEFORE_WORDS = 20
"""Words shown of what it answers, or of what answered it."""

READ = 4_000
"""Characters of a message that are read for its note, so that a pasted book costs no time."""

NOTHING_FITS = "(nothing about this)"
"""Shown when the question is about the past and nothing was found: without it a small model makes
something up, most easily from the examples in its prompt."""


@dataclass(frozen=True)
class Note:
    """A line and what it was made from."""

    id: str
    kind: Literal["memory", "turn"]
    line: str

    @property
    def talk(self) -> str:
        """The session of a turn; each memory counts as a session of its own."""
        return self.id.rpartition("#")[0] or self.id

    place: tuple[int, bool] = (0, False)
    """Of a message in its session: the turn's number, and whether it is the reply."""

    def recalled(self, score: float) -> Recalled:
        """The note as it is reported when somebody asks what was recalled."""
        return Recalled(id=self.id, kind=self.kind, text=self.line, score=round(score, 4))


def turn_note(turn: Turn, now: datetime | None = None) -> Note | None:
    """A whole past turn; None when it says nothing. now: None leaves out how far back it is."""
    said = _meant(turn.user.text) if turn.user else ""
    reply = _own(turn)
    if not language.question.content_words(f"{said} {reply}"):  # "Hello!", "Bye bye!"
        return None
    parts = []
    if turn.user is not None:
        parts.append(f"{THEY}: {_clip(dated(said, turn.user.time), SHOWN_WORDS)}")
    if reply:
        parts.append(f"{YOU}: {_clip(reply, BEFORE_WORDS)}")
    return Note(
        _id(turn), "turn", f"{_day(turn.time, now)}: {' '.join(parts)}", (turn.number, False)
    )


def message_note(
    turn: Turn,
    role: Role,
    now: datetime | None = None,
    *,
    before: str = "",
    questions: bool = False,
    asked: Collection[str] = (),
    quote: str = "",
    most: int | None = None,
) -> Note | None:
    """One message of a past turn, which must have it; None when the message says nothing.

    before: what the other one said before it. Its question is shown: "Mittens." answers nothing
    without it. asked, quote: of a long message the part that fits these is shown (see `passage`).
    most: words to which either side's message is cut. questions: keep those of the message
    itself, which state nothing. now: None leaves out how far back it is.
    """
    message = turn.user if role == "user" else turn.reply
    assert message is not None, "the turn has no such message"
    who, other = (THEY, YOU) if role == "user" else (YOU, THEY)
    text = _meant(message.text) if role == "user" else _own(turn)
    said = text if questions else _told(text)
    if not language.question.content_words(said):  # "Hello!", "Bye bye!"
        return None
    if most is not None:
        said = passage(said, asked, quote, most=most)
    elif role == "user":  # of a list of the companion's, the beginning says what it was about
        said = passage(said, asked, quote)
    line = f"{who}: {_clip(dated(said, message.time), SHOWN_WORDS)}"
    before = without_instructions(before[:READ])
    if most is None and (answered := language.question.asking(before)):
        line = f"{other}: {_clip(answered, BEFORE_WORDS)} {line}"
    place = turn.number, role == "assistant"
    return Note(_id(turn), "turn", f"{_day(turn.time, now)}: {line}", place)


def clipped(text: str) -> str:
    """The part of a text that its note shows."""
    return _clip(text, SHOWN_WORDS)


def said_in(message: Message) -> str:
    """A person's own message as a reply may say it back: what its note shows, without questions."""
    return clipped(dated(_told(sayable(_meant(message.text))), message.time, spans=False))


def sayable(quote: str) -> str:
    """A person's own words as a reply may hold them, which will stand in a prompt: nothing in them
    imitates one, and nothing bids."""
    return sanitized(without_instructions(quote))


def body(note: Note, moment: datetime) -> str:
    """What a line says. Its day, on which it was said, is that of the event only when it says so:
    "today"."""
    if not unsure(moment):
        spans = language.dates.in_statement(note.line, moment)
        if any(span.start == moment.date() and not re.search(r"\d", span.text) for span in spans):
            return note.line
    return note.line.partition(": ")[2]


def told_when(moment: datetime, now: datetime) -> str:
    """When something was told, as a reply says it: "on Friday"."""
    if unsure(moment) or unsure(now) or now.date() < moment.date():
        return language.dates.told_when(None, now.date())
    return language.dates.told_when(moment.date(), now.date())


def memory_note(memory: Memory, now: datetime) -> Note:
    """A note of a memory whose turns are gone, or say little by themselves. A plan whose day is
    over stands in the past."""
    text, when = memory.text, ""
    if memory.event_time:
        today = now.date()
        if memory.kind == "plan" and parse_iso(memory.event_time)[1] < today:
            text = language.dates.as_past(text)
        when = f" (this {language.dates.when(memory.event_time, today)})"
    line = f"{_day(memory.created, now)}: {text}{when}"
    return Note(f"m{memory.id}", "memory", line)


def silent_days(span: DateSpan) -> str:
    """The line for days of which nothing is known."""
    days = f"{span.start:%A} {span.start.day} {span.start:%B %Y}"
    if span.end != span.start:
        days += f" to {span.end:%A} {span.end.day} {span.end:%B %Y}"
    return f"{days}: (they told you nothing about this day)"


def dated(text: str, said: datetime, *, spans: bool = True) -> str:
    """The words, each relative date followed by the days it means: "last night (27 April)".

    spans: False leaves out what means more than one day.
    """
    if unsure(said):
        return text
    for first, last in reversed(language.sentences.spans(text)):  # each has a tense of its own
        for span in reversed(language.dates.in_statement(text[first:last], said)):
            if re.search(r"\d", span.text) or span.start == said.date():
                continue  # it is an absolute date already, or the day of the note
            if span.end != span.start and not spans:
                continue
            end = first + span.at + len(span.text)
            text = f"{text[:end]} ({_days(span.start, span.end)}){text[end:]}"
    return text


def _meant(text: str) -> str:
    """A person's message with self-repairs applied and without instructions to the model."""
    return language.self_repair.repaired(without_instructions(text[:READ]))


def _own(turn: Turn) -> str:
    """The companion's reply, without the instructions that it repeats: it would take them for its
    own. What it says without having been told to is advice, and stays."""
    reply, said = ((each.text[:READ] if each else "") for each in (turn.reply, turn.user))
    return reply if without_instructions(said) == said else without_instructions(reply)


def _id(turn: Turn) -> str:
    return f"{turn.session}#{turn.number}"


def _told(text: str) -> str:
    return " ".join(each for each in language.sentences.split(text) if not each.endswith("?"))


def _days(start: date, end: date) -> str:
    if start == end:
        return f"{start.day} {start:%B}"
    return f"{start.day} {start:%B} to {end.day} {end:%B}"


def _day(moment: datetime, now: datetime | None) -> str:
    if unsure(moment):
        return "On some day"
    if now is None or unsure(now) or now.date() < moment.date():
        return f"{moment:%A} {moment.day} {moment:%B %Y}"
    return language.dates.day_and_distance(moment.date(), now.date())


def _clip(text: str, words: int) -> str:
    """The first words, on one line."""
    split = text.split()
    if len(split) <= words:
        return " ".join(split)
    return " ".join(split[:words]) + " ..."
