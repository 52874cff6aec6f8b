"""A labelled conversation in a real store, as if the first speaker had talked with the second.

The first speaker is the person, the second the companion; their utterances become turns of the
log, the set's facts memories that cite those turns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import apsw
import numpy as np
from numpy.typing import NDArray

from companion.engines.protocols import Embedder
from companion.evaluation.retrieval.labelled import LabelledTalk, Utterance
from companion.records import Recalled, Role, Source
from companion.store import history, log, memories, profile, turn_index
from companion.store.database import Store
from companion.store.vectors import Vector

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
    turns = [
        turn
        for session in await store.read(history.sessions)
        for turn in await store.read(history.turns, session.id)
    ]
    whole = await embedder.embed([turn_index.turn_text(each) for each in turns])
    spoken = [each for each in turns if each.user]
    words = await embedder.embed([each.user.text for each in spoken if each.user])
    said = {(each.session, each.number): words[i] for i, each in enumerate(spoken)}
    vectors = [
        ((each.session, each.number), said.get((each.session, each.number)), whole[i])
        for i, each in enumerate(turns)
    ]
    await store.write(_put_vectors, embedder.name, vectors)
    meanings = await embedder.embed([each.text for each in talk.facts])
    facts = await store.write(_remember, talk, place, embedder.name, meanings)
    return LabelledStore(utterances, facts)


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


def _put_vectors(
    c: apsw.Connection,
    embedder: str,
    vectors: Iterable[tuple[tuple[str, int], Vector | None, Vector]],
) -> None:
    for (session, number), words, whole in vectors:
        turn_index.put_turn_vectors(c, session, number, embedder, words, whole)


def _remember(
    c: apsw.Connection,
    talk: LabelledTalk,
    place: dict[str, tuple[str, int, str]],
    embedder: str,
    meanings: NDArray[np.float32],
) -> dict[int, frozenset[str]]:
    """The set's facts as memories: what each cites."""
    return {
        memories.add(
            c,
            fact.text,
            kind="fact",
            sources=[Source(*place[each]) for each in sorted(fact.cites)],
            vector=meaning,
            embedder=embedder,
            now=fact.time,
        ): fact.cites
        for fact, meaning in zip(talk.facts, meanings, strict=True)
    }
