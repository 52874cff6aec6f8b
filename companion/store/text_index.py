"""The FTS5 indexes, over turns, memories and blocks, and spoken words as their queries.

They hold no text of their own: they read the views that stand beside them in the schema. A row
must therefore leave the index *before* its text changes and enter it afterwards, in the same
transaction. `rebuild` makes them anew from the views.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import accumulate, takewhile
from math import log
from typing import Literal

import apsw

from companion.store.connection import rows

TextIndex = Literal["turn_index", "memory_index", "block_index"]
_VIEWS: dict[TextIndex, str] = {
    "turn_index": "turn_texts",
    "memory_index": "active_memories",
    "block_index": "block_texts",
}
INDEXES = tuple(_VIEWS)


def put(c: apsw.Connection, index: TextIndex, id: int) -> None:
    """Index the row's present text. The row must not be in the index."""
    view = _VIEWS[index]
    c.execute(f"INSERT INTO {index} (rowid, text) SELECT id, text FROM {view} WHERE id = ?", (id,))


def drop(c: apsw.Connection, index: TextIndex, id: int) -> None:
    """Take the row out. Its text must still be what was indexed."""
    c.execute(f"DELETE FROM {index} WHERE rowid = ?", (id,))


def present(c: apsw.Connection, index: TextIndex, ids: Iterable[int]) -> set[int]:
    """Those of these rows that there are now to be indexed."""
    sql = f"SELECT id FROM {_VIEWS[index]} WHERE id IN (SELECT value FROM json_each(?))"
    return {id for (id,) in rows(c, sql, json.dumps(list(ids)))}


def rebuild(c: apsw.Connection) -> None:
    """Make the indexes anew from the tables that are the truth."""
    for index in _VIEWS:
        c.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")


def ranked(c: apsw.Connection, index: TextIndex, words: str, k: int) -> list[tuple[int, float]]:
    """`(row, BM25)` of at most k rows that hold any of the words, best first.

    Speech is full of what FTS5 takes for syntax (`-`, `"`, `NEAR`, `:`), so every token is
    quoted. FTS5's own tokenizer cuts them, so that query and index agree on what a word is.
    """
    tokens = _tokens(c, words)
    if not tokens:
        return []
    newest = c.execute(f"SELECT max(id) FROM {index}_docsize").get or 0
    match, first = _any(tokens), 0
    if newest > ENOUGH_ROWS:
        match, first = _of_a_large_index(c, index, tokens, newest)
    found = rows(
        c,
        f"SELECT rowid, rank FROM {index} WHERE {index} MATCH ? AND rowid >= ? "
        "ORDER BY rank, rowid LIMIT ?",
        match,
        first,
        k,
    )
    return [(id, -rank) for id, rank in found]


ENOUGH_ROWS = 2_000
"""So many rows are ranked at most. Each costs a microsecond or two: all that say "you", of 100,000,
would take longer than the rest of a recall, and BM25 gives such words next to no weight."""

FEW_ROWS = 100
"""A further word is not asked for when fewer rows hold it too: a recall takes thirty or forty."""


def rarity(c: apsw.Connection, index: TextIndex, words: Iterable[str]) -> list[float]:
    """For each word how rare it is among the rows: its inverse document frequency as a share of
    the greatest there can be. 1: in no row. 0: in all."""
    size = c.execute(f"SELECT max(id) FROM {index}_docsize").get or 0
    greatest = log(2 * (size + 1))
    return [
        max(0.0, log((size + 1) / (min(_held(c, index, word), size) + 0.5)) / greatest)
        for word in words
    ]


def _of_a_large_index(
    c: apsw.Connection, index: TextIndex, tokens: list[str], size: int
) -> tuple[str, int]:
    """An expression that at most `ENOUGH_ROWS` rows match from a row on.

    Rows with any of the rarest words; where even the rarest is frequent, those that hold the next
    rarest ones too, as the best do; where they are still too many, the newest of these.
    """
    counted = sorted((held, each) for each in tokens if (held := _held(c, index, each)))
    ordered = [token for _, token in counted]
    totals = accumulate(held for held, _ in counted)
    rarest = list(takewhile(lambda total: total <= ENOUGH_ROWS, totals))
    if rarest or not counted:
        return _any(ordered[: len(rarest)] or tokens), 0
    match = _any(ordered[:1])
    for token in ordered[1:]:
        narrower = f'{match} AND "{token}"'
        found = _count(c, index, narrower)
        if found >= FEW_ROWS:
            match = narrower
        if FEW_ROWS <= found <= ENOUGH_ROWS:
            break
    newest = c.execute(
        f"SELECT rowid FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
        (match, ENOUGH_ROWS),
    ).get
    # For the rank the others count, too, but not those that every fifth row holds.
    ranking = [token for held, token in counted if held <= size // 5] or ordered[:1]
    return f"({match}) AND ({_any(ranking)})", newest or 0


def _count(c: apsw.Connection, index: TextIndex, match: str) -> int:
    """How many rows match; of more than `ENOUGH_ROWS`, one more than that."""
    sql = f"SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH ? LIMIT ?)"
    return int(c.execute(sql, (match, ENOUGH_ROWS + 1)).get)


def _held(c: apsw.Connection, index: TextIndex, token: str) -> int:
    """How many rows hold the word, in any of its forms."""
    stems = _tokens(c, token, "porter")
    sql = f"SELECT doc FROM {index}_words WHERE term = ?"
    return max((c.execute(sql, (stem,)).get or 0 for stem in stems), default=0)


def _any(tokens: list[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)  # a token holds no quote


def _tokens(
    c: apsw.Connection, text: str, tokenizer: Literal["unicode61", "porter"] = "unicode61"
) -> list[str]:
    """Distinct tokens in order. `porter` also stems, as the indexes do."""
    options = ["remove_diacritics", "2"]
    if tokenizer == "porter":
        options = ["unicode61", *options]
    tokenize = c.fts5_tokenizer(tokenizer, options)
    found = tokenize(
        text.encode("utf-8", errors="replace"),
        apsw.FTS5_TOKENIZE_QUERY,
        None,
        include_offsets=False,
    )
    return list(dict.fromkeys(str(alternatives[0]) for alternatives in found))
