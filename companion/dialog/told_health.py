"""What somebody told of their health, or of somebody else's, as it stands in the store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest

import apsw

from companion import language
from companion.dialog import replies
from companion.recall.protocol import TurnKey
from companion.records import Memory, Turn
from companion.store import corrections, history, memories


@dataclass(frozen=True)
class Told:
    """Something that was told."""

    words: str
    memory: int | None = None
    """None: the disk failed, and it is only in RAM; or it stands in a turn of the log."""

    noted: bool = True
    """Whether it was noted as health when it was told, or by a parent. What else says it by the
    tables alone may be a joke ("I'm allergic to homework")."""

    own: bool = True
    """Whether it is of the person, not of somebody else. What names nobody ("he can't have
    penicillin") counts as the person's: it may be their parent who speaks."""


def told_before(c: apsw.Connection, now: TurnKey | None, wall: datetime) -> list[Told]:
    """What was told before turn `now`, in the words of those who told it, newest first: in
    memories, and in turns that no night has gone over, which may be older than this way of noting.
    """
    found = [each for each in memories.for_good(c) if each.sources and _of_health(each)]
    known = [each for each in found if _holds(each, wall)]
    cited = [Told(_words(each), each.id, _noted(each), _own(each)) for each in known]
    right = corrections.turns(c)
    waiting = [each.id for each in history.sessions(c) if not each.consolidated]
    turns = [turn for session in waiting for turn in history.turns(c, session)]
    turns = [turn for turn in turns if (turn.session, turn.number) not in {now, *right}]
    said = [Told(words, noted=False) for words in reversed(_in_turns(turns))]
    all_told: dict[str, Told] = {}
    for each in (*said, *cited):
        if each.noted or each.words not in all_told:
            all_told[each.words] = each
    return list(all_told.values())


def _holds(memory: Memory, wall: datetime) -> bool:
    """Whether it is likely to be so still: a broken arm heals, and is no matter next year."""
    days = language.health.days(things_named(_words(memory)))
    return days is None or wall - memory.created <= timedelta(days=days)


def _own(memory: Memory) -> bool:
    """See `Told.own`."""
    of_another = replies.of_another(memory.text)
    return not of_another or not people(_words(memory))


def _words(memory: Memory) -> str:
    """Those of who told it: the person, or the parent who put it right."""
    if memory.told_by_parent:
        return replies.health_words(memory.text)
    return memory.sources[0].quote


def _noted(memory: Memory) -> bool:
    return memory.kind == "health" or memory.told_by_parent


def _of_health(memory: Memory) -> bool:
    return memory.kind == "health" or language.dietary.user_cannot_eat(memory.text)


def _in_turns(turns: Sequence[Turn]) -> list[str]:
    """The sentences of turns that say it by the tables alone, but for what was taken back."""
    said: list[str] = []
    for turn, after in zip_longest(turns, turns[1:]):
        if turn.user is None or turn.stopped is not None:
            continue
        confirmed = turn.reply is not None and replies.asks_if_right(turn.reply.text)
        answer = after.user.text if after is not None and after.user is not None else ""
        if not (confirmed and language.health.takes_back(answer)):
            sentences = language.sentences.split(turn.user.text)
            said += [each for each in sentences if language.dietary.says_cannot_eat(each)]
    return said


def people(words: str) -> frozenset[str]:
    """Whom words mention; an EpiPen is nobody."""
    flags, plain = language.health.flags, language.health.plain
    found = language.people.mentioned(words)
    return frozenset(each for each in found if not flags(plain(each))["condition"])


def things_named(words: str) -> frozenset[str]:
    """The things that are named."""
    return frozenset(language.health.find(language.health.plain(words)).named)
