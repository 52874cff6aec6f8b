"""A labelled conversation in a real store, as if the first speaker had talked with the second.

The first speaker is the person, the second the companion; their utterances become turns of the
log, the set's facts memories that cite those turns.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import apsw

from companion.consolidation.embed import EmbeddingBlocks, EmbeddingMemories, EmbeddingTurns
from companion.consolidation.phase import Step
from companion.engines.protocols import Embedder
from companion.evaluation.retrieval.labelled import LabelledTalk, Utterance
from companion.records import Recalled, Role, Source
from companion.store import history, log, memories, profile
from companion.store.database import Store

SHOWN_SHARE = 0.5
"""An utterance of which less is left in a note does not stand there."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class LabelledStore:
    """What stands for which label."""

    utterances: dict[tuple[str, int], tuple[Utterance, ...]]
    """By session and turn."""

    facts: dict[int, frozenset[str]]
    """By memory: the utterances it cites."""

    def found(self, item: Recalled) -> frozenset[str]:
        """Utterances that a line of a block stands for: those a fact cites, or those of a turn
        of which the line shows at least half the words."""
        if item.kind == "memory":
            return self.facts[int(item.id[1:])]
        session, number = item.id.rsplit("#", 1)
        shown = Counter(_WORD.findall(item.text))
        return frozenset(
            each.id
            for each in self.utterances[session, int(number)]
            if _share(each.text, shown) >= SHOWN_SHARE
        )


def _share(text: str, shown: Counter[str]) -> float:
    words = Counter(_WORD.findall(text))
    return sum((words & shown).values()) / max(sum(words.values()), 1)


async def fill(store: Store, embedder: Embedder, talk: LabelledTalk) -> LabelledStore:
    """Put a conversation, its facts and all vectors into an empty store."""
    utterances = await store.write(_import, talk)
    place = {
        each.id: (session, number, each.text)
        for (session, number), here in utterances.items()
        for each in here
    }
    facts = await store.write(_remember, talk, place)
    await embed(store, embedder)
    return LabelledStore(utterances, facts)


async def embed(store: Store, embedder: Embedder) -> None:
    """Give all turns, memories and blocks their vectors, as a night does."""
    steps: tuple[Step[Any], ...] = (
        EmbeddingTurns(embedder, store),
        EmbeddingMemories(embedder, store),
        EmbeddingBlocks(embedder, store),
    )
    for step in steps:
        while units := await store.read(step.pending):
            for unit in units:
                result = await step.infer(unit)
                await store.write(step.commit, unit, result)


def _import(c: apsw.Connection, talk: LabelledTalk) -> dict[tuple[str, int], tuple[Utterance, ...]]:
    """The log, and which utterances each turn holds."""
    person, _ = talk.speakers
    profile.note(c, "name", person, None, talk.sessions[0].time)
    utterances: dict[tuple[str, int], tuple[Utterance, ...]] = {}
    for session in talk.sessions:
        name = f"session-{session.number:02d}"
        rows: list[tuple[Role, str, datetime]] = [
            (
                "user" if each.speaker == person else "assistant",
                each.text,
                session.time + timedelta(seconds=30 * position),
            )
            for position, each in enumerate(session.utterances)
        ]
        log.import_messages(c, name, rows)
        said = iter(session.utterances)
        for turn in history.turns(c, name):
            messages = (turn.user, turn.reply)
            utterances[name, turn.number] = tuple(next(said) for each in messages if each)
    return utterances


def _remember(
    c: apsw.Connection,
    talk: LabelledTalk,
    place: dict[str, tuple[str, int, str]],
) -> dict[int, frozenset[str]]:
    """The set's facts as memories: what each cites."""
    return {
        memories.add(
            c,
            fact.text,
            kind="fact",
            sources=[Source(*place[each]) for each in sorted(fact.cites)],
            vector=None,
            embedder="",
            now=fact.time,
        ): fact.cites
        for fact in talk.facts
    }
