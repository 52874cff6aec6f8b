"""Scoring an answer by keywords: no judge, the same result every time.

The rule of the memory-bank set: an answer is right when it contains one alternative of every group
of `all_of` and nothing of `none_of`. The keywords are lenient on long lists and ask only for a part
of them. A keyword may occur inside a word, unless it begins or ends with a blank: "no " is not in
"I know".
"""

from __future__ import annotations

import re
from collections.abc import Sequence


def normalised(text: str) -> str:
    """Lower case, one space between words, straight apostrophes."""
    return re.sub(r"\s+", " ", text.lower().replace("’", "'")).strip()


def is_right(answer: str, all_of: Sequence[Sequence[str]], none_of: Sequence[str] = ()) -> bool:
    """Whether the answer has one alternative of every group, and none of the others."""
    said = f" {normalised(answer)} "
    found = all(any(_keyword(word) in said for word in group) for group in all_of)
    return found and not any(_keyword(word) in said for word in none_of)


def _keyword(word: str) -> str:
    before, after = word[:1].isspace(), word[-1:].isspace()
    return " " * before + normalised(word) + " " * after
