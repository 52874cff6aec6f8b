"""Words by which somebody says what he cannot eat or drink."""

from __future__ import annotations

import re

CANNOT_EAT = re.compile(
    r"(?<!not )(?<!n't )(?<!n’t )(?<!never )"
    r"\b(?:allerg\w+|intoleran\w+|diabet\w*|celiac|coeliac|anaphyla\w*)\b"
    r"|\b(?:can(?:['’]t|not| not)|mustn['’]t|must not|(?:not|never) allowed to) (?:eat|drink)\b",
    re.IGNORECASE,
)
"""In a statement about oneself. Who is "not allergic" can."""
