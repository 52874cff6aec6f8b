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


def match_any(c: apsw.Connection, words: str) -> str | None:
    """A MATCH expression for rows that hold any of the words; None when there is no word.

    Speech is full of what FTS5 takes for syntax (`-`, `"`, `NEAR`, `:`), so every token is
    quoted. FTS5's own tokenizer cuts them, so that query and index agree on what a word is.
    """
    tokenize = c.fts5_tokenizer("unicode61", ["remove_diacritics", "2"])
    text = words.encode("utf-8", errors="replace")
    found = tokenize(text, apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False)
    tokens = dict.fromkeys(str(alternatives[0]) for alternatives in found)
    return " OR ".join(f'"{token}"' for token in tokens) or None  # a token holds no quote
