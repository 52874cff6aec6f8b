"""Blocks: pieces of talk that was overheard while somebody had switched listening on.

A block is no turn: nobody said it to the companion, and no fact, profile or recall of the dialog is
made of it. It has its words, the time of the first of them, a vector, and a place in an index of
its own; `companion.assist` alone looks there. It goes by age (`expire`) or with an erase.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import apsw

from companion import language
from companion.errors import InputError
from companion.store import lived, text_index, token_bits, vectors
from companion.store.connection import rows
from companion.store.token_bits import Bits
from companion.store.vectors import Vector

# As `schema` has it of turns and memories: the plain table is the truth.
SCHEMA = """
CREATE TABLE blocks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  text TEXT NOT NULL,
  time TEXT NOT NULL,               -- of its first word, ISO 8601 with an offset
  day TEXT NOT NULL,                -- 'Friday 28 April 2023', where it was spoken
  lived_s REAL NOT NULL             -- when it was stored, for expiry
) STRICT;

-- What is indexed and embedded: its day stands before its words, as in a turn.
CREATE VIEW block_texts AS SELECT id, day || ' ' || text AS text FROM blocks;

CREATE TABLE block_vectors (
  id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  vector BLOB NOT NULL,
  bits BLOB NOT NULL
) STRICT;
CREATE INDEX block_bits ON block_vectors (embedder, bits);

-- The sign bits of its tokens, for late interaction (`token_bits`).
CREATE TABLE block_tokens (
  id INTEGER PRIMARY KEY REFERENCES blocks (id) ON DELETE CASCADE,
  embedder INTEGER NOT NULL REFERENCES embedders (id),
  text BLOB NOT NULL
) STRICT;

CREATE VIRTUAL TABLE block_index USING fts5(
  text, content='block_texts', content_rowid='id',
  tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO block_index (block_index, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE block_index_words USING fts5vocab(block_index, row);
"""


@dataclass(frozen=True)
class Block:
    """One piece of what was overheard."""

    id: int
    text: str
    time: datetime


def block_text(text: str, time: datetime) -> str:
    """What is indexed and embedded of a block: its day and its words. Equals the SQL view."""
    return f"{language.dates.spelled_day(time)} {text}"


def add(c: apsw.Connection, text: str, time: datetime) -> int:
    """Store a block and return its id; its vector follows (`put_vector`).

    Raises InputError for text that is empty or no Unicode, and for a time without an offset.
    """
    if not text.strip():
        raise InputError("a block needs words")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError("the block holds half characters (lone surrogates)") from None
    if time.tzinfo is None:
        raise InputError(f"time {time.isoformat()} has no offset")
    c.execute(
        "INSERT INTO blocks (text, time, lived_s, day) VALUES (?, ?, ?, ?)",
        (text, time.isoformat(), lived.now(c), language.dates.spelled_day(time)),
    )
    id = c.last_insert_rowid()
    text_index.put(c, "block_index", id)
    return id


def get_all(c: apsw.Connection, ids: Iterable[int]) -> dict[int, Block]:
    """Those of these blocks that there are, by id."""
    wanted = set(ids)
    found = (
        row
        for id in sorted(wanted)
        for row in rows(c, "SELECT id, text, time FROM blocks WHERE id = ?", id)
    )
    return {id: Block(id, text, datetime.fromisoformat(time)) for id, text, time in found}


def beside(
    c: apsw.Connection, ids: Iterable[int], reach: int, within: timedelta
) -> dict[int, list[Block]]:
    """Each of these blocks among those that were spoken beside it, oldest first: at most `reach` on
    either side, as far as no more than `within` lies between the first words of two."""
    wanted = set(ids)
    near = get_all(c, {id + step for id in wanted for step in range(-reach, reach + 1)})
    found = {}
    for id in wanted & near.keys():
        run = [near[id]]
        for step in range(1, reach + 1):
            before = near.get(id - step)
            if before is None or not timedelta() <= run[0].time - before.time <= within:
                break
            run.insert(0, before)
        for step in range(1, reach + 1):
            after = near.get(id + step)
            if after is None or not timedelta() <= after.time - run[-1].time <= within:
                break
            run.append(after)
        found[id] = run
    return found


def all_blocks(c: apsw.Connection) -> list[Block]:
    """Every block, oldest first."""
    found = rows(c, "SELECT id, text, time FROM blocks ORDER BY id")
    return [Block(id, text, datetime.fromisoformat(time)) for id, text, time in found]


def search(c: apsw.Connection, words: str, k: int) -> list[tuple[int, float]]:
    """`(id, BM25)` of blocks that hold any of the words, best first."""
    return text_index.ranked(c, "block_index", words, k)


def nearest(
    c: apsw.Connection, vector: Vector, k: int, *, embedder: str
) -> list[tuple[int, float]]:
    """`(id, cosine)`, best first."""
    return vectors.nearest(c, "block_vectors", vector, k, embedder)


def unembedded(c: apsw.Connection, embedder: str, limit: int) -> list[Block]:
    """Blocks without a vector of this embedder, oldest first: the program was killed between the
    two, or the embedder was changed."""
    found = rows(
        c,
        "SELECT id, text, time FROM blocks AS b WHERE NOT EXISTS (SELECT 1 FROM block_vectors AS v "
        "JOIN block_tokens AS k ON k.id = v.id AND k.embedder = v.embedder "
        "JOIN embedders AS e ON e.id = v.embedder WHERE v.id = b.id AND e.name = ?) "
        "ORDER BY id LIMIT ?",
        embedder,
        limit,
    )
    return [Block(id, text, datetime.fromisoformat(time)) for id, text, time in found]


def put_vector(c: apsw.Connection, id: int, embedder: str, vector: Vector, tokens: Bits) -> None:
    """Store the block's vector and tokens, of `block_text`; nothing when it is gone meanwhile."""
    if rows(c, "SELECT 1 FROM blocks WHERE id = ?", id):
        vectors.put(c, "block_vectors", id, embedder, vector)
        token_bits.put_block(c, id, embedder, tokens)


def expire(c: apsw.Connection, days: float) -> int:
    """Remove blocks stored at least `days` lived days ago; how many went."""
    limit = lived.now(c) - days * lived.DAY_S
    old = rows(c, "SELECT id FROM blocks WHERE lived_s <= ?", limit)
    for (id,) in old:
        _remove(c, id)
    return len(old)


def clear(c: apsw.Connection) -> None:
    """Remove every block; `sweep.note` has to follow."""
    for (id,) in rows(c, "SELECT id FROM blocks"):
        _remove(c, id)


def _remove(c: apsw.Connection, id: int) -> None:
    text_index.drop(c, "block_index", id)
    c.execute("DELETE FROM blocks WHERE id = ?", (id,))
