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
from datetime import datetime, timedelta

import apsw

from companion import language
from companion.engines.protocols import Embedder, TextVectors
from companion.language.types import Question
from companion.recall import late_interaction
from companion.recall.passages import passage
from companion.recall.rank_fusion import fuse
from companion.records import Memory, Turn
from companion.safety.sanitize import sanitized, without_instructions
from companion.store import blocks, history, memories, text_index, token_bits, turn_index
from companion.store.database import Store
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

REACH = 1
"""A block is where the buffer was cut: it is read with so many on either side,"""

ONE_TALK = timedelta(minutes=2)
"""as far as no more time lies between the first words of two."""

POOL = 40
"""Hits of each search that are ranked."""

MOST_WORDS = 60
"""Words shown of a piece."""

MOST_READ = 4_000
"""Characters of a piece that are looked at."""

FEW_WORDS = 8
"""A message of fewer words is shown with the question before it."""

OF_CONTEXT = 0.5
"""Weight of a word of the context, relative to one of the question."""

WORDS = 0.05
WITHOUT_TOKENS = 0.8
"""As of the dialog's recall (`recall.candidates`)."""

LEAST_RARITY = 0.01

Key = tuple[str, int]
"""A turn by session and number; a block as ("", its id)."""

_MEMORY = "\0memory"
"""Stands for a memory before its turn is known; no session is called so."""


@dataclass(frozen=True)
class Found:
    """A piece of earlier talk."""

    key: Key
    text: str
    """What is shown of it: the part that fits, without what imitates a prompt or bids."""

    time: datetime

    @property
    def source(self) -> dict[str, object]:
        """As `companion assist --json` names it."""
        if not self.key[0]:
            return {"block": self.key[1]}
        return {"session": self.key[0], "turn": self.key[1]}


async def look_up(
    store: Store, embedder: Embedder, context: str, question: str, k: int
) -> list[Found]:
    """The k pieces that fit a question within its context best, best first."""
    asked = language.question.read(f"{context} {question}".strip(), None)
    [read] = await embedder.embed_tokens([asked.text])
    weigh = len(asked.text) - len(question)
    return await store.read(find, asked, read, weigh, k, embedder.name)


def find_words(c: apsw.Connection, words: str, k: int) -> list[Found]:
    """The k pieces that hold most of the words, by how rare they are, best first: what rules can
    read. No vector is needed."""
    asked = list(dict.fromkeys(language.question.content_words(words)))
    texts = _texts(c, _worded(c, " ".join(asked)))
    shares = _shares(c, asked, texts)
    best = sorted((key for key in texts if shares[key]), key=lambda key: (-shares[key], key))
    return _shown(best, texts, asked, k)


def find(
    c: apsw.Connection, asked: Question, read: TextVectors, begins: int, k: int, embedder: str
) -> list[Found]:
    """The same within one transaction. read: the question's text by `embedder`. begins: where in it
    the question itself stands; what is before it is context."""
    words = list(dict.fromkeys(asked.words))
    near = _nearest(c, read.vector, embedder)
    worded = _worded(c, " ".join(words))
    texts = _texts(c, {*near, *worded})
    shares = _shares(c, words, texts)
    by_words = sorted((key for key in texts if shares[key]), key=lambda key: -shares[key])
    by_meaning = sorted((key for key in near if key in texts), key=lambda key: -near[key])
    pool = list(fuse([by_words[:POOL], by_meaning[:POOL]]))
    late = _late(c, asked, read, begins, pool, embedder)
    most = max(shares.values(), default=0.0) or 1.0
    score = {
        key: late.get(key, WITHOUT_TOKENS * near.get(key, 0.0)) + WORDS * shares[key] / most
        for key in pool
    }
    return _shown(sorted(pool, key=lambda key: -score[key]), texts, words, k)


def _shown(
    keys: Iterable[Key], texts: Mapping[Key, tuple[str, datetime]], words: Iterable[str], k: int
) -> list[Found]:
    """The first k that say anything, each with the part of it that fits the words."""
    stems = {language.words.stem(word) for word in words}
    found: list[Found] = []
    for key in keys:
        text, time = texts[key]
        shown = " ".join(sanitized(passage(text, stems, "", most=MOST_WORDS)).split())
        here = Found(key, shown, time)
        if language.words.content(shown) and not any(_same_talk(here, each) for each in found):
            found.append(here)
        if len(found) == k:
            break
    return found


def _late(
    c: apsw.Connection,
    asked: Question,
    read: TextVectors,
    begins: int,
    pool: list[Key],
    embedder: str,
) -> dict[Key, float]:
    """Scores by late interaction: a turn by the person's words and the line before them, a block
    with those beside it."""
    weights = late_interaction.weights(asked, read, lambda words: _rare(c, words))
    weights[read.spans[:, 1] <= begins] *= OF_CONTEXT
    keys = {key for key in pool if key[0]}
    turns = token_bits.of_turns(c, keys | {(s, number - 1) for s, number in keys}, embedder)
    runs = _runs(c, pool)
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


def _texts(c: apsw.Connection, keys: Iterable[Key]) -> dict[Key, tuple[str, datetime]]:
    """What each says, and when it was said."""
    wanted = set(keys)
    found: dict[Key, tuple[str, datetime]] = {}
    for id, run in _runs(c, wanted).items():
        block = next(each for each in run if each.id == id)
        found["", id] = (_meant(" ".join(each.text for each in run)), block.time)
    said = {key for key in wanted if key[0]}
    turns = history.turns_named(c, said | {(session, number - 1) for session, number in said})
    gone = []
    for key in said:
        turn = turns.get(key)
        if turn is None:
            gone.append(key)
        elif turn.stopped is None and turn.user is not None:
            found[key] = (_told(turn, turns.get((key[0], key[1] - 1))), turn.time)
    for memory in memories.get_all(c, memories.citing(c, gone)).values() if gone else ():
        source = memory.sources[0]
        found.setdefault((source.session, source.turn), (_quoted(memory), memory.created))
    return found


def _same_talk(one: Found, other: Found) -> bool:
    """Whether both show much the same words."""
    if one.key[0] or other.key[0]:
        return one.text == other.text
    return abs(one.key[1] - other.key[1]) <= REACH and abs(one.time - other.time) <= ONE_TALK


def _runs(c: apsw.Connection, keys: Iterable[Key]) -> dict[int, list[blocks.Block]]:
    """Each of the blocks with those beside it."""
    return blocks.beside(c, [id for kind, id in keys if not kind], REACH, ONE_TALK)


def _told(turn: Turn, before: Turn | None) -> str:
    assert turn.user is not None, "asked of turns in which the person spoke"
    said = _meant(turn.user.text)
    if before is None or before.reply is None or len(said.split()) >= FEW_WORDS:
        return said
    asked = language.question.asking(_meant(before.reply.text))
    return f"{asked} {said}".strip()


def _quoted(memory: Memory) -> str:
    return _meant(" ".join(dict.fromkeys(source.quote for source in memory.sources)))


def _meant(text: str) -> str:
    return without_instructions(text[:MOST_READ])


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
