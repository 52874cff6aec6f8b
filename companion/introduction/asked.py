"""What a sentence of the companion asks of the person."""

from __future__ import annotations

import re

from companion.introduction.said import ITEMS
from companion.store.profile import CoreItem

ASKS: dict[CoreItem, re.Pattern[str]] = {
    "name": re.compile(
        r"\byour\s+(?:first\s+)?name\b|\b(?:i|people|friends)\s+call\s+you\b|"
        r"\bwho\s+(?:are\s+you\s*\?|am\s+i\s+(?:talking|speaking))|\bare\s+you\s+called\b",
        re.IGNORECASE,
    ),
    "age": re.compile(
        r"\bhow\s+(?:many\s+years\s+)?old\s+are\s+you\b|\byour\s+age\b", re.IGNORECASE
    ),
    "gender": re.compile(
        r"\b(?:boy\s+or\s+(?:a\s+)?girl|girl\s+or\s+(?:a\s+)?boy|man\s+or\s+(?:a\s+)?woman|"
        r"woman\s+or\s+(?:a\s+)?man|your\s+gender)\b",
        re.IGNORECASE,
    ),
}


def asks_for(sentence: str) -> frozenset[CoreItem]:
    """The items that a sentence of the companion asks for."""
    if "?" not in sentence and not re.search(r"\btell\s+me\b", sentence, re.IGNORECASE):
        return frozenset()
    return frozenset(item for item in ITEMS if ASKS[item].search(sentence))
