"""Repair of stored text that is not valid UTF-8, so that one bad byte does not stop everything.

SQLite takes any bytes as TEXT, and a check of its pages does not look at them. Reading such a row
fails wherever it is read. So the first failure has every text looked at, and what is not valid is
replaced by what can be read of it, with U+FFFD for the rest.
"""

from __future__ import annotations

import apsw

from companion.store import text_index
from companion.store.connection import rows


def mend_texts(c: apsw.Connection) -> int:
    """Replace every invalid text, inside the caller's transaction; returns how many there were."""
    mended = 0
    for table, column in rows(c, _COLUMNS):
        blob = f'CAST("{column}" AS BLOB)'
        for (held,) in rows(c, f'SELECT DISTINCT {blob} FROM "{table}" WHERE "{column}" NOTNULL'):
            readable = held.decode("utf-8", errors="replace")
            if readable.encode() != held:
                c.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {blob} = ?', (readable, held))
                mended += c.changes()
    if mended:
        text_index.rebuild(c)
    return mended


_COLUMNS = """
SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table' AND t.strict AND c.type = 'TEXT'
"""
