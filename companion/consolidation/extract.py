"""Drafting facts, turn by turn (design decision 5, paper sections 4.3 and B.3).

Small models copy and invent when they list the facts of a whole transcript, and find most true
ones when they read one message. The instructions and examples stay in the KV cache from one
turn to the next, so a turn costs the model a few dozen tokens, and nothing when its form shows
that it tells nothing (`worth`). What it drafts must then be borne out by the message (`ground`).

Nothing but the session's own messages (and the summary of its earlier part) is ever read here:
no memory, no profile, no persona.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion.clock import unsure
from companion.config import ConsolidationSection
from companion.consolidation.ground import Dropped, Grounded, ground
from companion.consolidation.kinds import kind_of
from companion.consolidation.play import is_play
from companion.consolidation.report import Effects, Entry
from companion.consolidation.structured import Asker, Malformed
from companion.consolidation.words import stems, words
from companion.consolidation.worth import question_to_user, telling
from companion.date_words import with_dates
from companion.dates import in_statement
from companion.engines.protocols import ChatMessage
from companion.introduction import said as introduction
from companion.introduction.asked import asks_for
from companion.introduction.said import Said
from companion.records import Source, Turn
from companion.safety.neutral import neutral, without_orders
from companion.slips import without_slips
from companion.store import history, intermediate, order, pending, profile
from companion.store.database import Store
from companion.store.intermediate import Chunk, Draft
from companion.store.pending import Unit

_INSTRUCTIONS = (
    "You keep a notebook about one person, the user. For each message, note what it tells about "
    "the user: one short complete sentence per line, beginning with The user. Keep names, numbers "
    "and times. Keep to what the user says. When there is nothing to note, write none."
)
_EXAMPLES = (
    (
        "Our tortoise Mabel turned three on Sunday, and I fed her strawberries.",
        "The user has a tortoise named Mabel.\n"
        "The user's tortoise Mabel turned three on Sunday.\n"
        "The user fed Mabel strawberries on Sunday.",
    ),
    ("I wonder why the moon follows me when I walk.", "none"),
    (
        "(Do you play an instrument?) Yes, the trombone, since last winter.",
        "The user has played the trombone since last winter.",
    ),
    (
        "My uncle Osric repairs clocks, but I can't stand the ticking.",
        "The user's uncle Osric repairs clocks.\nThe user can't stand ticking.",
    ),
    ("It was really sunny there and everything I saw looked pretty.", "none"),
)
_EXAMPLE_WORDS = frozenset().union(*(stems(text) for pair in _EXAMPLES for text in pair))
_FORM = "sentences, one per line, each beginning with The user; or the one word none"
_LINE_CHARACTERS = 110
_SENTENCE_ENDS = (".", "!", "?", '"', "”")
MESSAGE_CHARACTERS = 1200
"""Longer messages are read up to here: speech has no such sentences, pasted text may."""

_ANAPHORA = frozenset("it that this those these them they he she him her there one both".split())
_SHORT_MESSAGE = 6
"""Words up to which a message may need the question it answers."""


@dataclass(frozen=True)
class Drafted:
    """What one turn gave."""

    drafts: tuple[Draft, ...]
    told_of: tuple[Said, ...]
    """Name, age, gender."""

    dropped: tuple[str, ...]


class Drafting:
    """The step `draft`: one turn."""

    name = "draft"

    def __init__(
        self, asker: Asker, store: Store, section: ConsolidationSection, companion: str
    ) -> None:
        """companion: the toy's own name, which is nobody else's."""
        self._companion = companion
        self._asker = asker
        self._store = store
        self._section = section
        self._grammar = _grammar(section.facts_per_turn)

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.undrafted(c)

    async def infer(self, unit: Unit) -> Drafted:
        session, number = unit
        chunk = await self._store.read(intermediate.chunk_of, session, number)
        turns = await self._store.read(_neighbours, chunk, number, self._section.overlap_messages)
        turn = next((turn for turn in turns if turn.number == number), None)
        if turn is None or turn.user is None or is_play(turns, number):
            return Drafted((), (), ())
        confidence = turn.user.confidence
        if confidence is not None and confidence < self._section.min_confidence:
            return Drafted((), (), ())
        before = next((t for t in turns if t.number == number - 1), None)
        question = question_to_user(before.reply.text) if before and before.reply else ""
        said = without_orders(turn.user.text[:MESSAGE_CHARACTERS])
        meant = without_slips(said)
        asked = asks_for(question)
        told_of = tuple(introduction.said(said, asked=asked, companion=self._companion))
        told = telling(meant, question)
        rest = len(words(told)) - sum(len(words(each.quote)) for each in told_of)
        if not told or (told_of and rest <= 1 and meant == said):
            return Drafted((), told_of, ())
        lines = await self._asker.ask(
            self.name,
            _prompt(told, question if _needs(told, question) else "", chunk),
            lambda answer: _lines(answer, self._section.facts_per_turn),
            form=_FORM,
            max_tokens=40 * self._section.facts_per_turn,
            grammar=self._grammar,
        )
        drafts, dropped = _borne_out(lines, turn, question)
        return Drafted(drafts, told_of, dropped)

    def commit(self, c: apsw.Connection, unit: Unit, result: Drafted) -> Effects:
        session, number = unit
        intermediate.put_drafts(c, session, number, result.drafts)
        return Effects(
            {
                "turns": 1,
                "drafted": len(result.drafts) + len(result.dropped),
                "grounded": len(result.drafts),
            },
            _learn_core(c, unit, result.told_of),
            result.dropped,
        )


def _neighbours(
    c: apsw.Connection, chunk: Chunk | None, number: int, overlap_messages: int
) -> list[Turn]:
    """The turn, those before it in its chunk and in the overlap, and the one after it."""
    if chunk is None:
        return []
    first = max(chunk.first_turn - (overlap_messages + 1) // 2, number - 4)
    found = (history.turn(c, chunk.session, n) for n in range(max(1, first), number + 2))
    return [turn for turn in found if turn is not None]


def _prompt(told: str, question: str, chunk: Chunk | None) -> list[ChatMessage]:
    messages = [ChatMessage("system", _INSTRUCTIONS)]
    for said, noted in _EXAMPLES:
        messages += [ChatMessage("user", said), ChatMessage("assistant", noted)]
    if chunk is not None and chunk.summary:
        earlier = f"(Earlier in this talk: {chunk.summary}) Let's go on."
        messages += [ChatMessage("user", earlier), ChatMessage("assistant", "none")]
    asked = f"({neutral(question)}) " if question else ""
    return [*messages, ChatMessage("user", asked + neutral(told))]


def _needs(told: str, question: str) -> bool:
    """Whether a message is understood only with the question that it answers."""
    said = [word.lower() for word in words(told)]
    return question != "" and (len(said) <= _SHORT_MESSAGE or not _ANAPHORA.isdisjoint(said[:8]))


def _grammar(facts: int) -> str:
    """`none`, or some lines about the user: their number and length are bounded."""
    return (
        f'root ::= "none" | line ("\\n" line){{0,{facts - 1}}}\n'
        f'line ::= "The user" [^\\n]{{4,{_LINE_CHARACTERS}}}\n'
    )


def _lines(answer: str, most: int) -> list[str]:
    """The drafted lines without one that a limit cut off. Raises Malformed."""
    lines = [line.strip() for line in answer.strip().splitlines() if line.strip()]
    if not lines:
        raise Malformed("empty")
    if lines[0].lower().strip(" .") == "none":
        return []
    facts = [line for line in lines if "user" in line.lower()[:16]]
    if not facts:
        raise Malformed("no line about the user")
    whole = [line for line in facts if line[-1] in _SENTENCE_ENDS] or facts
    return list(dict.fromkeys(whole))[:most]


def _borne_out(
    lines: list[str], turn: Turn, question: str
) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """Drafts with their quotes and dates, and why the others were dropped."""
    assert turn.user is not None
    said, time = turn.user.text[:MESSAGE_CHARACTERS], turn.user.time
    drafts, dropped = [], []
    for line in lines:
        if without_orders(line) != line:
            dropped.append("order")
            continue
        found = ground(line, said, question, _EXAMPLE_WORDS)
        if isinstance(found, Dropped):
            dropped.append(found.reason)
            continue
        text, event_time = found.text, None
        if not unsure(time):
            event_time = _event_time(found, time)
            text = with_dates(found.text, time)
        source = Source(turn.session, turn.number, found.quote)
        drafts.append(Draft(0, text, kind_of(text, event_time), source, event_time))
    return tuple(drafts), tuple(dropped)


def _event_time(found: Grounded, said: datetime) -> str | None:
    """The day that a fact speaks of: as its quote says it, whose tense tells whether it lies ahead,
    unless the fact names another day of the message."""
    quoted, drafted = (in_statement(text, said) for text in (found.quote, found.text))
    named = [each for each in drafted if each.text.casefold() not in found.quote.casefold()]
    dates = named if quoted and named else quoted or drafted
    return dates[0].iso if dates else None


def _learn_core(c: apsw.Connection, unit: Unit, told_of: Sequence[Said]) -> tuple[Entry, ...]:
    """Put name, age and gender into the profile, and tell what changed."""
    turn = history.turn(c, *unit)
    if turn is None or turn.user is None:
        return ()
    entries = []
    for said in told_of:
        known = getattr(profile.current(c), said.item)
        source = profile.source(c, said.item)
        later = source is not None and order.place(c, *unit) < order.latest(c, [source])
        if said.value == str(known) or later:  # parked for a night, it is no news any more
            continue
        profile.note(c, said.item, said.value, Source(*unit, said.quote), turn.user.time)
        text = f"{said.item}: {said.value}"
        if known is None:
            entries.append(Entry("learnt", "profile", text, sources=(unit,)))
        else:
            entries.append(Entry("changed", "profile", text, str(known), sources=(unit,)))
    return tuple(entries)
