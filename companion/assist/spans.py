"""A second reading of the pieces, where nothing of the model's counts: the words in them that are
likeliest the answer (`engines.span_reader`).

Two that read in different ways and come to the same are seldom both wrong; where the model knows
nothing, the reader has to be very sure. Chosen on development people
(docs/experiments.md, "Where the answer stands").
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from companion import language
from companion.assist import answer
from companion.assist.choosing import NOTHING, Chosen
from companion.assist.concise import concise
from companion.assist.finding import Found
from companion.engines.protocols import SpanReader
from companion.errors import EngineError

logger = logging.getLogger(__name__)

SURE = 11.0
"""Log odds from which the reader's words are said though the model knows none."""


@dataclass(frozen=True)
class Read:
    """The likeliest answer in the pieces."""

    text: str
    score: float
    """Log odds against its standing nowhere."""

    source: Found


async def likeliest(reader: SpanReader, asked: str, found: Sequence[Found]) -> Read | None:
    """The best span of all pieces; None where the reader cannot read. found: at least one."""
    try:
        spans = await reader.read(asked, [answer.dated(each) for each in found])
    except EngineError as error:
        logger.error("nothing but the model reads: %s", error)
        return None
    span, piece = max(zip(spans, found, strict=True), key=lambda one: one[0].score)
    return Read(span.text, span.score, piece)


def with_span(line: str, read: Read, context: str, question: str, most: int) -> Chosen:
    """What is said of what nothing but the reader bears out. line: the model's; "" where it knows
    none."""
    span = concise(read.text, context, question, most)
    said = concise(line, context, question, most) if line else ""
    if said and span and not language.words.says(said).isdisjoint(language.words.says(span)):
        return Chosen(said, (read.source,), by_rules=False)
    if span and not line and read.score >= SURE:
        return Chosen(span, (read.source,), by_rules=False)
    return NOTHING
