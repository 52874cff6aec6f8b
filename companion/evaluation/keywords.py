"""Scoring an answer by keywords: no judge, the same result every time.

The rule of the memory-bank set: an answer is right when it contains one alternative of every group
of `all_of` and nothing of `none_of`. The keywords are lenient on long lists and ask only for a part
of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def normalised(text: str) -> str:
    """Lower case, one space between words, straight apostrophes."""
    return re.sub(r"\s+", " ", text.lower().replace("’", "'")).strip()


def is_right(answer: str, all_of: Sequence[Sequence[str]], none_of: Sequence[str] = ()) -> bool:
    """Whether the answer has one alternative of every group, and none of the others."""
    said = normalised(answer)
    found = all(any(normalised(word) in said for word in group) for group in all_of)
    return found and not any(normalised(word) in said for word in none_of)
