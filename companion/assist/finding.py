"""Finds what was said of it: blocks and turns of all days in one ranking, by words and by meaning,
reranked token by token (`recall.late_interaction`).

A turn counts with what the person said; a short answer with the question before it; a block with
those that were spoken beside it, since it ends where the buffer was cut. A memory leads to the turn
it comes from, and stands for it by its quote where the turn has expired. Turns that a guard stopped
are never found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import apsw

from companion import language
from companion.assist.told import ONE_TALK, REACH, Key, runs_of, texts_of
from companion.engines.protocols import Embedder, TextVectors
from companion.language.types import Question
from companion.recall import late_interaction
from companion.recall.passages import passage
from companion.recall.rank_fusion import fuse
from companion.safety.sanitize import sanitized
from companion.store import blocks, memories, text_index, token_bits, turn_index
from companion.store.database import Store
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

POOL = 40
"""Hits of each search that are ranked."""

MOST_WORDS = 60
"""Words shown of a piece."""

OF_CONTEXT = 0.5
"""Weight of a word of the context, relative to one of the question."""

WORDS = 0.05
WITHOUT_TOKENS = 0.8
"""As of the dialog's recall (`recall.candidates`)."""

LEAST_RARITY = 0.01

_MEMORY = "\0memory"
"""Stands for a memory before its turn is known; no session is called so."""


@dataclass(frozen=True)
class Found:
    """A piece of earlier talk."""

    key: Key
    text: str
    """What is shown of it: the part that fits, without what imitates a prompt or bids."""

    time: datetime

    fit: float = 0.0
    """How well it fits, about 0 to 1."""

    @property
    def source(self) -> dict[str, object]:
        """As `companion assist --json` names it."""
        if not self.key[0]:
            return {"block": self.key[1]}
        return {"session": self.key[0], "turn": self.key[1]}


@dataclass(frozen=True)
class Looked:
    """What was found for a question, and how the question was read."""

    found: list[Found]
    """Best first."""

    asked: Question
    """The context and the question after it."""

    begins: int
    """Where in its text the question itself stands."""

    read: TextVectors
    weights: Vector
    """How much each of its tokens says; of the context less."""


async def look_up(store: Store, embedder: Embedder, context: str, question: str, k: int) -> Looked:
    """The k pieces that fit a question within its context best."""
    asked = language.question.read(f"{context} {question}".strip(), None)
    [read] = await embedder.embed_tokens([asked.text])
    begins = len(asked.text) - len(question)
    weights = await store.read(_weights, asked, read, begins)
    found = await store.read(find, asked, read, weights, k, embedder.name)
    return Looked(found, asked, begins, read, weights)


def find_words(c: apsw.Connection, words: str, k: int) -> list[Found]:
    """The k pieces that hold most of the words, by how rare they are, best first: what rules can
    read. No vector is needed."""
    asked = list(dict.fromkeys(language.question.content_words(words)))
    texts = texts_of(c, _worded(c, " ".join(asked)))
    shares = _shares(c, asked, texts)
    best = sorted((key for key in texts if shares[key]), key=lambda key: (-shares[key], key))
    return _shown(best, texts, asked, k, shares)


def find(
    c: apsw.Connection, asked: Question, read: TextVectors, weights: Vector, k: int, embedder: str
) -> list[Found]:
    """The same within one transaction, best first. read: the question's text by `embedder`."""
    words = list(dict.fromkeys(asked.words))
    near = _nearest(c, read.vector, embedder)
    worded = _worded(c, " ".join(words))
    texts = texts_of(c, {*near, *worded})
    shares = _shares(c, words, texts)
    by_words = sorted((key for key in texts if shares[key]), key=lambda key: -shares[key])
    by_meaning = sorted((key for key in near if key in texts), key=lambda key: -near[key])
    pool = list(fuse([by_words[:POOL], by_meaning[:POOL]]))
    late = _late(c, read, weights, pool, embedder)
    most = max(shares.values(), default=0.0) or 1.0
    score = {
        key: late.get(key, WITHOUT_TOKENS * near.get(key, 0.0)) + WORDS * shares[key] / most
        for key in pool
    }
    return _shown(sorted(pool, key=lambda key: -score[key]), texts, words, k, score)


def _shown(
    keys: Iterable[Key],
    texts: Mapping[Key, tuple[str, datetime]],
    words: Iterable[str],
    k: int,
    fits: Mapping[Key, float],
) -> list[Found]:
    """The first k that say anything, each with the part of it that fits the words."""
    stems = {language.words.stem(word) for word in words}
    found: list[Found] = []
    for key in keys:
        text, time = texts[key]
        shown = " ".join(sanitized(passage(text, stems, "", most=MOST_WORDS)).split())
        here = Found(key, shown, time, fits[key])
        if language.words.content(shown) and not any(_same_talk(here, each) for each in found):
            found.append(here)
        if len(found) == k:
            break
    return found


def _weights(c: apsw.Connection, asked: Question, read: TextVectors, begins: int) -> Vector:
    weights = late_interaction.weights(asked, read, lambda words: _rare(c, words))
    weights[read.spans[:, 1] <= begins] *= OF_CONTEXT
    return weights


def _late(
    c: apsw.Connection, read: TextVectors, weights: Vector, pool: list[Key], embedder: str
) -> dict[Key, float]:
    """Scores by late interaction: a turn by the person's words and the line before them, a block
    with those beside it."""
    keys = {key for key in pool if key[0]}
    turns = token_bits.of_turns(c, keys | {(s, number - 1) for s, number in keys}, embedder)
    runs = runs_of(c, pool)
    ids = {each.id for run in runs.values() for each in run}
    said: dict[Key, Bits] = {key: turns[key].said for key in keys if key in turns}
    said |= {("", id): bits for id, bits in token_bits.of_blocks(c, ids, embedder).items()}
    before = {key: turns[b].reply for key in keys if (b := (key[0], key[1] - 1)) in turns}
    own = late_interaction.maxima(read.tokens, said)
    lines = late_interaction.maxima(read.tokens, before)
    scores = {}
    for key in pool:
        best = late_interaction.joined(own.get(key), lines.get(key))
        for each in () if key[0] else runs[key[1]]:
            best = late_interaction.joined(best, own.get(("", each.id)))
        scores[key] = late_interaction.score(best, weights)
    return {key: score for key, score in scores.items() if score is not None}


def _nearest(c: apsw.Connection, vector: Vector, embedder: str) -> dict[Key, float]:
    """Cosines, a turn with the greatest of its own and its memories'."""
    found: dict[Key, float] = {}

    def note(key: Key, cosine: float) -> None:
        found[key] = max(cosine, found.get(key, -1.0))

    sides: tuple[turn_index.Side, ...] = ("turn", "query")
    for side in sides:
        for session, number, cosine in turn_index.nearest_turns(
            c, vector, POOL, embedder=embedder, of=side
        ):
            note((session, number), cosine)
    for id, cosine in memories.nearest(c, vector, POOL, embedder=embedder):
        note((_MEMORY, id), cosine)
    for id, cosine in blocks.nearest(c, vector, POOL, embedder=embedder):
        note(("", id), cosine)
    return _of_turns(c, found)


def _worded(c: apsw.Connection, words: str) -> set[Key]:
    found: dict[Key, float] = {}
    found |= {(session, n): 0.0 for session, n, _ in turn_index.search_turns(c, words, POOL)}
    found |= {(_MEMORY, id): 0.0 for id, _ in memories.search(c, words, POOL)}
    found |= {("", id): 0.0 for id, _ in blocks.search(c, words, POOL)}
    return set(_of_turns(c, found))


def _of_turns(c: apsw.Connection, found: dict[Key, float]) -> dict[Key, float]:
    """Memories by the turn they come from; one that comes from none is left out."""
    known = memories.get_all(c, [id for kind, id in found if kind == _MEMORY])
    named: dict[Key, float] = {}
    for (kind, id), value in found.items():
        key: Key = (kind, id)
        if kind == _MEMORY:
            memory = known.get(id)
            if memory is None or not memory.sources:
                continue
            key = memory.sources[0].session, memory.sources[0].turn
        named[key] = max(value, named.get(key, -1.0))
    return named


def _same_talk(one: Found, other: Found) -> bool:
    """Whether both show much the same words."""
    if one.key[0] or other.key[0]:
        return one.text == other.text
    return abs(one.key[1] - other.key[1]) <= REACH and abs(one.time - other.time) <= ONE_TALK


def _rare(c: apsw.Connection, words: list[str]) -> list[float]:
    indexes: tuple[text_index.TextIndex, ...] = ("turn_index", "block_index")
    each = [text_index.rarity(c, index, words) for index in indexes]
    return [min(both) or LEAST_RARITY for both in zip(*each, strict=True)]


def _shares(
    c: apsw.Connection, words: list[str], texts: Mapping[Key, tuple[str, datetime]]
) -> dict[Key, float]:
    """How much of the words' rarity each text holds."""
    rare = dict(zip(map(language.words.stem, words), _rare(c, words), strict=True))
    stems: dict[str, str] = {}
    shares = {}
    for key, (text, _) in texts.items():
        said = set(language.words.words(text))
        stems |= {word: language.words.stem(word) for word in said if word not in stems}
        there = frozenset(stems[word] for word in said)
        shares[key] = sum(
            value for stem, value in rare.items() if language.words.occurs(stem, there)
        )
    return shares
