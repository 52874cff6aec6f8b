"""Word lists for reading introductions: words that are not names, and words for other people."""

from __future__ import annotations

from companion.language.en.numbers import VALUES
from companion.language.tables import Table

_TABLE = Table.beside(__file__)

COMMON_WORDS = _TABLE.words("common_words") | VALUES.keys()
"""Lower case. What may follow "I am" or "it is" without being a name."""

NATIONS = _TABLE.words("nations")
"""Lower case. Words that follow "I am" with a capital letter and are still not names."""

NOT_NOW = _TABLE.words("not_now")
"""Words that, before "I am ten", show that it is pretend play."""
