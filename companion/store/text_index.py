"""The two FTS5 indexes, over turns and over memories, and spoken words as their queries.

Both hold no text of their own: they read the views that stand beside them in the schema. A row
must therefore leave the index *before* its text changes and enter it afterwards, in the same
transaction. `rebuild` makes them anew from the views.
"""

from __future__ import annotations

from typing import Literal

import apsw

TextIndex = Literal["turn_index", "memory_index"]
_VIEWS: dict[TextIndex, str] = {"turn_index": "turn_texts", "memory_index": "active_memories"}


def put(c: apsw.Connection, index: TextIndex, id: int) -> None:
    """Index the row's present text. The row must not be in the index."""
    view = _VIEWS[index]
    c.execute(f"INSERT INTO {index} (rowid, text) SELECT id, text FROM {view} WHERE id = ?", (id,))


def drop(c: apsw.Connection, index: TextIndex, id: int) -> None:
    """Take the row out. Its text must still be what was indexed."""
    c.execute(f"DELETE FROM {index} WHERE rowid = ?", (id,))


def rebuild(c: apsw.Connection) -> None:
    """Make both indexes anew from the tables that are the truth."""
    for index in _VIEWS:
        c.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")


def match_any(c: apsw.Connection, index: TextIndex, words: str) -> str | None:
    """A MATCH expression for rows that hold any of the words; None when there is no word.

    Speech is full of what FTS5 takes for syntax (`-`, `"`, `NEAR`, `:`), so every token is
    quoted. FTS5's own tokenizer cuts them, so that query and index agree on what a word is.

    In a large index the rarest words come first and the frequent ones are left out once more than
    `_ENOUGH_ROWS` rows are found: ranking every row that says "you" would take longer than all
    the rest of a recall, and BM25 gives such words next to no weight.
    """
    tokens = _tokens(c, "unicode61", words)
    newest = c.execute(f"SELECT max(id) FROM {index}_docsize").get or 0
    if newest > _ENOUGH_ROWS:
        tokens = _rarest(c, index, tokens)
    return " OR ".join(f'"{token}"' for token in tokens) or None  # a token holds no quote


_ENOUGH_ROWS = 10_000


def _rarest(c: apsw.Connection, index: TextIndex, tokens: list[str]) -> list[str]:
    """The tokens in ascending number of rows, up to `_ENOUGH_ROWS` rows together."""
    counted = []
    for token in tokens:
        stem = _tokens(c, "porter", token)[0]
        sql = f"SELECT doc FROM {index}_words WHERE term = ?"
        counted.append((c.execute(sql, (stem,)).get or 0, token))
    chosen: list[str] = []
    rows = 0
    for held, token in sorted(counted):
        rows += held
        if chosen and rows > _ENOUGH_ROWS:
            break
        chosen.append(token)
    return chosen


def _tokens(c: apsw.Connection, tokenizer: Literal["unicode61", "porter"], text: str) -> list[str]:
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
