"""Drafting facts, turn by turn (design decision 5, paper sections 4.3 and B.3).

Small models copy and invent when they list the facts of a whole transcript, but find most true
facts when they read a single message with the line that it answers. The instructions and examples
stay in the KV cache from one turn to the next, so a turn costs the model a few dozen tokens, and no
call at all when its form shows that it holds no fact (`language.prefilter`).

What is kept are the person's own words. A sentence that the model wrote of them is a label, and it
stands for them only if it passes every check (`ground`). Words that no label stands for are kept as
they are, in a plain frame, if they are worth it (`language.excerpt`).

Nothing but the session's own messages (and the summary of its earlier part) enters a prompt here:
no memory, no profile, no persona.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion import language
from companion.acts.play import Play
from companion.acts.withdrawals import Withdrawals
from companion.clock import unsure
from companion.config import ConsolidationSection
from companion.consolidation import prompts, register, whom
from companion.consolidation.core import is_somebody_else, learn_core
from companion.consolidation.excerpts import excerpts, last_sentences, line_before
from companion.consolidation.ground import Dropped, Grounded, Heard, ground
from companion.consolidation.report import Effects
from companion.consolidation.structured import Asker, Malformed
from companion.language.types import CoreStatement, Line
from companion.recall import third_turn
from companion.records import Message, Source, Turn
from companion.safety.sanitize import sanitized, without_instructions
from companion.store import history, intermediate, pending, withdrawal
from companion.store.database import Store
from companion.store.intermediate import Chunk, Draft
from companion.store.pending import Unit
from companion.store.withdrawal import TurnKey

_SENTENCE_ENDS = (".", "!", "?", '"', "”")
MESSAGE_CHARACTERS = 1200
"""Characters of a message that are read: speech is never longer, pasted text may be."""

_IN_EARNEST = 2
"""Of so many messages before the one that is read only what is in earnest is shown with it."""

_LEAST_WORDS = 3
"""A line of fewer words is no sentence."""


@dataclass(frozen=True)
class Drafted:
    """The result of one turn."""

    drafts: tuple[Draft, ...]
    told_of: tuple[CoreStatement, ...]
    """Name, age, gender."""

    dropped: tuple[str, ...]
    withdrawn: tuple[TurnKey, ...] = ()
    """Turns that it takes back, this one among them."""


class Drafting:
    """The step `draft`: one turn."""

    name = "draft"

    def __init__(
        self,
        asker: Asker,
        store: Store,
        section: ConsolidationSection,
        companion: str,
        withdrawals: Withdrawals,
        play: Play,
    ) -> None:
        """companion: the toy's own name, which is never taken for the person's. withdrawals: tells
        that something is to be forgotten. play: tells what is said in earnest."""
        self._withdrawals = withdrawals
        self._play = play
        self._companion = companion
        self._asker = asker
        self._store = store
        self._section = section
        self._grammar = prompts.draft_grammar(section.facts_per_turn)

    def pending(self, c: apsw.Connection) -> list[Unit]:
        return pending.undrafted(c)

    async def infer(self, unit: Unit) -> Drafted:
        session, number = unit
        chunk = await self._store.read(intermediate.chunk_of, session, number)
        turns = await self._store.read(_neighbours, chunk, number, self._section.overlap_messages)
        turn = next((turn for turn in turns if turn.number == number), None)
        if turn is None or turn.user is None:
            return Drafted((), (), ())
        message = turn.user
        if await self._withdrawals.asks(message.text[:MESSAGE_CHARACTERS]) == "surely":
            back = await self._withdrawals.meant(
                self._store, session, number, message.text[:MESSAGE_CHARACTERS]
            )
            return Drafted((), (), (), withdrawn=back.turns)
        turn = await self._play.in_earnest(turns, turn)
        assert turn.user is not None
        if not turn.user.text or self._unclear(turn.user):
            return Drafted((), (), ())
        near = range(number - _IN_EARNEST, number)
        turns = [
            await self._play.in_earnest(turns, each) if each.number in near else each
            for each in turns
        ]
        before = next((t for t in turns if t.number == number - 1), None)
        prefilter = language.prefilter
        question = prefilter.question_to_user(before.reply.text) if before and before.reply else ""
        said = without_instructions(turn.user.text[:MESSAGE_CHARACTERS])
        after = next((t for t in turns if t.number == number + 1), None)
        if after is not None and after.user is not None and self._unclear(after.user):
            after = None
        right = third_turn.meant(turn, after)
        meant = language.self_repair.repaired(without_instructions(right) if right else said)
        asked = language.introduction.asks_for(question)
        told_of = tuple(language.introduction.said(said, asked=asked, companion=self._companion))
        if before is not None and third_turn.meant(before, turn) is not None:
            return Drafted((), told_of, ())  # read with the message that it puts right
        line = line_before(before)
        if await self._store.read(is_somebody_else, session, told_of, said):
            return Drafted((), told_of, ())
        told = prefilter.telling(meant, question)
        if not told and language.correction.read(meant, line):
            told = meant  # "It was orange, so now it's silver."
        words = language.words.words
        rest = len(words(told)) - sum(len(words(each.quote)) for each in told_of)
        if not told or (told_of and rest <= 1 and meant == said):
            return Drafted((), told_of, ())
        speaker = prompts.speaker_for(f"{line} {meant}")
        addressed = language.people.addressed(line)
        known = await self._store.read(register.relations, session, number)
        said_before = ""
        if before is not None:
            said_before = before.user.text if before.user and before.stopped is None else ""
            slip = next((t for t in turns if t.number == number - 2), None)
            if slip is not None:  # "no i mean sunday" says nothing by itself
                said_before = third_turn.meant(slip, before) or said_before
        names = addressed | {self._companion}
        lines_before = _lines_before(turns, number)
        called = (language.people.addressed(each.text) for each in lines_before if not each.own)
        he = whom.meant(meant, lines_before, known, names.union(*called))
        named = he.called if he is not None and he.probability >= whom.NAMED else ""
        meant = language.people.with_name(meant, named)
        heard = Heard(
            turn.user.text[:MESSAGE_CHARACTERS],
            line,
            question,
            last_sentences(said_before),
            _said_before(turns, number),
            names,
            named,
            he.key if he is not None and he.probability >= whom.SHOWN else "",
            known,
            put_right=after.user.text if right and after and after.user else "",
            meant=right or "",
        )
        if self._section.mode == "words" or right:
            return Drafted(excerpts(told, (), turn, heard, noted=False), told_of, ())
        lines = await self._asker.ask(
            self.name,
            prompts.draft_request(
                sanitized(meant),
                sanitized(language.grounding.renamed(line, addressed, speaker)),
                speaker,
                chunk.summary or "" if chunk else "",
            ),
            lambda answer: _lines(answer, self._section.facts_per_turn),
            form=prompts.DRAFT_FORM,
            max_tokens=40 * self._section.facts_per_turn,
            grammar=self._grammar,
        )
        told_by = [language.grounding.with_user(each, speaker, heard.said) for each in lines]
        labels, dropped = _labelled(told_by, turn, heard)
        quoted = excerpts(told, labels, turn, heard, noted=bool(lines))
        return Drafted((*labels, *quoted), told_of, dropped)

    def _unclear(self, message: Message) -> bool:
        """Whether a transcript is too uncertain to be learnt from."""
        return message.confidence is not None and message.confidence < self._section.min_confidence

    def commit(self, c: apsw.Connection, unit: Unit, result: Drafted) -> Effects:
        session, number = unit
        if result.withdrawn:
            withdrawal.withdraw(c, result.withdrawn)
            return Effects({"turns": 1})
        intermediate.put_drafts(c, session, number, result.drafts)
        return Effects(
            {
                "turns": 1,
                "drafted": len(result.drafts) + len(result.dropped),
                "grounded": len(result.drafts),
            },
            learn_core(c, unit, result.told_of),
            result.dropped,
        )


def _neighbours(
    c: apsw.Connection, chunk: Chunk | None, number: int, overlap_messages: int
) -> list[Turn]:
    """The turn, those before it in its chunk and in the overlap, and the one after it."""
    if chunk is None:
        return []
    first = max(chunk.first_turn - (overlap_messages + 1) // 2, number - 8)
    found = (history.turn(c, chunk.session, n) for n in range(max(1, first), number + 2))
    return [turn for turn in found if turn is not None]


def _lines_before(turns: Sequence[Turn], number: int) -> list[Line]:
    """What both said before a turn, oldest first."""
    before = [each for each in turns if each.number < number and each.stopped is None]
    said = [(own, m) for each in before for own, m in ((True, each.user), (False, each.reply))]
    return [Line(own, message.text) for own, message in said if message and message.text]


def _said_before(turns: Sequence[Turn], number: int) -> tuple[str, ...]:
    """The person's messages before a turn, the latest first."""
    before = [each for each in turns if each.number < number and each.stopped is None]
    return tuple(each.user.text for each in reversed(before) if each.user and each.user.text)


def _lines(answer: str, most: int) -> list[str]:
    """The drafted sentences, without a last one that the token limit cut off. Raises Malformed."""
    lines = [line.strip() for line in answer.strip().splitlines() if line.strip()]
    if not lines:
        raise Malformed("empty")
    if lines[0].lower().strip(" .") == prompts.NOTHING:
        return []
    facts = [each for line in lines for each in language.sentences.split(line)]
    if not any(len(language.words.words(each)) >= _LEAST_WORDS for each in facts):
        raise Malformed("no sentence")
    whole = [each for each in facts if each[-1] in _SENTENCE_ENDS] or facts
    return list(dict.fromkeys(whole))[:most]


def _labelled(
    lines: Sequence[str], turn: Turn, heard: Heard
) -> tuple[tuple[Draft, ...], tuple[str, ...]]:
    """The labels that pass, each with its quote and day, and why the others were dropped."""
    assert turn.user is not None
    time = turn.user.time
    drafts, dropped = [], []
    for line in lines:
        if without_instructions(line) != line:
            dropped.append("order")
            continue
        found = ground(line, heard, prompts.example_words())
        if isinstance(found, Dropped):
            dropped.append(found.reason)
            continue
        text, event_time = language.grounding.smooth(found.text), None
        if not unsure(time):
            event_time = _event_time(found, time)
            text = language.dates.with_dates(text, time)
        source = Source(turn.session, turn.number, found.quote)
        drafts.append(Draft(0, text, language.kinds.kind_of(text, event_time), source, event_time))
    return tuple(drafts), tuple(dropped)


def _event_time(found: Grounded, said: datetime) -> str | None:
    """The day that a fact is about. It is read from its clause, whose tense tells whether the day
    lies ahead, unless the fact names another day that the message mentions."""
    quoted = language.dates.in_statement(found.clause, said)
    drafted = language.dates.in_statement(found.text, said)
    named = [each for each in drafted if each.text.casefold() not in found.clause.casefold()]
    dates = named if quoted and named else quoted or drafted
    return dates[0].iso if dates else None
