"""Self-repair: "on Saturday. No wait, on Sunday" means Sunday.

Only days, months and numbers replaced by another of their kind are repaired: a small model repeats
both in the order in which they were said, and nothing else in the sentence shows which was meant.
"""

from __future__ import annotations

from companion.language.tables import Table

_TABLE = Table.beside(__file__)
_REPAIRS = [
    _TABLE.pattern(kind)
    for kind in ("weekdays", "near_days", "near_to_weekdays", "months", "numbers")
]
_AMOUNTS = _TABLE.pattern("amounts")


def repaired(text: str) -> str:
    """The text with only the corrected words where somebody corrected themselves at once."""
    for repair in _REPAIRS:
        text = repair.sub(lambda found: found["meant"], text)
    return _AMOUNTS.sub(lambda found: f"{found['meant']} {found['unit']}", text)
