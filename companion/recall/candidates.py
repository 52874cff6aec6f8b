"""What may stand in the block: messages and memories, reranked together, best first.

Found are the nearest by meaning (a vector a text) and by words (BM25). They are scored by late
interaction, and by a share of their BM25; a message with the line before it, which it may answer.
Then scores are shared: a message is raised by the best memory that cites it, and a memory by the
messages it cites, so that facts lead to what was said; and both by what stands beside (`nearby`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

import apsw

from companion import language
from companion.engines.protocols import TextVectors
from companion.language.types import Question
from companion.recall import late_interaction, third_turn
from companion.recall.late_interaction import Maxima
from companion.recall.nearby import Nearby
from companion.recall.protocol import TurnKey
from companion.recall.rank_fusion import fuse
from companion.recall.search import Near, Worded
from companion.records import Memory, Role, Source, Turn
from companion.store import corrections, history, memories, text_index, token_bits
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

POOL = 40
"""How many hits of each ranking are candidates."""

RERANKED = 80
"""The most turns that are reranked, beside those that memories cite."""

WORDS = 0.05
"""Weight of the best BM25 of a ranking, relative to a cosine of 1."""

LENT = 0.5
"""Share of a score that comes from the linked texts: for a message its memory, and vice versa."""

UNCITED = 0.6
"""When no memory cites a message, that part is this share of the message's own score."""

WITHOUT_TOKENS = 0.8
"""A cosine of whole texts, to be compared with scores of late interaction: with a vector of signs
no vector has a cosine much above this."""

FEW_WORDS = 6
"""A message of fewer words is an answer to something, and its memory says more than it does."""

MANY_WORDS = 25
"""For a message of more words a memory that quotes all of it may stand: it is shorter. Between the
two, and where a memory quotes only a part, the person's own words are shown, and a memory only
leads to them: what a small model has written may be wrong, and may leave out what is asked for. Of
LoCoMo's evidence this finds 0.819 in 369 tokens, whose facts are people's and stand for whole
messages. Of 14 questions about two people a 1.5B answers 12; where the memory of a part stands for
its message, 10."""

WHOLE = 0.8
"""Share of a message's words that a memory of all of it quotes."""

MessageKey = tuple[str, int, Role]
"""Session, turn, role."""


@dataclass(frozen=True)
class Candidate:
    """A memory, or one message of a turn, that may be shown."""

    found: Memory | Turn
    score: float
    covers: frozenset[MessageKey]
    """The message itself, or the messages that the memory cites."""

    before: str = ""
    """What the other one said before the message."""

    stands_for: tuple[int, ...] = ()
    """Memories: itself, or those that cite the message."""

    quote: str = ""
    """Words of the message that the best memory of it quotes."""

    nearby: float = 0.0
    """What the exchanges beside it lend."""

    seq: int = 0
    """Of the message, or of the last turn that the memory cites; 0 where these turns are gone."""

    @property
    def rank(self) -> float:
        """By which candidates are ordered. The score alone says how well one fits by itself."""
        return self.score + self.nearby

    @property
    def role(self) -> Role:
        """Who said the message. Not of a memory."""
        [(_, _, role)] = self.covers
        return role


class Ranking:
    """The texts of the store, compared with one question; within one transaction."""

    def __init__(
        self,
        c: apsw.Connection,
        asked: Question,
        read: TextVectors,
        near: Near,
        worded: Worded,
        embedder: str,
    ) -> None:
        """read: the question's text, embedded by `embedder`."""
        self._c = c
        self._asked = asked
        self._read = read
        self._near = near
        self._worded = worded
        self._embedder = embedder

    def turns(self) -> list[TurnKey]:
        """Those that some ranking has found, the likeliest first."""
        worded = islice(self._worded.turns, POOL)
        return list(fuse([self._near.turns, self._near.queries, worded]))[:RERANKED]

    def candidates(
        self, keys: Iterable[TurnKey], ids: Iterable[int], without: Collection[TurnKey]
    ) -> list[Candidate]:
        """Messages of these turns, these memories, and what cites the ones or is cited by the
        others; best first. without: turns that are not candidates, and memories of these alone."""
        c, keys = self._c, set(keys)
        right = corrections.turns(c)
        told = {right[key] for key in keys & right.keys()}
        known = memories.get_all(c, {*ids, *told, *memories.citing(c, keys)})
        named = {*keys, *(_key(source) for each in known.values() for source in each.sources)}
        around = {(session, number + n) for session, number in named for n in (-1, 1)}
        turns = history.turns_named(c, named | around)
        turns = {key: turn for key, turn in turns.items() if turn.stopped is None}
        messages, facts = self._scores(turns, named - set(without), known)
        turns, puts_right = third_turn.as_meant(turns)
        for later, slip in puts_right.items():  # the later one says nothing by itself
            score = messages.pop((*later, "user"), 0.0)
            if (*slip, "user") in messages:
                key: MessageKey = (*slip, "user")
                messages[key] = max(messages[key], score)
        cites = {id: _cited(memory, turns) for id, memory in known.items()}
        citing: dict[MessageKey, list[int]] = {}
        for id, quoted in cites.items():
            for message in quoted:
                citing.setdefault(message, []).append(id)
        beside = Nearby(messages, facts, known)
        # Memories first: where a memory and its message have the same score, the memory is shorter.
        found = []
        for id, memory in known.items():
            covers = _stands_for(memory, turns, cites[id])
            if memory.told_by_parent:  # shown in any case, also beside the wrong words in the talk
                covers = cites[id]
            elif cites[id] and (not covers or all(each[:2] in without for each in cites[id])):
                continue
            lent = max((messages.get(each, 0.0) for each in cites[id]), default=facts[id])
            score = (1 - LENT) * facts[id] + LENT * lent
            nearby = beside.lends(*map(_key, memory.sources))
            seq = max((_seq(turns[each[:2]]) for each in cites[id]), default=0)
            found.append(Candidate(memory, score, covers, stands_for=(id,), nearby=nearby, seq=seq))
        for key, own in messages.items():
            if key[:2] in right:  # a parent has put it right: that memory stands for it
                continue
            ids = citing.get(key, ())
            best = max(ids, key=lambda id: facts[id], default=None)
            lent = UNCITED * own if best is None else facts[best]
            found.append(
                Candidate(
                    turns[key[:2]],
                    (1 - LENT) * own + LENT * lent,
                    frozenset({key}),
                    _text(_answered(key), turns),
                    tuple(ids),
                    "" if best is None else _quote(known[best], key),
                    beside.lends(key[:2]),
                    _seq(turns[key[:2]]),
                )
            )
        return sorted(found, key=lambda one: -one.rank)

    def _scores(
        self,
        turns: Mapping[TurnKey, Turn],
        keys: Collection[TurnKey],
        known: Mapping[int, Memory],
    ) -> tuple[dict[MessageKey, float], dict[int, float]]:
        """Of each message of the turns of these keys, and of each memory, by itself."""
        asked = self._read.tokens
        compared = {each for key in keys & turns.keys() for each in _messages(turns[key])}
        compared |= {_answered(message) for message in compared}
        said: dict[MessageKey, Bits] = {}
        for (session, number), bits in token_bits.of_turns(self._c, turns, self._embedder).items():
            said[session, number, "user"] = bits.said
            said[session, number, "assistant"] = bits.reply
        said = {message: bits for message, bits in said.items() if message in compared}
        nearest = late_interaction.maxima(asked, said)
        of_facts = token_bits.of_memories(self._c, known, self._embedder)
        nearest_facts = late_interaction.maxima(asked, of_facts)
        weights = late_interaction.weights(
            self._asked,
            self._read,
            lambda words: text_index.rarity(self._c, "turn_index", words),
        )
        messages: dict[MessageKey, float] = {}
        for key in keys & turns.keys():
            cosine = self._near.of_turn(key)
            of_words = WORDS * self._worded.turns.get(key, 0.0)
            for message in _messages(turns[key]):
                best = late_interaction.joined(
                    nearest.get(message), nearest.get(_answered(message))
                )
                messages[message] = _score(best, weights, cosine) + of_words
        facts = {}
        for id in known:
            cosine = self._near.memories.get(id, 0.0)
            of_words = WORDS * self._worded.memories.get(id, 0.0)
            facts[id] = _score(nearest_facts.get(id), weights, cosine) + of_words
        return messages, facts


def _score(best: Maxima | None, weights: Vector, cosine: float) -> float:
    late = late_interaction.score(best, weights)
    return WITHOUT_TOKENS * cosine if late is None else late


def _seq(turn: Turn) -> int:
    message = turn.user or turn.reply
    return 0 if message is None else message.seq


def _messages(turn: Turn) -> list[MessageKey]:
    found: list[MessageKey] = []
    if turn.user is not None:
        found.append((turn.session, turn.number, "user"))
    if turn.reply is not None:
        found.append((turn.session, turn.number, "assistant"))
    return found


def _quote(memory: Memory, message: MessageKey) -> str:
    return next(each.quote for each in memory.sources if _key(each) == message[:2])


def _stands_for(
    memory: Memory, turns: Mapping[TurnKey, Turn], cited: Collection[MessageKey]
) -> frozenset[MessageKey]:
    """The messages in whose place a memory may stand: short ones, and long ones that it quotes
    as a whole. An excerpt in its frame says no more than its message."""
    if language.excerpt.is_framed(memory.text):
        return frozenset()
    quoted = {_key(each): len(each.quote.split()) for each in memory.sources}

    def stands(message: MessageKey) -> bool:
        length = len(_text(message, turns).split())
        whole = quoted[message[:2]] >= WHOLE * length
        return length < FEW_WORDS or (length > MANY_WORDS and whole)

    return frozenset(filter(stands, cited))


def _answered(message: MessageKey) -> MessageKey:
    """The message before it, by the other one."""
    session, number, role = message
    return (session, number, "user") if role == "assistant" else (session, number - 1, "assistant")


def _text(message: MessageKey, turns: Mapping[TurnKey, Turn]) -> str:
    """The message; "" when it is not there."""
    session, number, role = message
    turn = turns.get((session, number))
    said = None if turn is None else turn.user if role == "user" else turn.reply
    return said.text if said is not None else ""


def _key(source: Source) -> TurnKey:
    return source.session, source.turn


def _cited(memory: Memory, turns: Mapping[TurnKey, Turn]) -> frozenset[MessageKey]:
    """The messages that a memory quotes, among turns that still exist."""
    cited: set[MessageKey] = set()
    for source in memory.sources:
        turn = turns.get(_key(source))
        if turn is None:
            continue
        of_reply = turn.reply is not None and source.quote in turn.reply.text
        of_user = turn.user is not None and (source.quote in turn.user.text or not of_reply)
        cited.add((source.session, source.turn, "user" if of_user else "assistant"))
    return frozenset(cited)
